/**
 * The tool that writes a file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { absolutePath, validateTarget } from "./absolutePath.ts"
import { atomicWrite } from "./atomicWrite.ts"
import { changeable, type Planning } from "./changeable.ts"
import * as FileSnapshot from "./FileSnapshot.ts"
import { type Hunk, patchOf, showPatch } from "./patchOf.ts"
import { quoted, shownPath } from "./quoted.ts"
import { requireSeen, type SeenFile } from "./requireSeen.ts"
import { showSize } from "./showSize.ts"
import * as TextEncoding from "./TextEncoding.ts"
import * as WriteTarget from "./WriteTarget.ts"

const Input = Schema.Struct({
  file_path: Schema.String.annotate({
    description: "The file to write: an absolute path, or one relative to the working directory"
  }),
  content: Schema.String.annotate({ description: "The whole text that the file is to hold" })
})

/**
 * What was written, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface WriteValue {
  readonly type: "create" | "update"
  readonly filePath: string
  /** Where that leads, if it is a link. */
  readonly realPath?: string
  /** How many other names the file had, which keep what it was. */
  readonly otherNames?: number
  readonly size: number
  readonly added: number
  readonly removed: number
  readonly structuredPatch: ReadonlyArray<Hunk>
}

/**
 * Writes a whole file, in one step or not at all.
 *
 * **Details**
 *
 * A file that exists must have been read whole in this session and be the same
 * still. Folders of a new file are made. Mode, owner, and the encoding of a file
 * that begins with a byte order mark are kept.
 *
 * @category tools
 * @since 0.1.0
 */
export const Write: Tool.Tool<PathResolver> = Tool.make({
  name: "Write",
  origin: "builtin",
  description: "Writes a whole file, new or in place of the old one. A file that exists has to be read whole before. " +
    "To change a part of a file, use Edit.",
  input: Input,
  subject: ({ file_path }) => ({ _tag: "File", access: "edit", path: file_path }),
  validateInput: ({ content, file_path }) =>
    Effect.succeed(
      content.isWellFormed()
        ? validateTarget("file_path", file_path)
        : { _tag: "Refused", message: "`content` holds half a character, which no file can hold", code: 4 }
    ),
  precondition: ({ file_path }, context) =>
    changeable({ shown: file_path, changes: false }, context, (path, context) => found(file_path, path, context)),
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<WriteValue, ToolFailed, PathResolver> {
    const { home } = yield* PathResolver
    const path = absolutePath(input.file_path, { cwd: context.call.cwd, home })
    return yield* Effect.scoped(writePath(input, path, context))
  }),
  render: (value: WriteValue) => {
    const size = showSize(value.size)
    const path = shownPath(value)
    if (value.type === "create") {
      return `created ${path} (${size}, ${value.added === 1 ? "1 line" : `${value.added} lines`})`
    }
    if (value.added + value.removed === 0) return `${path} holds exactly that already (${size})`
    const patch = showPatch({ added: value.added, removed: value.removed, hunks: value.structuredPatch })
    return `replaced ${path} (${size}): lines added ${value.added}, removed ${value.removed}${
      patch === "" ? "" : `\n${patch}`
    }`
  }
})

/** The place to write to, and what is there, all of which the session has seen. */
const found = Effect.fnUntraced(function*(
  shown: string,
  path: string,
  context: Planning
): Effect.fn.Return<
  { readonly target: WriteTarget.WriteTarget; readonly old: SeenFile | undefined },
  ToolFailed,
  Scope.Scope
> {
  const target = yield* WriteTarget.find({ path, shown, may: context.mayEdit })
  const old = target.existing === undefined ? undefined : yield* requireSeen(target.existing, shown, context)
  if (old !== undefined && !old.state.whole) {
    return yield* new ToolFailed({
      reason: `only a part of ${quoted(shown)} was read, and the rest would be lost unseen; read all of it, or use Edit`
    })
  }
  return { target, old }
})

const writePath = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  path: string,
  context: Tool.ToolContext
): Effect.fn.Return<WriteValue, ToolFailed, Scope.Scope> {
  const { old, target } = yield* found(input.file_path, path, context)
  const bytes = TextEncoding.encode(input.content, encodingOf(old))
  const { added, hunks, removed } = changes(old, input.content)

  yield* Effect.uninterruptible(Effect.flatMap(atomicWrite(target, bytes, old?.hash), (stats) =>
    context.saw(
      target.real,
      FileSnapshot.make(stats, { hash: FileSnapshot.hashOf(bytes), size: bytes.length, whole: true })
    )))
  return {
    type: old === undefined ? "create" : "update",
    filePath: path,
    size: bytes.length,
    added,
    removed,
    ...WriteTarget.otherwise(target),
    structuredPatch: hunks
  }
})

const encodingOf = (old: SeenFile | undefined): TextEncoding.TextEncoding =>
  old === undefined ? TextEncoding.utf8 : TextEncoding.ofBytes(old.bytes)

const changes = (old: SeenFile | undefined, content: string) => {
  if (old === undefined) return { added: countLines(content), removed: 0, hunks: [] }
  return patchOf(new TextDecoder(TextEncoding.ofBytes(old.bytes).name).decode(old.bytes), content)
}

const countLines = (text: string): number => {
  if (text === "") return 0
  let count = text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1
  return count
}
