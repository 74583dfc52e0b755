/** Decision functions with a fault each: the law of the same name has to find it. */
import * as Effect from "effect/Effect"
import type { Decide, Engine, Situation, Verdict } from "toolgate/testing"
import { bySource, ours, placedRules, withRules } from "toolgate/testing"

type Faulty = (situation: Situation, verdict: Verdict) => Verdict

const answering = (faulty: Faulty): Decide => (situation) =>
  Effect.map(ours.decide(situation), (verdict) => faulty(situation, verdict))

const seeing = (change: (situation: Situation) => Situation): Decide => (situation) => ours.decide(change(situation))

const commandOf = ({ input }: Situation): string => String(input["command"] ?? "")

const reading = (change: (command: string) => string): Decide =>
  seeing((situation) =>
    situation.tool === "Bash" ? { ...situation, input: { command: change(commandOf(situation)) } } : situation
  )

const keeping = (
  situation: Situation,
  keeps: (rule: ReturnType<typeof placedRules>[number]) => boolean
): Situation => ({
  ...situation,
  rules: bySource(placedRules(situation.rules).filter(keeps))
})

/** Gives up on rules of one kind when there are several of them. */
const overwhelmedBy = (behavior: "allow" | "ask" | "deny"): Decide =>
  seeing((situation) => {
    const many = placedRules(situation.rules).filter((rule) => rule.behavior === behavior).length > 1
    return many ? keeping(situation, (rule) => rule.behavior !== behavior) : situation
  })

/** Takes something for allowed that no rule is about. */
const allowing = (text: string): Decide =>
  seeing((situation) => withRules(situation, { source: "session", behavior: "allow", text }))

const upTo = (separator: string | RegExp): Decide => reading((command) => command.split(separator)[0] ?? "")

