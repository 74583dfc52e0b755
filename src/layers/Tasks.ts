/**
 * Layers that provide `Tasks`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import { type KnownTask, Task, TaskEnd } from "../domain/Task.ts"
import { StoreFailed } from "../errors/SessionError.ts"
import { Tasks, tooMuch } from "../services/Tasks.ts"
import { atomicWrite } from "./files/atomicWrite.ts"
import { privateFolder, sessionFolder } from "./files/sessionFolder.ts"
import { whyFailed } from "./files/whyFailed.ts"

/**
 * Layer that keeps each task in a folder of its own in the session's folder, so
 * that every process of the session knows of it.
 *
 * **Details**
 *
 * `outlived` says that the process may end before its tasks do, as a command
 * line does. Commands are then looked after by a small shell, which costs them a
 * millisecond, and their exit codes are known whoever asks.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (
  stateDirectory: string,
  options: { readonly outlived?: boolean } = {}
): Layer.Layer<Tasks, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Tasks,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const tasksOf = (session: string) => `${sessionFolder(stateDirectory, session)}/tasks`
      const write = (file: string, text: string): Effect.Effect<void, StoreFailed> =>
        Effect.provideContext(Effect.mapError(atomicWrite(file, text, { mode: 0o600 }), failed(file)), context)

      const find = Effect.fnUntraced(function*(
        session: string,
        id: string
      ): Effect.fn.Return<KnownTask | undefined, StoreFailed> {
        if (!isId(id)) return undefined
        const folder = `${tasksOf(session)}/${id}`
        const text = yield* read(fs, `${folder}/task.json`)
        if (text === undefined) return undefined
        const task = yield* Effect.mapError(
          decodeTask(text),
          (cause) => new StoreFailed({ path: `${folder}/task.json`, reason: "is not a task that can be read", cause })
        )
        return { task, end: yield* endIn(fs, folder) }
      })

      return Tasks.of({
        outlived: options.outlived ?? false,

        room: (session) =>
          Effect.sync(() => {
            const id = randomUUID().slice(0, 8)
            const folder = `${tasksOf(session)}/${id}`
            return { id, folder, output: `${folder}/output.txt` }
          }),

        note: (session, task) => {
          const folder = `${tasksOf(session)}/${task.id}`
          return Effect.gen(function*() {
            yield* Effect.mapError(privateFolder(fs, folder), failed(folder))
            yield* Effect.mapError(fs.writeFileString(task.output, "", { flag: "a", mode: 0o600 }), failed(task.output))
            yield* write(`${folder}/task.json`, encodeTask(task))
          }).pipe(Effect.tapError(() => Effect.ignore(fs.remove(folder, { recursive: true, force: true }))))
        },

        settle: Effect.fnUntraced(function*(session, id, end) {
          const folder = `${tasksOf(session)}/${id}`
          if (!isId(id) || (yield* endIn(fs, folder)) !== undefined) return
          yield* write(`${folder}/end.json`, encodeEnd(end))
        }),

        find,

        untold: (session) =>
          Effect.sync(() => {
            const folder = tasksOf(session)
            // Asked with every call, of sessions that mostly have no task.
            if (!existsSync(folder)) return []
            return readdirSync(folder).filter((id) => isId(id) && !existsSync(`${folder}/${id}/told`))
          }),

        tell: (session, id) =>
          fs.writeFileString(`${tasksOf(session)}/${id}/told`, "", { flag: "wx", mode: 0o600 }).pipe(
            Effect.as(true),
            Effect.orElseSucceed(() => false)
          ),

        list: Effect.fnUntraced(function*(session) {
          const names = yield* Effect.orElseSucceed(fs.readDirectory(tasksOf(session)), () => [])
          const found = yield* Effect.forEach(names, (name) => find(session, name))
          return found.filter((one) => one !== undefined).sort((a, b) => a.task.startedMillis - b.task.startedMillis)
        })
      })
    })
  )

const isId = (id: string): boolean => /^[0-9a-f]{8}$/.test(id)

const decodeTask = Schema.decodeUnknownEffect(Schema.fromJsonString(Task))
const encodeTask = Schema.encodeSync(Schema.fromJsonString(Task))
const decodeEnd = Schema.decodeUnknownOption(Schema.fromJsonString(TaskEnd))
const encodeEnd = Schema.encodeSync(Schema.fromJsonString(TaskEnd))

/** What somebody noted goes before the code that a shell gave: who was stopped has a code as well. */
const endIn = Effect.fnUntraced(function*(
  fs: FileSystem.FileSystem,
  folder: string
): Effect.fn.Return<TaskEnd | undefined, StoreFailed> {
  if ((yield* read(fs, `${folder}/${tooMuch}`)) !== undefined) return { _tag: "TooMuch" }
  const noted = yield* read(fs, `${folder}/end.json`)
  const end = noted === undefined ? undefined : decodeEnd(noted)
  if (end?._tag === "Some") return end.value
  const code = yield* read(fs, `${folder}/code`)
  return code !== undefined && /^\d{1,3}\n$/.test(code) ? { _tag: "Exited", code: Number(code) } : undefined
})

const read = (fs: FileSystem.FileSystem, file: string): Effect.Effect<string | undefined, StoreFailed> =>
  Effect.catchTag(
    fs.readFileString(file),
    "PlatformError",
    (error) => error.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(failed(file)(error))
  )

const failed = (path: string) => (error: PlatformError) =>
  new StoreFailed({ path, reason: whyFailed(error), cause: error })
