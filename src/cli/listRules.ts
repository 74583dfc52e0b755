/**
 * Lists the rules in force for `toolgate rules`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Policy } from "../domain/Policy.ts"
import type { Origin } from "../domain/Rule.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { Ended } from "./Ended.ts"
import { gate } from "./gate.ts"
import { hanging } from "./hanging.ts"
import { oneLine } from "./line.ts"
import { type RulesOutput, version } from "./Output.ts"
import { placeOf } from "./placeOf.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Writes the rules in force and everything that was wrong while reading them.
 *
 * @category commands
 * @since 0.1.0
 */
export const listRules = Effect.fn("cli.rules")(function*(shared: Shared) {
  const context = yield* Surroundings.context(shared)
  const layer = yield* gate(shared)
  const policy = yield* Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(Effect.provide(layer))
  const mode = context.mode ?? policy.mode
  if (Surroundings.form(shared) === "text") {
    yield* write.out(policyText(policy, mode))
  } else {
    const output: RulesOutput = {
      version,
      workspace: { directory: policy.projectRoot, trusted: policy.trusted },
      mode,
      directories: [context.cwd, ...context.directories, ...policy.directories],
      rules: policy.rules.map(({ behavior, origin, text }) => ({ behavior, text, origin })),
      problems: policy.diagnostics,
      unreadable: policy.unreadable,
      settings_files: policy.settingsFiles
    }
    yield* write.json(output)
  }
  const lost = policy.unreadable.length > 0 || policy.diagnostics.some(({ severity }) => severity === "error")
  if (lost) return yield* new Ended({ code: 1 })
})

const policyText = (policy: Policy, mode: string): string => {
  const rules = [...policy.rules].sort((one, other) => order[one.behavior] - order[other.behavior])
  const column = Math.min(Math.max(...rules.map(({ text }) => text.length), 0), 36)
  const columns = write.columns()
  const trust = policy.trusted
    ? "trusted"
    : "not trusted: what the repository's own settings allow does not count, see `toolgate trust --help`"
  return [
    hanging("workspace: ", `${oneLine(policy.projectRoot)}, ${trust}`, columns),
    `mode: ${mode}`,
    "",
    ...(rules.length === 0 ? ["no rules are in force"] : []),
    ...rules.map(({ behavior, origin, text }) =>
      `${behavior.padEnd(5)}  ${oneLine(text).padEnd(column)}  ${oneLine(placeOf(origin))}`
    ),
    ...policy.unreadable.flatMap((file) => ["", problemText("error", file.origin, file.reason, columns)]),
    ...policy.diagnostics.flatMap(({ meant, message, origin, rule, severity }) => [
      "",
      problemText(severity, origin, message, columns),
      ...(rule === undefined ? [] : [`  rule:  ${oneLine(rule)}`]),
      ...(meant === undefined ? [] : [`  meant: ${oneLine(meant)}`])
    ]),
    ""
  ].join("\n")
}

const problemText = (severity: string, origin: Origin, message: string, columns: number | undefined): string =>
  hanging(`${severity}: `, `${oneLine(placeOf(origin))}: ${oneLine(message)}`, columns)

const order = { deny: 0, ask: 1, allow: 2 }
