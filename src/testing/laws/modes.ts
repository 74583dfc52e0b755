/**
 * Laws about modes, grants and hooks: who may answer, and who may not.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { calls } from "../arbitraries/calls.ts"
import { pick } from "../arbitraries/oneOf.ts"
import { sources } from "../arbitraries/ruleTexts.ts"
import { around, modes, situations } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { type Situation, withRules } from "../Situation.ts"
import { withoutAllowance } from "./calm.ts"

/**
 * @category laws
 * @since 0.1.0
 */
export const denyDecidesInEveryMode: Law.Law = Law.ofVerdicts({
  name: "a deny rule decides in every mode",
  statement:
    "A rule that denies every use of a tool denies each of its calls, whichever source it comes from, whatever " +
    "allows the call beside it, and in every mode, as long as no hook allows.",
  situations: Arbitrary.map(
    Arbitrary.all({ drawn: around(calls), source: sources() }),
    ({ drawn: { call, situation }, source }) =>
      [withRules(withoutAllowance(situation), { source, behavior: "deny", text: call.tool })] as const
  ),
  holds: ([verdict]) => verdict === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const denyOutlastsMode: Law.Law = Law.ofVerdicts({
  name: "what is denied in the default mode is denied in every mode",
  statement: "In the default mode only a rule or a hook denies. Changing the mode never turns such a denial into " +
    "anything else.",
  situations: Arbitrary.map(
    Arbitrary.all({ situation: situations, mode: modes }),
    ({ mode, situation }) =>
      [
        { ...situation, classifier: "none", mode: "default" },
        { ...situation, classifier: "none", mode }
      ] satisfies readonly [Situation, Situation]
  ),
  applies: ([standard]) => standard === "deny",
  holds: ([, other]) => other === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const bypassNeverAllowsDeny: Law.Law = Law.ofVerdicts({
  name: "bypassPermissions never allows what is denied",
  statement: "The mode that permits everything permits nothing that is denied in the default mode.",
  situations: Arbitrary.map(situations, (situation) =>
    [
      { ...situation, classifier: "none", mode: "default" },
      { ...situation, mode: "bypassPermissions" }
    ] satisfies readonly [Situation, Situation]),
  applies: ([standard]) => standard === "deny",
  holds: ([, bypass]) => bypass === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const criticalPathsNeedPerson: Law.Law = Law.ofVerdicts({
  name: "no mode and no rule removes a critical path",
  statement: "Removing the root, what lies directly in it, or the home directory is never allowed without a person, " +
    "whatever rules allow and in every mode, as long as no hook allows.",
  situations: Arbitrary.map(
    Arbitrary.all({
      situation: situations,
      mode: modes,
      source: sources(),
      command: pick(
        "rm -rf /",
        "rm -rf /usr",
        "rm -rf ~",
        "rm -rf ~/*",
        "rmdir /etc",
        "sudo rm -rf /",
        "true; rm -r /var"
      )
    }),
    ({ command, mode, situation, source }) =>
      [
        withRules(
          { ...withoutAllowance(situation), classifier: "none", mode, tool: "Bash", input: { command } },
          { source, behavior: "allow", text: "Bash" }
        )
      ] as const
  ),
  holds: ([verdict]) => verdict !== "allow"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const dontAskNeverAsks: Law.Law = Law.ofVerdicts({
  name: "dontAsk never asks",
  statement: "In the mode `dontAsk` a call is allowed or denied, and nobody is asked about it.",
  situations: Arbitrary.map(
    situations,
    (situation) => [{ ...situation, mode: "dontAsk" }] satisfies readonly [Situation]
  ),
  holds: ([verdict]) => verdict !== "ask"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const modesAreOrdered: Law.Law = Law.ofVerdicts({
  name: "modes are ordered by what they allow",
  statement:
    "What the default mode allows, `acceptEdits` allows, and what that one allows, `bypassPermissions` allows. " +
    "`dontAsk` allows exactly what the default mode does, and `plan` nothing that it does not.",
  situations: Arbitrary.map(situations, (situation) => {
    const inMode = (mode: Situation["mode"]): Situation => ({ ...situation, classifier: "none", mode })
    return [
      inMode("default"),
      inMode("acceptEdits"),
      inMode("bypassPermissions"),
      inMode("dontAsk"),
      inMode("plan")
    ] as const
  }),
  holds: ([standard, acceptEdits, bypass, dontAsk, plan]) =>
    (standard !== "allow" || acceptEdits === "allow") && (acceptEdits !== "allow" || bypass === "allow") &&
    (dontAsk === "allow") === (standard === "allow") && (plan !== "allow" || standard === "allow")
})

/**
 * @category laws
 * @since 0.1.0
 */
export const grantNeverBeatsPolicy: Law.Law = Law.ofVerdicts({
  name: "a session's grant never beats a deny of the policy",
  statement:
    "Whatever was granted for the session, and whatever hook of anybody but the policy itself allows, a call " +
    "that `policySettings` denies is denied.",
  situations: Arbitrary.map(around(calls), ({ call, situation }) =>
    [
      withRules(
        { ...situation, ...(situation.hook === "allow" ? { hookSource: "userSettings" } : {}) },
        { source: "policySettings", behavior: "deny", text: call.tool },
        ...call.about.map((text) => ({ source: "session", behavior: "allow", text }) as const)
      )
    ] as const),
  holds: ([verdict]) => verdict === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const hookNeverBeatsPolicy: Law.Law = Law.ofVerdicts({
  name: "a hook's allow never beats an ask of the policy",
  statement: "What `policySettings` wants a person to be asked about is not allowed by a hook of anybody else.",
  situations: Arbitrary.map(around(calls), ({ call, situation }) =>
    [
      withRules(
        { ...situation, hook: "allow", hookSource: "userSettings" },
        { source: "policySettings", behavior: "ask", text: call.tool }
      )
    ] satisfies readonly [Situation]),
  holds: ([verdict]) => verdict !== "allow"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const hookDenyDenies: Law.Law = Law.ofVerdicts({
  name: "a hook's deny always denies",
  statement: "When a hook denies, the call is denied, whatever rules, modes and classifiers say.",
  situations: Arbitrary.map(situations, (situation) => [{ ...situation, hook: "deny" }] satisfies readonly [Situation]),
  holds: ([verdict]) => verdict === "deny"
})
