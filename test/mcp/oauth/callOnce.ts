/**
 * A process that calls a server with what is kept of a sign-in: `node callOnce.ts STATE URL`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { authorizationOf, call } from "./calling.ts"

const [, , state = "", url = ""] = process.argv
const program = Effect.flatMap(authorizationOf(state, url), (authorization) => call(authorization, url))
console.log(await Effect.runPromise(Effect.provide(program, NodeServices.layer)))
