/**
 * Layer that provides `ResultStore`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { PlatformError } from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import type { CallContext } from "../domain/CallContext.ts"
import { ResultStoreFailed } from "../errors/ResultError.ts"
import { ResultStore, type Spool } from "../services/ResultStore.ts"
import { privateFolder, safeName, sessionFolder } from "./files/sessionFolder.ts"
import { whyFailed } from "./files/whyFailed.ts"

/**
 * Layer that keeps results in the session's folder under the state directory,
 * in files that only the user can read.
 *
 * **Details**
 *
 * A file is named after the `tool_use` id, with a number where one is there
 * already: nothing that a model was told of is ever overwritten. A text that
 * could not be kept whole leaves no file.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (stateDirectory: string): Layer.Layer<ResultStore, never, FileSystem.FileSystem> =>
  Layer.effect(
    ResultStore,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem

      const open = Effect.fnUntraced(function*(
        context: CallContext,
        id: string
      ): Effect.fn.Return<Spool, ResultStoreFailed, Scope.Scope> {
        const folder = `${sessionFolder(stateDirectory, context.session)}/results`
        yield* Effect.mapError(privateFolder(fs, folder), failed("the folder for results"))
        const { file, path } = yield* Effect.mapError(create(fs, `${folder}/${safeName(id)}`), failed("the file"))
        const whole = (done: Effect.Effect<void, PlatformError>): Effect.Effect<void, ResultStoreFailed> =>
          done.pipe(
            Effect.tapError(() => Effect.ignore(fs.remove(path, { force: true }))),
            Effect.mapError(failed("the file"))
          )
        return { path, append: (bytes) => whole(file.writeAll(bytes)), sync: whole(file.sync) }
      })

      const keep = (context: CallContext, id: string, text: string): Effect.Effect<string, ResultStoreFailed> =>
        Effect.scoped(Effect.flatMap(open(context, id), (spool) =>
          spool.append(new TextEncoder().encode(text)).pipe(
            Effect.andThen(spool.sync),
            Effect.onError(() => Effect.ignore(fs.remove(spool.path, { force: true }))),
            Effect.as(spool.path)
          )))

      return ResultStore.of({ keep, open })
    })
  )

const create = (
  fs: FileSystem.FileSystem,
  stem: string,
  number = 1
): Effect.Effect<{ readonly file: FileSystem.File; readonly path: string }, PlatformError, Scope.Scope> => {
  const path = number === 1 ? `${stem}.txt` : `${stem}-${number}.txt`
  return fs.open(path, { flag: "wx", mode: 0o600 }).pipe(
    Effect.map((file) => ({ file, path })),
    Effect.catchTag("PlatformError", (error) =>
      error.reason._tag === "AlreadyExists" && number < 1000
        ? create(fs, stem, number + 1)
        : Effect.fail(error))
  )
}

const failed = (what: string) => (error: PlatformError) =>
  new ResultStoreFailed({ reason: `${what} ${whyFailed(error)}`, cause: error })
