import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { execFileSync, spawn } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ShortLooks from "../../../src/layers/files/shortLooks.ts"
import { withFolder } from "./withFolder.ts"

describe("shortLooks", () => {
  it.effect("says of every kind of name what the file system below says", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "file"), "text")
        writeFileSync(join(folder, "empty"), "")
        writeFileSync(join(folder, "large"), Buffer.alloc(300_000, "a"))
        mkdirSync(join(folder, "dir"))
        symlinkSync("file", join(folder, "link"))
        symlinkSync("nowhere", join(folder, "dangling"))
        symlinkSync("loop", join(folder, "loop"))
        const slow = yield* FileSystem.FileSystem
        const quick = yield* Effect.provide(FileSystem.FileSystem, ShortLooks.layer)
        for (
          const name of [
            "file",
            "empty",
            "large",
            "dir",
            "link",
            "dangling",
            "none",
            "none/below",
            "none/far/below",
            "file/below",
            "file/far/below",
            "dangling/below",
            "link/below",
            "",
            "loop",
            "x".repeat(300)
          ]
        ) {
          const path = join(folder, name)
          const there = /^(?:file|link)[/]/.test(name) ? Effect.succeed(false) : slow.exists(path)
          assert.deepStrictEqual(yield* Effect.result(quick.exists(path)), yield* Effect.result(there), name)
          assert.deepStrictEqual(yield* Effect.result(quick.stat(path)), yield* Effect.result(slow.stat(path)), name)
          const links = [yield* Effect.result(quick.readLink(path)), yield* Effect.result(slow.readLink(path))]
          assert.deepStrictEqual(links[0], links[1], name)
          const bytes = [yield* Effect.result(quick.readFile(path)), yield* Effect.result(slow.readFile(path))]
          assert.deepStrictEqual(bytes[0], bytes[1], name)
        }
      }).pipe(Effect.provide(NodeServices.layer))
    ))

  it.live.skipIf(!existsSync("/usr/bin/mkfifo"))(
    "what a pipe's writer has to say is not lost",
    () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const pipe = join(folder, "pipe")
          execFileSync("mkfifo", [pipe])
          const quick = yield* Effect.provide(FileSystem.FileSystem, ShortLooks.layer)
          // Most writers wait for a reader by the time there is one.
          for (let round = 0; round < 5; round++) {
            const writer = spawn("sh", ["-c", "echo ready >&2; exec echo text > \"$0\"", pipe])
            const ended = new Promise((resolve) => writer.on("exit", resolve))
            yield* Effect.promise(() => new Promise((resolve) => writer.stderr.once("data", resolve)))
            assert.strictEqual((yield* quick.stat(pipe)).type, "FIFO")
            assert.strictEqual(String(Buffer.from(yield* quick.readFile(pipe))), "text\n")
            assert.strictEqual(yield* Effect.promise(() => ended), 0)
          }
        }).pipe(Effect.provide(NodeServices.layer))
      )
  )

  it.effect("a file below is not asked how it looks or what it holds, and none that is missing why", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        writeFileSync(join(folder, "file"), "text")
        const asked = () => Effect.die("it was asked")
        const below = FileSystem.layerNoop({ stat: asked, readFile: asked, readLink: asked })
        const quick = yield* FileSystem.FileSystem.pipe(Effect.provide(Layer.provide(ShortLooks.layer, below)))
        assert.strictEqual((yield* quick.stat(join(folder, "file"))).type, "File")
        assert.strictEqual((yield* quick.stat(folder)).type, "Directory")
        assert.strictEqual(String(yield* quick.readFile(join(folder, "file"))), "text")
        const none = join(folder, "none")
        const looks = [
          quick.stat(none).pipe(Effect.asVoid),
          quick.readFile(none).pipe(Effect.asVoid),
          quick.readLink(none).pipe(Effect.asVoid)
        ]
        for (const look of looks) assert.strictEqual((yield* Effect.flip(look)).reason._tag, "NotFound")
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
