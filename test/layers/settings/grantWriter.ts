/** Grants rules to a settings file, one after the other: a writer for tests of many at once. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import { grantRules } from "../../../src/layers/settings/grantRules.ts"

const [file = "", name = "", count = "0"] = process.argv.slice(2)

const numbers = Array.from({ length: Number(count) }, (_, index) => index)

await Effect.runPromise(
  Effect.forEach(numbers, (number) => grantRules(file, [`Skill(${name}${number})`], 0o600), { discard: true }).pipe(
    Effect.provide(NodeServices.layer)
  )
)
