/**
 * One step on the file system, with what went wrong in words.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { quoted } from "./quoted.ts"

/**
 * Error indicating that the operating system refused a step. `code` is its
 * name for the reason, such as `ENOENT`.
 *
 * @category errors
 * @since 0.1.0
 */
export class FileStepFailed extends Schema.TaggedError<FileStepFailed>()("FileStepFailed", {
  code: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return reasons[this.code] ?? (this.code === "" ? "the system refused" : `the system says ${this.code}`)
  }
}

/**
 * Runs one step. It is never left half-way: interruption waits for its end.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fileStep = <A>(step: () => Promise<A>): Effect.Effect<A, FileStepFailed> =>
  Effect.uninterruptible(Effect.tryPromise({
    try: step,
    catch: (cause) => new FileStepFailed({ code: codeOf(cause), cause })
  }))

/**
 * Takes one short look without leaving the thread, where a step through the pool
 * of threads would cost tenfold.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fileLook = <A>(look: () => A): Effect.Effect<A, FileStepFailed> =>
  Effect.try({ try: look, catch: (cause) => new FileStepFailed({ code: codeOf(cause), cause }) })

/**
 * Turns a failed step into the failure of a tool: `a.txt` could not be read,
 * and why.
 *
 * @category mapping
 * @since 0.1.0
 */
export const fileFailed = (done: string, path: string) => (error: FileStepFailed): ToolFailed =>
  new ToolFailed({ reason: `${quoted(path)} could not be ${done}: ${error.message}`, cause: error.cause })

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

const reasons: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  EAGAIN: "there is nothing to read at the moment",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  EEXIST: "something of that name exists already",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EFBIG: "it would be too large",
  EIO: "the disk reports an error",
  ETXTBSY: "the program is running",
  ENXIO: "there is no such device"
}
