/**
 * Explains for `toolgate explain`.
 *
 * @since 0.1.0
 */
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import { Pipeline } from "../pipeline.ts"
import { Ended, Misused } from "./Ended.ts"
import { explainText } from "./explainText.ts"
import { gate } from "./gate.ts"
import { type ExplainOutput, version } from "./Output.ts"
import { type Given, readToolUse } from "./readToolUse.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Shows what would be decided about a call, and everything that it was decided
 * by or not.
 *
 * @category commands
 * @since 0.1.0
 */
export const runExplain = Effect.fn("cli.explain")(function*(given: Given, shared: Shared) {
  const use = yield* readToolUse(given)
  const layer = yield* gate(shared)
  const decision = yield* Effect.flatMap(Pipeline, (pipeline) => pipeline.check(use, { explain: true })).pipe(
    Effect.mapError((error) => new Misused({ problem: `${error.message}; see \`toolgate tools\`` })),
    Effect.provide(layer)
  )
  if (Surroundings.form(shared) === "text") {
    const { canColor } = yield* TerminalCapabilities
    yield* write.out(explainText(use.name, decision, { colors: canColor, columns: write.columns() ?? 80 }))
  } else {
    const output: ExplainOutput = { version, decision }
    yield* write.json(output)
  }
  if (decision.verdict !== "allow") return yield* new Ended({ code: decision.verdict === "deny" ? 3 : 4 })
})
