/**
 * The tool that reads a file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { createHash } from "node:crypto"
import { readSync } from "node:fs"
import * as Tool from "../domain/Tool.ts"
import type { Content } from "../domain/ToolResult.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { absolutePath, validatePath } from "./absolutePath.ts"
import * as FileSnapshot from "./FileSnapshot.ts"
import { fileFailed, fileLook } from "./fileStep.ts"
import { kindOfBytes } from "./kindOfBytes.ts"
import * as LinePicker from "./LinePicker.ts"
import { notFound } from "./nearbyNames.ts"
import { type OpenedFile, openRegularFile } from "./openRegularFile.ts"
import { quoted } from "./quoted.ts"
import { readChunks, readWhole } from "./readChunks.ts"
import { showSize } from "./showSize.ts"
import * as TextEncoding from "./TextEncoding.ts"

const Input = Schema.Struct({
  file_path: Schema.String.annotate({
    description: "The file to read: an absolute path, or one relative to the working directory"
  }),
  offset: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({ description: "The first line to read, counted from 1" })
  ),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({ description: "How many lines to read; 2000 when left out" })
  )
})

/**
 * What was read, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export type ReadValue =
  | {
    readonly type: "text"
    readonly file: {
      readonly filePath: string
      readonly content: string
      readonly numLines: number
      readonly startLine: number
      readonly totalLines?: number
    }
    readonly notices: ReadonlyArray<string>
  }
  | {
    readonly type: "image"
    readonly file: {
      readonly filePath: string
      readonly base64: string
      readonly type: string
      readonly originalSize: number
    }
  }

/**
 * Reads a text file with numbered lines, or an image for a model to look at.
 *
 * **Details**
 *
 * Shows 2,000 lines of 2,000 characters each unless asked otherwise, and says
 * what it left out and how to read on. A file above 10 MB is read by range
 * only. What was read is remembered, so that it may be edited.
 *
 * @category tools
 * @since 0.1.0
 */
export const Read: Tool.Tool<PathResolver> = Tool.make({
  name: "Read",
  origin: "builtin",
  description:
    "Reads a file. Text comes with numbered lines, up to 2000 of them from `offset` on; images (PNG, JPEG, " +
    "GIF, WebP) can be looked at. A file has to be read before it can be changed with Edit or Write.",
  input: Input,
  maxResultSizeChars: 120_000,
  subject: ({ file_path }) => ({ _tag: "File", access: "read", path: file_path }),
  concurrencySafe: () => true,
  validateInput: ({ file_path }) => Effect.succeed(validatePath("file_path", file_path)),
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<ReadValue, ToolFailed, PathResolver> {
    const { home } = yield* PathResolver
    const path = absolutePath(input.file_path, { cwd: context.call.cwd, home })
    return yield* Effect.scoped(readPath(input, path, context))
  }),
  render: (value: ReadValue): Content => {
    if (value.type === "image") {
      return [{ type: "image", source: { type: "base64", media_type: value.file.type, data: value.file.base64 } }]
    }
    const { content, numLines, startLine } = value.file
    const lines = numLines === 0
      ? []
      : content.split("\n").map((line, index) => `${String(startLine + index).padStart(6)}\t${line}`)
    return [...lines, ...value.notices.map((notice) => `[${notice}]`)].join("\n")
  }
})

const defaultLines = 2_000
const lineChars = 2_000
const pageChars = 100_000
const largestWhole = 10 * 1024 * 1024
const largestImage = 5 * 1024 * 1024

const readPath = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  path: string,
  context: Tool.ToolContext
): Effect.fn.Return<ReadValue, ToolFailed, Scope.Scope> {
  const shown = input.file_path
  const file = yield* openRegularFile({ path, shown, may: context.mayRead })
  if (file === undefined) return yield* yield* notFound({ path, shown, mayRead: context.mayRead })

  const beginning = Buffer.allocUnsafe(8_192)
  const bytesRead = yield* Effect.mapError(readBeginning(file, beginning), fileFailed("read", shown))
  const first = beginning.subarray(0, bytesRead)
  const kind = kindOfBytes(first)
  if (kind._tag === "Image") return yield* readImage(file, path, shown, kind.mediaType)
  if (kind._tag === "Binary") {
    return yield* new ToolFailed({ reason: `${quoted(shown)} is ${kind.what}, which can't be read as text` })
  }
  if (file.stats.size > largestWhole && input.offset === undefined && input.limit === undefined) {
    return yield* new ToolFailed({
      reason: `${quoted(shown)} has ${showSize(file.stats.size)}, too much to read at once: ` +
        "read a part of it with `offset` and `limit`, or search it with Grep"
    })
  }
  return yield* readText(input, file, path, context, first)
})

