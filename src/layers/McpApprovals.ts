/**
 * Layers that provide `McpApprovals`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { StoreFailed } from "../errors/SessionError.ts"
import { McpApprovals } from "../services/McpApprovals.ts"
import { atomicWrite } from "./files/atomicWrite.ts"
import { whyFailed } from "./files/whyFailed.ts"
import { withLock } from "./files/withLock.ts"
import { decodeText } from "./settings/decodeText.ts"
import { type View, watchFiles } from "./settings/watch.ts"

/**
 * Layer that keeps fingerprints in `mcp-tools.json` of a state directory.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (
  stateDirectory: string
): Layer.Layer<McpApprovals, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    McpApprovals,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const file = path.join(stateDirectory, "mcp-tools.json")
      const look = watchFiles(fs, maxBytes, decode)
      const failed = (error: PlatformError) => new StoreFailed({ path: file, reason: whyFailed(error), cause: error })

      return McpApprovals.of({
        get: Effect.fnUntraced(function*(tool) {
          return (yield* known(file, yield* look(file))).get(tool)
        }),
        set: Effect.fnUntraced(
          function*(tool, fingerprint) {
            if ((yield* known(file, yield* look(file))).get(tool) === fingerprint) return
            yield* Effect.mapError(fs.makeDirectory(stateDirectory, { recursive: true, mode: 0o700 }), failed)
            yield* withLock(`${file}.lock`)(Effect.gen(function*() {
              const before = yield* known(file, yield* watchFiles(fs, maxBytes, decode)(file))
              const tools = Object.fromEntries([...before, [tool, fingerprint]])
              const text = `${JSON.stringify({ tools }, null, 2)}\n`
              yield* Effect.mapError(atomicWrite(file, text, { mode: 0o600 }), failed)
            }))
          },
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path)
        )
      })
    })
  )

/**
 * Layer that keeps fingerprints in memory.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory: Layer.Layer<McpApprovals> = Layer.sync(McpApprovals, () => {
  const tools = new Map<string, string>()
  return McpApprovals.of({
    get: (tool) => Effect.sync(() => tools.get(tool)),
    set: (tool, fingerprint) => Effect.sync(() => void tools.set(tool, fingerprint))
  })
})

const maxBytes = 16 * 1024 * 1024

type Known = ReadonlyMap<string, string>

const decodeStored = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ tools: Schema.Record(Schema.String, Schema.String) }))
)

const decode = (bytes: Uint8Array): Exclude<View<Known>, { readonly _tag: "Missing" }> => {
  const stored = decodeStored(decodeText(bytes))
  return Result.isSuccess(stored)
    ? { _tag: "Read", value: new Map(Object.entries(stored.success.tools)) }
    : { _tag: "Refused", reason: "is no list of tools; move it away to begin a new one" }
}

const known = (file: string, view: View<Known>): Effect.Effect<Known, StoreFailed> => {
  switch (view._tag) {
    case "Missing":
      return Effect.succeed(new Map())
    case "Read":
      return Effect.succeed(view.value)
    case "Refused":
      return Effect.fail(new StoreFailed({ path: file, reason: view.reason }))
  }
}
