import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import { providing } from "../../src/services/providing.ts"

class Mine extends Context.Service<Mine, string>()("toolgate/test/services/providing.test/Mine") {}
class Theirs extends Context.Service<Theirs, string>()("toolgate/test/services/providing.test/Theirs") {}

describe("providing", () => {
  it("services go before those of whoever runs something, and hide no others", () => {
    const merged = providing(Context.make(Mine, "given"))(
      Context.make(Theirs, "kept").pipe(Context.add(Mine, "hidden"))
    )
    assert.strictEqual(Context.get(merged, Mine), "given")
    assert.strictEqual(Context.getUnsafe(merged, Theirs), "kept")
  })

  it("one place gets the same context again, and another one its own", () => {
    const beside = providing(Context.make(Mine, "given"))
    const [here, there] = ["here", "there"].map((place) => Context.make(Theirs, place))
    const first = beside(here ?? Context.empty())
    assert.strictEqual(beside(here ?? Context.empty()), first)
    assert.strictEqual(Context.getUnsafe(beside(there ?? Context.empty()), Theirs), "there")
    assert.strictEqual(Context.getUnsafe(beside(here ?? Context.empty()), Theirs), "here")
  })
})
