import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as PlatformError from "effect/PlatformError"
import * as TestClock from "effect/testing/TestClock"
import { chmodSync, mkdirSync, rmSync, utimesSync } from "node:fs"
import { watchFiles } from "../../../src/layers/settings/watch.ts"
import { withFiles } from "./withFiles.ts"

const refusing = (code: string, tag: PlatformError.SystemErrorTag) =>
  PlatformError.systemError({
    _tag: tag,
    module: "FileSystem",
    method: "stat",
    cause: Object.assign(new Error(code), { code })
  })

const length = (bytes: Uint8Array) => ({ _tag: "Read", value: bytes.length }) as const

describe("watchFiles", () => {
  it.effect("what can't be looked at is refused with a reason, not missing", () =>
    Effect.gen(function*() {
      const denied = FileSystem.makeNoop({ stat: () => Effect.fail(refusing("EACCES", "PermissionDenied")) })
      assert.deepStrictEqual(yield* watchFiles(denied, 10, length)("/a"), {
        _tag: "Refused",
        reason: "may not be opened by this user"
      })
      const loop = FileSystem.makeNoop({ stat: () => Effect.fail(refusing("ELOOP", "BadResource")) })
      assert.strictEqual((yield* watchFiles(loop, 10, length)("/a"))._tag, "Refused")
      const under = FileSystem.makeNoop({ stat: () => Effect.fail(refusing("ENOTDIR", "BadResource")) })
      const look = watchFiles(under, 10, length)
      assert.strictEqual((yield* look("/a"))._tag, "Missing")
      assert.strictEqual((yield* look("/a"))._tag, "Missing")
    }))

  it.live("an empty folder that nobody may write is nothing, any other is refused", () =>
    withFiles({}, ({ at, write }) =>
      Effect.gen(function*() {
        const refused = { _tag: "Refused", reason: "is a folder" } as const
        mkdirSync(at("a"), 0o555)
        const look = watchFiles(yield* FileSystem.FileSystem, 10, length)
        for (let again = 0; again < 2; again++) assert.strictEqual((yield* look(at("a")))._tag, "Missing")
        chmodSync(at("a"), 0o755)
        assert.deepStrictEqual(yield* look(at("a")), refused)
        write("a/b", "1")
        chmodSync(at("a"), 0o555)
        assert.deepStrictEqual(yield* look(at("a")), refused)
        chmodSync(at("a"), 0o755)
        rmSync(at("a"), { recursive: true })
        write("a", "123")
        assert.deepStrictEqual(yield* look(at("a")), { _tag: "Read", value: 3 })
      }).pipe(Effect.provide(NodeFileSystem.layer))))

  it.live("a file is read once while it stays the same", () =>
    withFiles({ a: "12345" }, ({ age, at, write }) =>
      Effect.gen(function*() {
        let reads = 0
        const look = watchFiles(yield* FileSystem.FileSystem, 10, (bytes) => {
          reads++
          return length(bytes)
        })
        age("a")
        const first = yield* look(at("a"))
        assert.strictEqual(yield* look(at("a")), first)
        assert.strictEqual(reads, 1)
        write("a", "1234567")
        assert.deepStrictEqual(yield* look(at("a")), { _tag: "Read", value: 7 })
        write("a", "12345678901")
        assert.strictEqual((yield* look(at("a")))._tag, "Refused")
      }).pipe(Effect.provide(NodeFileSystem.layer))))

  it.effect("a second change of the same size within the same tick is seen", () =>
    withFiles({ a: "one" }, ({ at, write }) =>
      Effect.gen(function*() {
        const look = watchFiles(yield* FileSystem.FileSystem, 10, (bytes) => ({
          _tag: "Read",
          value: new TextDecoder().decode(bytes)
        }))
        const moment = new Date()
        yield* TestClock.setTime(moment.getTime())
        utimesSync(at("a"), moment, moment)
        assert.deepStrictEqual(yield* look(at("a")), { _tag: "Read", value: "one" })
        write("a", "two")
        utimesSync(at("a"), moment, moment)
        assert.deepStrictEqual(yield* look(at("a")), { _tag: "Read", value: "two" })
      }).pipe(Effect.provide(NodeFileSystem.layer))))
})
