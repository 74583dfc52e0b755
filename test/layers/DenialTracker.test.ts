import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StoreFailed } from "../../src/errors/SessionError.ts"
import * as DenialTrackerLayers from "../../src/layers/DenialTracker.ts"
import * as SessionStoreLayers from "../../src/layers/SessionStore.ts"
import { DenialTracker } from "../../src/services/DenialTracker.ts"
import { SessionStore } from "../../src/services/SessionStore.ts"

const at = (session: string) => ({ session, cwd: "/", directories: [] })
const here = at("s")

const tracker = (thresholds?: DenialTrackerLayers.Thresholds) =>
  DenialTrackerLayers.layerSession(thresholds).pipe(Layer.provideMerge(SessionStoreLayers.layerMemory))

describe("DenialTracker", () => {
  it.effect("the third denial in a row of a key brings guidance that names it", () =>
    Effect.gen(function*() {
      const denials = yield* DenialTracker
      assert.isUndefined(yield* denials.denied(here, "Bash git push"))
      assert.isUndefined(yield* denials.denied(here, "Bash git push"))
      assert.match((yield* denials.denied(here, "Bash git push")) ?? "", /`Bash git push` has been refused 3 times/)
      assert.match((yield* denials.denied(here, "Bash git push")) ?? "", /4 times/)
      assert.isUndefined(yield* denials.denied(at("other"), "Bash git push"))
    }).pipe(Effect.provide(tracker())))

  it.effect("the tenth in the session brings guidance whatever the keys", () =>
    Effect.gen(function*() {
      const denials = yield* DenialTracker
      const guidance = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, index) => `Bash tool${index}`),
        (key) => denials.denied(here, key)
      )
      assert.deepStrictEqual(guidance.slice(0, 9).filter((text) => text !== undefined), [])
      assert.match(guidance[9] ?? "", /^10 calls in a row have been refused, the last for `Bash tool9`/)
    }).pipe(Effect.provide(tracker())))

  it.effect("a permitted call begins its key's count anew, and the session's, and no other key's", () =>
    Effect.gen(function*() {
      const denials = yield* DenialTracker
      const sessions = yield* SessionStore
      for (const key of ["a", "a", "b", "b"]) yield* denials.denied(here, key)
      yield* denials.permitted(here, "a")
      const state = yield* sessions.get("s")
      assert.deepStrictEqual(state.streaks, { b: 2 })
      assert.strictEqual(state.streak, 0)
      assert.isUndefined(yield* denials.denied(here, "a"))
      assert.isDefined(yield* denials.denied(here, "b"))
    }).pipe(Effect.provide(tracker())))

  it.effect("thresholds can be set", () =>
    Effect.gen(function*() {
      const denials = yield* DenialTracker
      assert.isDefined(yield* denials.denied(here, "a"))
    }).pipe(Effect.provide(tracker({ key: 1 }))))

  it.effect("keys that objects know by themselves are counted like any other", () =>
    Effect.gen(function*() {
      const denials = yield* DenialTracker
      for (const key of ["toString", "__proto__", "constructor"]) {
        assert.isUndefined(yield* denials.denied(here, key))
        assert.isUndefined(yield* denials.denied(here, key))
        assert.isDefined(yield* denials.denied(here, key))
        yield* denials.permitted(here, key)
      }
    }).pipe(Effect.provide(tracker())))

  it.effect("a permitted call with nothing to reset writes nothing", () =>
    Effect.gen(function*() {
      yield* (yield* DenialTracker).permitted(here, "a")
    }).pipe(Effect.provide(
      DenialTrackerLayers.layerSession().pipe(
        Layer.provide(Layer.mock(SessionStore, {
          get: () => Effect.succeed({ rules: { allow: [], ask: [], deny: [] }, streaks: {}, streak: 0 })
        }))
      )
    )))

  it.effect("a store that fails breaks no call", () =>
    Effect.gen(function*() {
      const denials = yield* DenialTracker
      assert.isUndefined(yield* denials.denied(here, "a"))
      yield* denials.permitted(here, "a")
    }).pipe(Effect.provide(
      DenialTrackerLayers.layerSession().pipe(
        Layer.provide(Layer.mock(SessionStore, {
          get: () => Effect.fail(new StoreFailed({ path: "/x", reason: "is gone" })),
          update: () => Effect.fail(new StoreFailed({ path: "/x", reason: "is gone" }))
        }))
      )
    )))
})
