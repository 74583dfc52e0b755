import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { breaking } from "./breaking.ts"
import { gated } from "./gated.ts"

const brokeOff = "failed: the call to the server `remote` failed: the connection broke off before it answered"

describe("a server that is reached by its address", () => {
  for (const tool of ["cut", "end", "cutBody", "reset"]) {
    it.live(`and whose connection breaks off (${tool}) fails the call at once, and the next is answered`, () =>
      Effect.scoped(Effect.gen(function*() {
        const { url } = yield* breaking("http")
        yield* gated({ remote: { url } }, ({ call }) =>
          Effect.gen(function*() {
            assert.include(yield* call(`mcp__remote__${tool}`), brokeOff)
            assert.strictEqual(yield* call("mcp__remote__echo"), "session 1")
          }))
      })))
  }

  it.live("and whose stream can be taken up again still answers", () =>
    Effect.scoped(Effect.gen(function*() {
      const { url } = yield* breaking("http")
      yield* gated({ remote: { url } }, ({ call }) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* call("mcp__remote__cutResumable"), "taken up again")
        }))
    })))

  it.live("and that began anew after it broke off is connected to again before the next call", () =>
    Effect.scoped(Effect.gen(function*() {
      const { asked, forget, url } = yield* breaking("http")
      yield* gated({ remote: { url } }, ({ call }) =>
        Effect.gen(function*() {
          assert.include(yield* call("mcp__remote__cut"), brokeOff)
          forget()
          assert.strictEqual(yield* call("mcp__remote__echo"), "session 2")
          assert.strictEqual(asked.filter((name) => name === "echo").length, 1)
        }))
    })))

  it.live("and that began anew meanwhile is connected to again for the same call", () =>
    Effect.scoped(Effect.gen(function*() {
      const { asked, forget, url } = yield* breaking("http")
      yield* gated({ remote: { url } }, ({ call }) =>
        Effect.gen(function*() {
          assert.strictEqual(yield* call("mcp__remote__echo"), "session 1")
          forget()
          assert.strictEqual(yield* call("mcp__remote__echo"), "session 2")
          assert.strictEqual(asked.filter((name) => name === "initialize").length, 2)
        }))
    })))

  it.live("and whose one stream of the older transport breaks off fails the call at once, and is connected to again", () =>
    Effect.scoped(Effect.gen(function*() {
      const { asked, url } = yield* breaking("sse")
      yield* gated({ remote: { url, type: "sse" } }, ({ call }) =>
        Effect.gen(function*() {
          assert.include(yield* call("mcp__remote__cut"), brokeOff)
          assert.strictEqual(yield* call("mcp__remote__echo"), "session 1")
          assert.strictEqual(asked.filter((name) => name === "initialize").length, 2)
        }))
    })))
})
