import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import * as LockOwner from "../../../src/layers/files/LockOwner.ts"
import { withLock } from "../../../src/layers/files/withLock.ts"
import { withFolder } from "./withFolder.ts"

const owner = (fields: { readonly [name: string]: unknown }) =>
  JSON.stringify({ pid: 999_999_999, host: hostname(), started: "", token: "x", ...fields })

const age = (file: string, seconds: number) => {
  const then = Date.now() / 1000 - seconds
  utimesSync(file, then, then)
}

describe("withLock", () => {
  it.effect("one at a time, and the file is gone afterwards", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "lock")
        let inside = 0
        const turn = withLock(file)(Effect.gen(function*() {
          assert.strictEqual(++inside, 1)
          assert.isTrue(existsSync(file))
          yield* Effect.yieldNow
          inside--
        }))
        yield* Effect.forEach(Array.from({ length: 20 }), () => turn, { concurrency: "unbounded" })
        assert.isFalse(existsSync(file))
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("failing or being interrupted frees it", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "lock")
        assert.strictEqual(yield* Effect.flip(withLock(file)(Effect.fail("no"))), "no")
        const held = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          withLock(file)(Effect.andThen(Deferred.succeed(held, undefined), Effect.never))
        )
        yield* Deferred.await(held)
        const waiting = yield* Effect.forkChild(withLock(file)(Effect.succeed("next")))
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* Fiber.join(waiting), "next")
        assert.isFalse(existsSync(file))
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("the lock of a dead process is taken over at once", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "lock")
        writeFileSync(file, owner({}))
        assert.strictEqual(yield* withLock(file)(Effect.succeed(1)), 1)
        // The process id is in use again, by somebody who started later.
        writeFileSync(file, owner({ pid: process.pid, started: "1" }))
        assert.strictEqual(yield* withLock(file)(Effect.succeed(2)), 2)
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("a lock that another machine holds, or that can't be read, counts by its age", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "lock")
        for (const text of [owner({ host: "elsewhere" }), ""]) {
          writeFileSync(file, text)
          const error = yield* Effect.flip(withLock(file, { waitMillis: 50 })(Effect.void))
          assert.match(error.message, /lock` is held by another process/)
          age(file, 40)
          yield* withLock(file)(Effect.void)
        }
      })
    ).pipe(Effect.provide(NodeServices.layer)))

  it.effect("the lock of a process that lives is respected, however old", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "lock")
        writeFileSync(file, LockOwner.mine("another thread of this very process"))
        age(file, 3_600)
        const error = yield* Effect.flip(withLock(file, { waitMillis: 50 })(Effect.void))
        assert.strictEqual(error._tag, "StoreFailed")
        assert.isTrue(existsSync(file))
      })
    ).pipe(Effect.provide(NodeServices.layer)))
})
