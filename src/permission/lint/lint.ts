/**
 * Looks over all rules and hooks at once, for what no single one of them shows.
 *
 * @since 0.1.0
 */
import type { HookEntry } from "../../domain/Hook.ts"
import type { Place } from "../../domain/Place.ts"
import type { Policy } from "../../domain/Policy.ts"
import type { Diagnostic, Origin, Rule } from "../../domain/Rule.ts"
import { broadCommand } from "./broad.ts"
import { type Described, described } from "./described.ts"
import type { Finding, FoundRule } from "./Finding.ts"
import { type Redundant, redundant } from "./redundant.ts"
import { type UnknownServer, unknownServer } from "./unknownServer.ts"

/**
 * Returns everything worth saying about a policy, in the order of its sources.
 *
 * **Details**
 *
 * What is said of rules without effect is sure: taking one of them away, or all,
 * changes no decision. `servers` are the names of the MCP servers, where they are
 * known.
 *
 * @category searching
 * @since 0.1.0
 */
export const lint = (policy: Policy, place: Place, servers?: ReadonlyArray<string>): ReadonlyArray<Finding> => {
  const idle = redundant(policy.rules, place)
  const without = new Set(idle.map(({ rule }) => rule))
  const saidBetter = new Set(idle.map(({ rule }) => keyOf(rule.origin, rule.text)))
  return [
    ...policy.unreadable.map(({ origin, reason }): Finding => ({
      kind: "unreadable",
      severity: "error",
      message: `${reason}; what stands there may be rules that deny, so that nothing is permitted without a person`,
      origin
    })),
    ...policy.diagnostics
      .filter(({ message, origin, rule }) => !message.startsWith(sameRule) || !saidBetter.has(keyOf(origin, rule)))
      .map(ofDiagnostic),
    ...described(policy.rules).map(ofDescribed),
    ...idle.map(ofRedundant),
    ...servers === undefined ? [] : policy.rules.flatMap((rule) => unknownServer(rule, servers) ?? []).map(ofUnknown),
    ...policy.hooks.filter(isOpenGate).map(ofGate),
    ...policy.rules.filter((rule) => !without.has(rule)).flatMap(ofBroad)
  ]
}

// What reading says of a rule that one file holds twice.
const sameRule = "the same rule "

const keyOf = (origin: Origin, rule: string | undefined): string =>
  JSON.stringify([origin.source, origin.file, origin.line, origin.column, rule])

const ofDiagnostic = ({ behavior, meant, message, offset, origin, rule, severity }: Diagnostic): Finding => ({
  kind: message.startsWith(sameRule) ? "duplicate" : "problem",
  severity,
  message: rule === undefined || offset === undefined || offset === 0
    ? message
    : `${message} (character ${offset + 1})`,
  origin,
  ...(rule === undefined ? {} : { rule }),
  ...(behavior === undefined ? {} : { behavior }),
  ...(meant === undefined ? {} : { meant })
})

const named = ({ behavior, origin, text }: Rule): FoundRule => ({ behavior, text, origin })

const about = (rule: Rule): Pick<Finding, "origin" | "rule" | "behavior"> => ({
  origin: rule.origin,
  rule: rule.text,
  behavior: rule.behavior
})

const ofRedundant = ({ because, example, kind, rule }: Redundant): Finding => {
  const together = because.origin.source === rule.origin.source && because.origin.file === rule.origin.file
  return {
    kind,
    severity: kind === "unreachable" || together ? "warning" : "note",
    message: messages[kind](because),
    ...about(rule),
    because: named(because),
    example
  }
}

const messages: { readonly [Kind in Redundant["kind"]]: (because: Rule) => string } = {
  duplicate: () => "the same rule stands in another place",
  unreachable: ({ behavior }) => `this rule never counts: ${article(behavior)} rule covers all that it covers`,
  contained: ({ behavior }) => `${article(behavior)} rule that goes further covers all that this one covers`
}

const article = (behavior: Rule["behavior"]): string => `${behavior === "deny" ? "a" : "an"} ${behavior}`

const ofDescribed = ({ description, rule, text }: Described): Finding => ({
  kind: "described",
  severity: "error",
  message: `this allows what a description for the classifier means to deny, \`${text}\`: rules go before descriptions`,
  ...about(rule),
  because: named(description)
})

const ofUnknown = ({ near, rule, server }: UnknownServer): Finding => {
  const message = `no MCP server \`${server}\` is configured here, so that this rule is about nothing`
  return {
    kind: "server",
    severity: near === undefined ? "note" : "warning",
    message: near === undefined ? message : `${message}; \`${near}\` was probably meant`,
    ...about(rule),
    ...(near === undefined ? {} : { meant: rule.text.replace(/^mcp__(?:(?!__).)+/s, () => `mcp__${near}`) })
  }
}

const isOpenGate = ({ event, hook }: HookEntry): boolean =>
  event === "PreToolUse" && hook.type === "command" && hook.onFailure === undefined

const ofGate = ({ column, file, hook, line, matcher, source }: HookEntry): Finding => {
  const which = hook.type === "command" ? ` \`${shortened(hook.command)}\`` : ""
  const tools = matcher === "" || matcher === "*" ? "every tool" : `\`${matcher}\``
  return {
    kind: "gate",
    severity: "warning",
    message:
      `the hook${which} before ${tools} stops a call by exit code 2 alone, and a script that fails ends with 1: ` +
      "set `onFailure` to `block` if it guards something, to `continue` if not",
    origin: {
      source,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column })
    }
  }
}

const shortened = (command: string): string => command.length > 60 ? `${command.slice(0, 60)}…` : command

const ofBroad = (rule: Rule): ReadonlyArray<Finding> => {
  const command = broadCommand(rule)
  return command === undefined ? [] : [{
    kind: "broad",
    severity: "note",
    message: "this lets any program run, whatever other allow rules say",
    ...about(rule),
    example: { tool: "Bash", input: { command } }
  }]
}
