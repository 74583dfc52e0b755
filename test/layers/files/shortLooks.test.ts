import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ShortLooks from "../../../src/layers/files/shortLooks.ts"
import { withFolder } from "./withFolder.ts"

describe("shortLooks", () => {
  it.effect("says of every kind of name what the file system below says", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "file"), "")
        mkdirSync(join(folder, "dir"))
        symlinkSync("file", join(folder, "link"))
        symlinkSync("nowhere", join(folder, "dangling"))
        symlinkSync("loop", join(folder, "loop"))
        const slow = yield* FileSystem.FileSystem
        const quick = yield* Effect.provide(FileSystem.FileSystem, ShortLooks.layer)
        for (const name of ["file", "dir", "link", "dangling", "none", "none/below", "loop", "x".repeat(300)]) {
          const path = join(folder, name)
          const [here, there] = [yield* Effect.result(quick.exists(path)), yield* Effect.result(slow.exists(path))]
          assert.strictEqual(here._tag, there._tag, name)
          if (here._tag === "Success" && there._tag === "Success") assert.strictEqual(here.success, there.success, name)
          assert.deepStrictEqual(yield* Effect.result(quick.stat(path)), yield* Effect.result(slow.stat(path)), name)
        }
      }).pipe(Effect.provide(NodeServices.layer))
    ))

  it.effect("a file below is not asked how it looks", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "file"), "text")
        const below = FileSystem.layerNoop({ stat: () => Effect.die("it was asked") })
        const quick = yield* FileSystem.FileSystem.pipe(Effect.provide(Layer.provide(ShortLooks.layer, below)))
        assert.strictEqual((yield* quick.stat(join(folder, "file"))).type, "File")
      })
    ))

  it.effect("what can't be looked at is no missing file: the file system below says why", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const below = FileSystem.layerNoop({
        exists: (path) => Effect.as(Effect.sync(() => asked.push(path)), true)
      })
      const quick = yield* FileSystem.FileSystem.pipe(Effect.provide(Layer.provide(ShortLooks.layer, below)))
      assert.isTrue(yield* quick.exists(`/${"x".repeat(300)}`))
      assert.strictEqual(asked.length, 1)
    }))
})
