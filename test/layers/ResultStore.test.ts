import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as PlatformError from "effect/PlatformError"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as ResultStoreLayers from "../../src/layers/ResultStore.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import { withFolder } from "./files/withFolder.ts"

const context = { session: "s", cwd: "/", directories: [] }

const store = (folder: string) =>
  Effect.provide(ResultStore, ResultStoreLayers.layerFiles(folder).pipe(Layer.provide(NodeServices.layer)))

const bytes = (text: string) => new TextEncoder().encode(text)

describe("ResultStore", () => {
  it.effect("a text is kept whole, for the user alone, in the session's folder", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const results = yield* store(join(folder, "state"))
        const text = "ä😀\n".repeat(100_000)
        const path = yield* results.keep(context, "toolu_1", text)
        assert.strictEqual(readFileSync(path, "utf8"), text)
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
        assert.strictEqual(statSync(dirname(path)).mode & 0o777, 0o700)
        assert.isTrue(path.startsWith(join(folder, "state/sessions/s/results/")))
      })
    ))

  it.effect("the same id twice overwrites nothing", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const results = yield* store(folder)
        const paths = yield* Effect.forEach(["a", "b", "c"], (text) => results.keep(context, "same", text), {
          concurrency: "unbounded"
        })
        assert.strictEqual(new Set(paths).size, 3)
        assert.deepStrictEqual(paths.map((path) => readFileSync(path, "utf8")), ["a", "b", "c"])
      })
    ))

  it.effect("an id can't lead out of the folder", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const results = yield* store(folder)
        for (const id of ["../../../evil", "/etc/passwd", "..", "a\0b", "x".repeat(5_000)]) {
          const path = yield* results.keep({ ...context, session: "../up" }, id, "text")
          assert.strictEqual(basename(dirname(dirname(dirname(path)))), "sessions")
          assert.isTrue(path.startsWith(`${folder}/sessions/`))
        }
      })
    ))

  it.effect("a result that comes in pieces can be read once it is synced", () =>
    withFolder((folder) =>
      Effect.scoped(Effect.gen(function*() {
        const spool = yield* (yield* store(folder)).open(context, "long")
        yield* spool.append(bytes("one "))
        yield* spool.append(bytes("two"))
        yield* spool.sync
        assert.strictEqual(readFileSync(spool.path, "utf8"), "one two")
      }))
    ))

  it.effect("what can't be kept fails as data and says why", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "state"), "a file is in the way")
        const results = yield* store(join(folder, "state"))
        const error = yield* Effect.flip(results.keep(context, "a", "text"))
        assert.strictEqual(error._tag, "ResultStoreFailed")
        assert.match(error.message, /could not be kept: the folder for results has a file where a folder should be/)
      })
    ))

  it.effect("a disk that fills up on the way leaves no half of a result", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const real = yield* FileSystem.FileSystem
        const full = PlatformError.systemError({
          _tag: "Unknown",
          module: "FileSystem",
          method: "write",
          cause: Object.assign(new Error("write"), { code: "ENOSPC" })
        })
        const layer = Layer.succeed(FileSystem.FileSystem, {
          ...real,
          open: (path, options) =>
            Effect.map(real.open(path, options), (file) => ({
              ...file,
              sync: file.sync,
              writeAll: () => Effect.fail(full)
            }))
        })
        const results = yield* Effect.provide(
          ResultStore,
          ResultStoreLayers.layerFiles(folder).pipe(Layer.provide(layer))
        )
        const error = yield* Effect.flip(results.keep(context, "a", "text"))
        assert.match(error.message, /has no space left on its disk$/)
        assert.deepStrictEqual(readdirSync(join(folder, "sessions/s/results")), [])
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("nothing is created before there is something to keep", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        yield* store(join(folder, "state"))
        assert.isFalse(existsSync(join(folder, "state")))
      })
    ))
})
