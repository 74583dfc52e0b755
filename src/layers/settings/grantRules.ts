/**
 * Granted rules, saved where they were meant to be.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import { rmdir } from "node:fs/promises"
import { StoreFailed } from "../../errors/SessionError.ts"
import { atomicWrite } from "../files/atomicWrite.ts"
import { whyFailed } from "../files/whyFailed.ts"
import { withLock } from "../files/withLock.ts"
import { addRules } from "./addRules.ts"
import { maxBytes, textView } from "./gather.ts"
import { watchFiles } from "./watch.ts"

/**
 * Adds allow rules to a settings file, made with its folder when it is missing.
 *
 * **Details**
 *
 * A file that can't be read is never written. Of several writers, in this
 * process or others, none loses what another one wrote; who edits the file by
 * hand at the same moment is not asked for the lock.
 *
 * @category writing
 * @since 0.1.0
 */
export const grantRules = Effect.fn("settings.grantRules")(function*(
  file: string,
  rules: ReadonlyArray<string>,
  newFileMode: number
): Effect.fn.Return<void, StoreFailed, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const failed = (error: PlatformError) => new StoreFailed({ path: file, reason: whyFailed(error), cause: error })
  yield* Effect.mapError(fs.makeDirectory(path.dirname(file), { recursive: true }), failed)
  // Whoever writes through a link and whoever writes its target must meet at one lock.
  const target = yield* Effect.catchTag(fs.realPath(file), "PlatformError", () => Effect.succeed(file))

  yield* withLock(`${target}.lock`)(Effect.gen(function*() {
    const view = yield* watchFiles(fs, maxBytes, textView)(file)
    if (view._tag === "Refused") return yield* new StoreFailed({ path: file, reason: view.reason })
    const text = view._tag === "Read" ? view.value : ""
    if (text.startsWith("\uFEFF") && (yield* Effect.mapError(isWide(fs, file), failed))) {
      return yield* new StoreFailed({ path: file, reason: "is not in UTF-8, and is left as it is" })
    }
    const edited = addRules(text, rules)
    if (Result.isFailure(edited)) return yield* new StoreFailed({ path: file, reason: edited.failure })
    if (edited.success === text) return
    const mode = view._tag === "Missing" ? { mode: newFileMode } : {}
    // The empty folder that stands for it while a sandboxed command runs makes way.
    if (view._tag === "Missing") yield* Effect.ignore(Effect.tryPromise(() => rmdir(target)))
    yield* Effect.mapError(atomicWrite(file, edited.success, mode), failed)
  }))
})

const isWide = (fs: FileSystem.FileSystem, file: string): Effect.Effect<boolean, PlatformError> =>
  Effect.map(fs.readFile(file), ([first]) => first === 0xff || first === 0xfe)
