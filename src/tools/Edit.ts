/**
 * The tool that changes a part of a file.
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
import { kindOfBytes } from "./kindOfBytes.ts"
import { notFound } from "./nearbyNames.ts"
import { type Hunk, type Patch, patchOf, showPatch } from "./patchOf.ts"
import { quoted, shownPath } from "./quoted.ts"
import { lineAt, occurrences, replaceText, secondOccurrence } from "./replaceText.ts"
import { requireSeen, type SeenFile } from "./requireSeen.ts"
import * as TextEncoding from "./TextEncoding.ts"
import { whyNotFound } from "./whyNotFound.ts"
import * as WriteTarget from "./WriteTarget.ts"

const Input = Schema.Struct({
  file_path: Schema.String.annotate({
    description: "The file to change: an absolute path, or one relative to the working directory"
  }),
  old_string: Schema.String.annotate({
    description: "The text to replace, exactly as it is in the file, without line numbers; " +
      "empty only to fill a file that is new or empty"
  }),
  new_string: Schema.String.annotate({ description: "The text to put in its place, different from the old one" }),
  replace_all: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Whether to replace every occurrence; otherwise there must be one alone" })
  )
})

/**
 * What was changed, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditValue {
  readonly filePath: string
  /** Where that leads, if it is a link. */
  readonly realPath?: string
  /** How many other names the file had, which keep what it was. */
  readonly otherNames?: number
  readonly oldString: string
  readonly newString: string
  readonly replaceAll: boolean
  readonly replacements: number
  readonly structuredPatch: ReadonlyArray<Hunk>
}

/**
 * Replaces a text in a file, in one step or not at all.
 *
 * **Details**
 *
 * The file must have been read in this session and be the same still. Every
 * byte outside the replaced places stays: line ends, byte order mark, encoding,
 * mode and owner.
 *
 * @category tools
 * @since 0.1.0
 */
export const Edit: Tool.Tool<PathResolver> = Tool.make({
  name: "Edit",
  origin: "builtin",
  description: "Replaces a text in a file by another. The file has to be read before. The old text must fit exactly " +
    "and be there once, unless `replace_all` is set.",
  input: Input,
  subject: ({ file_path }) => ({ _tag: "File", access: "edit", path: file_path }),
  validateInput: (input) => Effect.succeed(validate(input)),
  precondition: (input, context) =>
    changeable(
      { shown: input.file_path, changes: input.old_string !== "" },
      context,
      (path, context) => planned(input, path, context)
    ),
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<EditValue, ToolFailed, PathResolver> {
    const { home } = yield* PathResolver
    const wrong = validate(input)
    if (wrong._tag === "Refused") return yield* new ToolFailed({ reason: wrong.message })
    const path = absolutePath(input.file_path, { cwd: context.call.cwd, home })
    return yield* Effect.scoped(
      Effect.flatMap(planned(input, path, context), (plan) => commit(input, plan, path, context))
    )
  }),
  render: (value: EditValue) => {
    const times = value.replacements === 1 ? "1 place" : `${value.replacements} places`
    const patch = showPatch({ added: 0, removed: 0, hunks: value.structuredPatch })
    return `changed ${shownPath(value)} in ${times}${patch === "" ? "" : `\n${patch}`}`
  }
})

const validate = (input: typeof Input.Type): Tool.Validation => {
  if (input.old_string === input.new_string) {
    return { _tag: "Refused", message: "`old_string` and `new_string` are the same, so nothing would change", code: 5 }
  }
  if (!input.old_string.isWellFormed() || !input.new_string.isWellFormed()) {
    return { _tag: "Refused", message: "the texts hold half a character, which no file can hold", code: 4 }
  }
  return validateTarget("file_path", input.file_path)
}

/** What is to be written where, and in place of what. */
interface Plan {
  readonly target: WriteTarget.WriteTarget
  readonly before: string
  readonly after: string
  readonly replacements: number
  readonly old?: { readonly seen: SeenFile; readonly encoding: TextEncoding.TextEncoding }
}