const readBeginning = ({ descriptor }: OpenedFile, into: Uint8Array) =>
  fileLook(() => readSync(descriptor, into, 0, into.length, 0))

const readImage = Effect.fnUntraced(function*(
  file: OpenedFile,
  path: string,
  shown: string,
  type: string
): Effect.fn.Return<ReadValue, ToolFailed> {
  const bytes = yield* Effect.mapError(readWhole(file.descriptor, largestImage), fileFailed("read", shown))
  if (bytes === undefined) {
    return yield* new ToolFailed({
      reason: `the image ${quoted(shown)} has ${showSize(file.stats.size)}, and only ${
        showSize(largestImage)
      } can be shown`
    })
  }
  return { type: "image", file: { filePath: path, base64: bytes.toString("base64"), type, originalSize: bytes.length } }
})

const readText = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  file: OpenedFile,
  path: string,
  context: Tool.ToolContext,
  beginning: Uint8Array
): Effect.fn.Return<ReadValue, ToolFailed> {
  const first = input.offset ?? 1
  const count = input.limit ?? defaultLines
  const picker = LinePicker.make({ first, count, lineChars, totalChars: pageChars })
  const decoder = new TextDecoder(TextEncoding.ofBytes(beginning).name)
  const hash = createHash("sha256")
  const remembered = file.stats.size <= FileSnapshot.largestRemembered
  let size = 0

  yield* Effect.mapError(
    readChunks(file.descriptor, (bytes) => {
      size += bytes.length
      if (remembered) hash.update(bytes)
      picker.push(decoder.decode(bytes, { stream: true }))
      return remembered || !picker.done() ? "more" : "enough"
    }, beginning),
    fileFailed("read", input.file_path)
  )
  const complete = remembered || !picker.done()
  if (complete) picker.push(decoder.decode())
  const picked = picker.end()

  if (complete && first > picked.total && first > 1) {
    return yield* new ToolFailed({
      reason: `${quoted(input.file_path)} has ${lines(picked.total)}, so there is nothing to read from line ${first} on`
    })
  }
  const last = first + picked.lines.length - 1
  const whole = complete && first === 1 && last === picked.total && picked.cutLines.length === 0
  if (remembered) yield* remember(file, context, { hash: hash.digest("hex"), size, whole })

  return {
    type: "text",
    file: {
      filePath: path,
      content: picked.lines.join("\n"),
      numLines: picked.lines.length,
      startLine: first,
      ...(complete ? { totalLines: picked.total } : {})
    },
    notices: [...notices(picked, first, last, complete)]
  }
})

const notices = function*(
  picked: LinePicker.Picked,
  first: number,
  last: number,
  complete: boolean
): Generator<string> {
  if (complete && picked.total === 0) {
    yield "the file exists and is empty"
    return
  }
  if (!complete || last < picked.total) {
    const total = complete ? ` of ${picked.total}` : ""
    const why = picked.full ? `, as many as fit into ${pageChars} characters` : ""
    yield `lines ${first} to ${last}${total} are shown${why}; read on with offset ${last + 1}`
  }
  if (picked.cutLines.length > 0) {
    const some = picked.cutLines.slice(0, 5).join(", ")
    const more = picked.cutLines.length > 5 ? ` and ${picked.cutLines.length - 5} more` : ""
    yield `cut after ${lineChars} characters: ${picked.cutLines.length === 1 ? "line" : "lines"} ${some}${more}`
  }
}

const remember = Effect.fnUntraced(function*(
  file: OpenedFile,
  context: Tool.ToolContext,
  seen: { readonly hash: string; readonly size: number; readonly whole: boolean }
): Effect.fn.Return<void> {
  const before = yield* context.seen(file.real)
  const whole = seen.whole || (before?.hash === seen.hash && before.whole)
  yield* context.saw(file.real, FileSnapshot.make(file.stats, { ...seen, whole }))
})

const lines = (count: number): string => count === 1 ? "1 line" : `${count} lines`
