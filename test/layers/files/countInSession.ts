// Run as a process of its own: counts under its own key in a session, as often as it is told.
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionStoreLayers from "../../../src/layers/SessionStore.ts"
import { SessionStore } from "../../../src/services/SessionStore.ts"

const [directory = "", key = "", times = "0"] = process.argv.slice(2)

await Effect.runPromise(
  Effect.gen(function*() {
    const sessions = yield* SessionStore
    for (let turn = 0; turn < Number(times); turn++) {
      yield* sessions.update("shared", (state) => ({
        ...state,
        streaks: { ...state.streaks, [key]: (state.streaks[key] ?? 0) + 1 }
      }))
    }
  }).pipe(Effect.provide(SessionStoreLayers.layerFiles(directory).pipe(Layer.provide(NodeServices.layer))))
)