const planned = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  path: string,
  context: Planning
): Effect.fn.Return<Plan, ToolFailed, Scope.Scope> {
  const shown = input.file_path
  const target = yield* WriteTarget.find({ path, shown, may: context.mayEdit })
  if (target.existing === undefined) {
    if (input.old_string !== "") return yield* yield* notFound({ path, shown, mayRead: context.mayRead })
    return { target, before: "", after: input.new_string, replacements: 1 }
  }
  const seen = yield* requireSeen(target.existing, shown, context)
  const encoding = TextEncoding.ofBytes(seen.bytes)
  const before = yield* textOf(seen, encoding, shown)
  const places = yield* placesOf(input, before)
  const after = input.old_string === "" ? input.new_string : replaceText(before, places, input.new_string)
  if (after === before && places.length > 0) {
    return yield* new ToolFailed({
      reason: `nothing in ${
        quoted(shown)
      } would change, since its line ends stay as they are; to change those, use Write`
    })
  }
  return { target, before, after, replacements: Math.max(1, places.length), old: { seen, encoding } }
})

const textOf = (
  seen: SeenFile,
  encoding: TextEncoding.TextEncoding,
  shown: string
): Effect.Effect<string, ToolFailed> => {
  const kind = kindOfBytes(seen.bytes)
  if (kind._tag !== "Text") {
    const what = kind._tag === "Image" ? "an image" : kind.what
    return Effect.fail(new ToolFailed({ reason: `${quoted(shown)} is ${what}, which can't be edited as text` }))
  }
  const text = TextEncoding.decode(seen.bytes, encoding)
  return text === undefined
    ? Effect.fail(
      new ToolFailed({
        reason: `${quoted(shown)} holds bytes that are no ${encoding.name.toUpperCase()}, and an edit would change them`
      })
    )
    : Effect.succeed(text)
}

const placesOf = Effect.fnUntraced(function*(input: typeof Input.Type, text: string) {
  const shown = quoted(input.file_path)
  if (input.old_string === "") {
    if (text === "") return []
    return yield* new ToolFailed({
      reason: `${shown} is not empty, so \`old_string\` has to say what to replace; to replace everything, use Write`
    })
  }
  const places = occurrences(text, input.old_string)
  const [only] = places
  if (only === undefined) {
    return yield* new ToolFailed({
      reason: `\`old_string\` is not in ${shown}${whyNotFound(text, input.old_string)}`
    })
  }
  if (input.replace_all === true) return places
  const overlapping = places.length === 1 ? secondOccurrence(text, input.old_string) : undefined
  if (overlapping !== undefined) {
    return yield* new ToolFailed({
      reason: `\`old_string\` is in ${shown} at places that overlap, on lines ` +
        `${lineAt(text, only.start)} and ${lineAt(text, overlapping.start)}; add what stands around it`
    })
  }
  if (places.length > 1) {
    const lines = places.slice(0, 10).map(({ start }) => lineAt(text, start)).join(", ")
    return yield* new ToolFailed({
      reason: `\`old_string\` is ${places.length} times in ${shown}, on lines ${lines}` +
        `${places.length > 10 ? " and more" : ""}; add what stands around it, or set \`replace_all\``
    })
  }
  return places
})

const commit = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  { after, before, old, replacements, target }: Plan,
  path: string,
  context: Tool.ToolContext
): Effect.fn.Return<EditValue, ToolFailed> {
  const bytes = TextEncoding.encode(after, old?.encoding ?? TextEncoding.utf8)
  yield* Effect.uninterruptible(Effect.flatMap(atomicWrite(target, bytes, old?.seen.hash), (stats) =>
    context.saw(
      target.real,
      FileSnapshot.make(stats, {
        hash: FileSnapshot.hashOf(bytes),
        size: bytes.length,
        whole: old?.seen.state.whole ?? true
      })
    )))
  const patch: Patch = patchOf(before, after)
  return {
    filePath: path,
    oldString: input.old_string,
    newString: input.new_string,
    replaceAll: input.replace_all ?? false,
    replacements,
    ...WriteTarget.otherwise(target),
    structuredPatch: patch.hunks
  }
})
