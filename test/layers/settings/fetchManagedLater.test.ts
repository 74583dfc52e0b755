import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fetchManagedLater } from "../../../src/layers/settings/fetchManagedLater.ts"
import { serves, settingsServer } from "./settingsServer.ts"
import { withFiles } from "./withFiles.ts"

describe("fetchManagedLater", () => {
  it.live("fetches as the other does, once for calls at the same time", () =>
    withFiles({}, ({ at, has }) =>
      Effect.scoped(Effect.gen(function*() {
        const server = yield* settingsServer
        server.answer = serves("{}")
        const fetch = fetchManagedLater(at("state"))
        assert.isFalse(has("state"))
        const copies = yield* Effect.all([fetch(server.address), fetch(server.address)], { concurrency: "unbounded" })
        assert.deepStrictEqual(copies.map(({ view }) => view), [copies[0].view, copies[0].view])
        assert.strictEqual(copies[0].view, copies[1].view)
        assert.strictEqual(copies[0].view._tag, "Read")
        assert.strictEqual(server.asked.length, 1)
      }))))
})
