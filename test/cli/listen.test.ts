import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { listen } from "../../src/cli/listen.ts"
import { makePlace, type Place } from "./runToolgate.ts"

describe("listen", () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.remove())
  const at = (file: string) => Effect.provide(listen(file), NodeFileSystem.layer)
  const refused = (file: string) => Effect.map(Effect.flip(at(file)), ({ problem }) => problem)

  it.effect("makes the folder and the socket for the user alone, and takes the socket away at the end", () =>
    Effect.gen(function*() {
      const file = path.join(place.home, "run", "t.sock")
      yield* Effect.scoped(Effect.gen(function*() {
        yield* at(file)
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(path.dirname(file)).mode & 0o777, 0o700)
        assert.strictEqual(
          yield* refused(file),
          `another server listens on \`${file}\`, stop it or choose another path`
        )
      }))
      assert.deepStrictEqual(readdirSync(path.dirname(file)), [])
    }))

  it.effect("refuses a place that others can write to, also behind a link, and leaves nothing there", () =>
    Effect.gen(function*() {
      const open = path.join(place.home, "open")
      mkdirSync(open)
      chmodSync(open, 0o777)
      symlinkSync(open, path.join(place.home, "link"))
      const problem =
        `the socket can't be in \`${open}\`, which others may write to: choose one in a folder of your own`
      for (
        const file of [path.join(open, "t.sock"), path.join(open, "a", "t.sock"), path.join(place.home, "link", "s")]
      ) {
        assert.strictEqual(yield* refused(file), problem)
      }
      assert.deepStrictEqual(readdirSync(open), [])
    }))

  it.effect("refuses a file that is no socket, a path through a file, and one that is too long", () =>
    Effect.gen(function*() {
      const file = path.join(place.home, "file")
      writeFileSync(file, "mine")
      assert.strictEqual(yield* refused(file), `\`${file}\` is there and is no socket, choose another path`)
      assert.include(yield* refused(path.join(file, "t.sock")), "which is no folder")
      assert.include(yield* refused(path.join(place.home, "x".repeat(100))), "is longer than 103 bytes")
    }))
})