const startsAnother = /^(?:timeout|nohup|nice|env|sudo|command|stdbuf|setsid|xargs|time|bash|sh|eval|\{ bash)\b/

const byPrefix: Decide = (situation) => {
  const allowed = placedRules(situation.rules).some(({ behavior, text }) => {
    const prefix = /^Bash\((.*) \*\)$/.exec(text)?.[1]
    return behavior === "allow" && prefix !== undefined && commandOf(situation).startsWith(prefix)
  })
  return allowed ? "allow" : "ask"
}

export const mutants: { readonly [law: string]: Decide } = {
  "adding a deny rule never widens": overwhelmedBy("deny"),
  "adding an ask rule never widens": overwhelmedBy("ask"),
  "adding an allow rule never narrows": overwhelmedBy("allow"),
  "the source of a rule is irrelevant": seeing((situation) =>
    keeping(situation, ({ behavior, source }) => source !== "projectSettings" || behavior !== "deny")
  ),
  "the order of rules is irrelevant": seeing((situation) => {
    const [first] = placedRules(situation.rules)
    return keeping(situation, ({ text }) => text === first?.text)
  }),
  "repeating a rule changes nothing": seeing((situation) => {
    const placed = placedRules(situation.rules)
    return keeping(
      situation,
      (rule) => placed.filter(({ behavior, text }) => behavior === rule.behavior && text === rule.text).length === 1
    )
  }),
  "what nothing allows is not allowed": allowing("WebFetch"),
  "an allow rule allows nothing beside what it is about": seeing((situation) => ({
    ...situation,
    rules: bySource(
      placedRules(situation.rules).map((rule) =>
        rule.behavior === "allow" ? { ...rule, text: rule.text.replace(/ \*\)$/, "*)") } : rule
      )
    )
  })),
  "a deny anywhere in a line denies the line": upTo(/&&|\|\||[;|&\n]/),
  "a line joined by && is allowed when both sides are": upTo("&&"),
  "a line joined by ; is allowed when both sides are": upTo(";"),
  "a line joined by | is allowed when both sides are": upTo(/(?<!\|)\|(?!\|)/),
  "a line joined by a line end is allowed when both sides are": upTo("\n"),
  "a line that can't be read is never allowed": byPrefix,
  "a line of over 10,000 characters is never allowed": reading((command) => command.slice(0, 1000)),
  "a program that is not known is never allowed": reading((command) =>
    command.replace(/"?\$(?:\w+|\{[^}]*\}|\([^)]*\))"?|`[^`]*`/g, "ls")
  ),
  "wrapping a command never lifts a deny": answering((situation, verdict) =>
    startsAnother.test(commandOf(situation)) && verdict === "deny" ? "ask" : verdict
  ),
  "xargs never gets a denied command allowed": answering((situation, verdict) =>
    commandOf(situation).startsWith("xargs") ? "allow" : verdict
  ),
  "wrapping a command never widens without an allow rule": answering((situation, verdict) =>
    commandOf(situation).startsWith("nice") ? "allow" : verdict
  ),
  "wrapping twice is wrapping once": answering((situation, verdict) =>
    /^(\S+) (?:\S+ )?\1 /.test(commandOf(situation)) && verdict === "allow" ? "ask" : verdict
  ),
  "quoting a plain word differently changes nothing": answering((situation, verdict) =>
    verdict === "deny" && /['"\\]/.test(commandOf(situation)) ? "ask" : verdict
  ),
  "extra blanks change nothing": answering((situation, verdict) =>
    verdict === "deny" && /\t| {2}/.test(commandOf(situation)) ? "ask" : verdict
  ),
  "a deny rule decides in every mode": answering(({ mode }, verdict) =>
    mode === "bypassPermissions" ? "allow" : verdict
  ),
  "what is denied in the default mode is denied in every mode": answering(({ mode }, verdict) =>
    mode === "acceptEdits" && verdict === "deny" ? "ask" : verdict
  ),
  "bypassPermissions never allows what is denied": answering(({ mode }, verdict) =>
    mode === "bypassPermissions" ? "allow" : verdict
  ),
  "no mode and no rule removes a critical path": answering(({ mode }, verdict) =>
    mode === "bypassPermissions" ? "allow" : verdict
  ),
  "dontAsk never asks": seeing((situation) => ({
    ...situation,
    mode: situation.mode === "dontAsk" ? "default" : situation.mode
  })),
  "modes are ordered by what they allow": answering(({ mode }, verdict) =>
    mode === "acceptEdits" && verdict === "allow" ? "ask" : verdict
  ),
  "a plan changes nothing without a person": seeing((situation) => ({
    ...situation,
    mode: situation.mode === "plan" ? "default" : situation.mode
  })),
  "edits that are accepted stay inside the working directories": (situation) =>
    situation.mode === "acceptEdits" && situation.tool === "Write"
      ? allowing("Edit")(situation)
      : ours.decide(situation),
  "a hook's allow never beats an ask of the policy": seeing((situation) =>
    situation.hook === "allow" ? keeping(situation, ({ behavior }) => behavior !== "ask") : situation
  ),
  "a session's grant never beats a deny of the policy": answering(({ rules }, verdict) =>
    (rules.session?.allow ?? []).length > 0 ? "allow" : verdict
  ),
  "a classifier never answers what a person must be asked": answering(({ classifier }, verdict) =>
    verdict === "ask" && classifier === "allow" ? "allow" : verdict
  ),
  "a classifier's deny denies what nobody else decides": answering(({ classifier, mode }, verdict) =>
    classifier === "deny" && mode === "auto" && verdict === "deny" ? "ask" : verdict
  ),
  "a classifier allows only what would be asked, and denies there too": answering(({ classifier }, verdict) =>
    classifier === "allow" ? "allow" : verdict
  ),
  "a classifier without a verdict allows nothing": answering(({ classifier }, verdict) =>
    classifier === "unreadable" && verdict === "ask" ? "allow" : verdict
  ),
  "a hook's deny always denies": answering(({ hook, mode }, verdict) =>
    hook === "deny" && mode === "bypassPermissions" ? "allow" : verdict
  ),
  "a denied path through a link is denied": seeing((situation) => ({ ...situation, files: {} })),
  "a denied path with a detour in it is denied": answering(({ input }, verdict) =>
    JSON.stringify(input).includes("..") ? "allow" : verdict
  ),
  "writing by a command is an edit": answering(({ tool }, verdict) =>
    tool === "Bash" && verdict === "deny" ? "ask" : verdict
  )
}

export const engineMutants: { readonly [law: string]: Engine } = {
  "explain agrees with decide": {
    ...ours,
    explanation: (situation) =>
      Effect.map(
        ours.explanation(situation),
        (decision) => decision && { ...decision, judged: decision.judged.map((one) => ({ ...one, row: 9 })) }
      )
  },
  "every demand has exactly one deciding candidate": {
    ...ours,
    explanation: (situation) =>
      Effect.map(
        ours.explanation(situation),
        (decision) =>
          decision && {
            ...decision,
            judged: decision.judged.map((one) => ({
              ...one,
              candidates: one.candidates.map((candidate) => ({ ...candidate, deciding: candidate.matched === "yes" }))
            }))
          }
      )
  },
  "the index of rules agrees with every rule": {
    ...ours,
    decision: (situation) => ours.decision(keeping(situation, ({ text }) => !text.includes(" *")))
  },
  "saving what is suggested allows the call": {
    ...ours,
    decision: (situation) =>
      Effect.map(
        ours.decision(situation),
        (decision) =>
          decision && {
            ...decision,
            suggestions: decision.suggestions.map((text) => text.replace("(", "(never "))
          }
      )
  },
  "saving what is suggested allows nothing else": {
    ...ours,
    decision: (situation) =>
      Effect.map(
        ours.decision(situation),
        (decision) => decision && { ...decision, suggestions: decision.suggestions.map(() => "Bash") }
      )
  }
}
