/** Calls at each point of their way, for tests that begin in the middle. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ScreenedCall, SettledCall } from "../../src/domain/Call.ts"
import type { Decision } from "../../src/domain/Decision.ts"
import { silent } from "../../src/domain/Hook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import type { ExecuteError } from "../../src/errors/ExecuteError.ts"
import { validate } from "../../src/stages/validate.ts"
import { context, use } from "./services.ts"

/** Stands in for the tool that runs shell lines, and runs nothing. */
export const bash = Tool.make({
  name: "Bash",
  description: "runs a line",
  input: Schema.Struct({ command: Schema.String }),
  subject: ({ command }) => ({ _tag: "Shell", command }),
  handler: () => Effect.succeed("ran")
})

export const screened = (
  tool: Tool.Tool,
  input: unknown = {},
  changes: Partial<ScreenedCall> = {}
): Effect.Effect<ScreenedCall> =>
  validate({ use: use(tool.name, input), context, tool, notes: [] }).pipe(
    Effect.orDie,
    Effect.map((valid) => ({ ...valid, hook: silent, original: undefined, pending: Effect.undefined, ...changes }))
  )

export const permit: Decision = {
  verdict: "allow",
  mustAsk: false,
  row: 6,
  by: "rule",
  why: "a rule allows it",
  judged: [],
  suggestions: []
}

export const settled = (
  tool: Tool.Tool,
  end: SettledCall<ExecuteError>["settled"],
  changes: Partial<ScreenedCall> = {}
): Effect.Effect<SettledCall<ExecuteError>> =>
  Effect.map(screened(tool, {}, changes), (call) => ({ ...call, decision: permit, settled: end, durationMillis: 5 }))
