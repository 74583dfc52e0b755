/**
 * Decides for `toolgate check`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Verdict } from "../domain/Decision.ts"
import { Pipeline } from "../pipeline.ts"
import { decisionText } from "./decisionText.ts"
import { Ended, Misused } from "./Ended.ts"
import { gate } from "./gate.ts"
import { mindPolicy } from "./mindPolicy.ts"
import { type CheckOutput, version } from "./Output.ts"
import { type Given, readToolUse } from "./readToolUse.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Shows what would be decided about a call, and why.
 *
 * @category commands
 * @since 0.1.0
 */
export const runCheck = Effect.fn("cli.check")(function*(given: Given, shared: Shared) {
  const use = yield* readToolUse(given)
  const layer = yield* gate(shared)
  const context = yield* Surroundings.context(shared)
  const decision = yield* Effect.flatMap(Pipeline, (pipeline) => pipeline.check(use)).pipe(
    Effect.mapError((error) => new Misused({ problem: `${error.message}; see \`toolgate tools\`` })),
    Effect.tap(() => mindPolicy(context)),
    Effect.provide(layer)
  )
  if (Surroundings.form(shared) === "text") {
    yield* write.out(decisionText(use.name, decision, write.columns()))
  } else {
    const output: CheckOutput = { version, decision }
    yield* write.json(output)
  }
  if (decision.verdict !== "allow") return yield* new Ended({ code: codes[decision.verdict] })
})

const codes: { readonly [verdict in Exclude<Verdict, "allow">]: number } = { deny: 3, ask: 4 }
