/**
 * Judges one demand by the table of the decision: candidates come in the order
 * of its rows, and the first that has a say decides.
 *
 * @since 0.1.0
 */
import type { Candidate, Decider, Judged, Verdict } from "../domain/Decision.ts"
import type { Rule } from "../domain/Rule.ts"
import { editsOnly } from "./bash/files/acceptEdits.ts"
import { type Coverage, coverage, coverageWithin, type Covering } from "./coverage.ts"
import type { Demand, DemandOf } from "./Demand.ts"
import type { Evidence, Side } from "./Evidence.ts"
import { covers, expansionOf, reaches, resolvedOf } from "./matchDemand.ts"
import { type Matched, no, yes } from "./Matched.ts"
import { inside } from "./path/inside.ts"
import type { RulesFor } from "./rulesFor.ts"
import { safetyOf } from "./safetyOf.ts"

/**
 * How far to look.
 *
 * @category models
 * @since 0.1.0
 */
export interface Judging {
  readonly side: Side
  readonly evidence: Evidence
  readonly rulesFor: RulesFor
  /** Go on after the deciding candidate, so that every one is explained. */
  readonly explain: boolean
}

/**
 * Judges a demand. Exactly one candidate decides: the last row always has a say.
 *
 * @category deciding
 * @since 0.1.0
 */
export const judge = (demand: Demand, judging: Judging): Judged => {
  const looked: Array<Candidate> = []
  let decided: Looked | undefined
  for (const candidate of candidates(demand, judging)) {
    const deciding = decided === undefined && hasSay(candidate)
    if (deciding) decided = candidate
    looked.push(toCandidate(candidate, deciding))
    if (deciding && !judging.explain) break
  }
  const { by, mustAsk, rule, row, says, why } = decided ?? asking
  return {
    demand: labelOf(demand, judging.evidence),
    verdict: says,
    mustAsk,
    row,
    by,
    why,
    ...(rule === undefined ? {} : { rule: named(rule) }),
    candidates: looked
  }
}

/** Names a demand, and where a file that it names really is. */
const labelOf = (demand: Demand, evidence: Evidence): string => {
  if (demand._tag !== "File" && demand._tag !== "Folder" || demand.path === undefined) return demand.label
  const [target] = resolvedOf(demand.path, evidence).real
  return target === undefined ? demand.label : `${demand.label}, which leads to ${target}`
}

// INVARIANT: what may or may not match can hold a call back, and never lets one through.
const hasSay = ({ matched, says }: Looked): boolean => matched === "yes" || matched === "maybe" && says !== "allow"

interface Looked extends Matched {
  readonly by: Decider
  readonly row: number
  readonly says: Verdict
  readonly mustAsk: boolean
  readonly rule?: Rule
}

const named = ({ behavior, origin, text }: Rule): NonNullable<Candidate["rule"]> => ({ behavior, text, origin })

const toCandidate = ({ by, matched, row, rule, says, why }: Looked, deciding: boolean): Candidate => ({
  by,
  row,
  says,
  matched,
  why,
  deciding,
  ...(rule === undefined ? {} : { rule: named(rule) })
})

const asking: Looked = {
  by: "default",
  row: 9,
  says: "ask",
  mustAsk: false,
  matched: "yes",
  why: "nothing permits it and nothing denies it"
}

function* candidates(demand: Demand, judging: Judging): Generator<Looked, void> {
  const { evidence, side } = judging
  const { hook, mode } = evidence
  if (hook.decision === "deny") {
    yield { by: "hook", row: 1, says: "deny", mustAsk: false, matched: "yes", why: hook.reason ?? "a hook denies it" }
  }
  const hookAllows = hook.decision === "allow" && hook.allowsInput
  const standing: Standing = hookAllows ? standingBeside(evidence) : everything

  yield* restrictions(demand, judging, standing)
  if (hookAllows) {
    yield {
      by: "hook",
      row: 2,
      says: "allow",
      mustAsk: false,
      matched: "yes",
      why: hook.reason ?? `the hook \`${hook.name ?? "?"}\` allows it`
    }
  }
  // An input that a hook replaced can only be restricted: what runs is the other one.
  if (side === evidence.original) {
    yield { by: "hook", row: 2, says: "allow", mustAsk: false, matched: "yes", why: "a hook replaced this input" }
  }
  yield* byMode(demand, judging)
  let reading: string | undefined
  for (const candidate of permits(demand, judging)) {
    if (candidate.by === "reading" && candidate.matched === "no") reading = candidate.why
    yield candidate
  }
  if (mode === "dontAsk") {
    yield {
      by: "mode",
      row: 7,
      says: "deny",
      mustAsk: false,
      matched: "yes",
      why: "the mode `dontAsk` denies what no rule allows"
    }
  }
  yield reading === undefined ? asking : { ...asking, why: `no rule allows it, and ${reading}` }
}

/** Which restrictions still stand beside a hook's allow. */
interface Standing {
  readonly rule: (rule: Rule) => boolean
  readonly safety: boolean
  readonly unreadable: boolean
  readonly person: boolean
  readonly rest: boolean
}

const everything: Standing = { rule: () => true, safety: true, unreadable: true, person: true, rest: true }

const standingBeside = ({ hook, policy }: Evidence): Standing => {
  const byPolicy = hook.source === "policySettings"
  const yields = policy.hookAllow === "yields"
  return {
    rule: (rule) => yields || !byPolicy && rule.origin.source === "policySettings",
    safety: yields,
    unreadable: yields || !byPolicy && policy.unreadable.some(({ origin }) => origin.source === "policySettings"),
    person: !byPolicy,
    rest: false
  }
}

/** Rows 3 and 4: what denies, then what must be asked of a person. */
function* restrictions(demand: Demand, judging: Judging, standing: Standing): Generator<Looked, void> {
  const { evidence, rulesFor, side } = judging
  const { hook, mode, needsPerson, policy } = evidence
  const compared = rulesFor.restricting(demand).map((rule) => ({ rule, ...comparing(rule, demand, judging, standing) }))

  for (const { matched, rule, why } of compared) {
    if (rule.behavior === "deny" && matched !== "maybe") {
      yield { by: "rule", row: 3, says: "deny", mustAsk: false, matched, why, rule }
    }
  }
  if (standing.rest && side.opinion._tag === "Deny") {
    yield { by: "tool", row: 3, says: "deny", mustAsk: false, matched: "yes", why: side.opinion.reason }
  }

  const ask = (by: Decider, why: string, matched: Looked["matched"] = "yes", rule?: Rule): Looked => ({
    by: mode === "dontAsk" ? "mode" : by,
    row: 4,
    says: mode === "dontAsk" ? "deny" : "ask",
    mustAsk: true,
    matched,
    why: mode === "dontAsk" && matched !== "no" ? `${why}, and the mode \`dontAsk\` asks nobody` : why,
    ...(rule === undefined ? {} : { rule })
  })
  for (const { matched, rule, why } of compared) {
    if (rule.behavior === "ask" || matched === "maybe") yield ask("rule", why, matched, rule)
  }
  if (standing.rest && side.ask !== undefined) yield ask("validation", side.ask)
  if (standing.safety) {
    const safety = safetyOf(demand, evidence)
    if (safety !== undefined && (mode !== "bypassPermissions" || safety.critical)) yield ask("safety", safety.why)
  }
  if (standing.rest && hook.decision === "ask") yield ask("hook", hook.reason ?? "a hook wants a person to look at it")
  if (standing.rest && side.opinion._tag === "Ask") yield ask("tool", side.opinion.reason)
  if (standing.person && needsPerson) yield ask("tool", "the tool needs a person")
  if (standing.rest && demand._tag === "Command" && rulesFor.restrictsShell && !plainly(demand)) {
    yield ask("reading", "the line can't be fully read, and there are rules that deny or ask")
  }
  if (standing.unreadable) {
    for (const { origin, reason } of policy.unreadable) {
      const place = [origin.file ?? origin.source, origin.line, origin.column].filter((part) => part !== undefined)
      yield ask("settings", `rules may be hidden in ${place.join(":")}: ${reason}`)
    }
  }
}

const comparing = (rule: Rule, demand: Demand, { evidence, side }: Judging, standing: Standing): Matched => {
  if (!standing.rule(rule)) return { matched: "no", why: "a hook's allow goes before it" }
  const compared = reaches(rule, demand, side, evidence)
  return demand._tag === "Folder" && rule.behavior === "deny" && compared.matched === "maybe"
    ? { matched: "no", why: "what it denies is left out of the search" }
    : compared
}

/** Whether a command was understood, down to the name of its program. */
const plainly = ({ command, understood }: DemandOf<"Command">): boolean =>
  understood && (command.words[0] === undefined || command.words[0].value !== undefined)

/** Row 5: what the mode permits or holds back. */
function* byMode(demand: Demand, { evidence, side }: Judging): Generator<Looked, void> {
  const says = (says: Verdict, matched: Looked["matched"], why: string): Looked => ({
    by: "mode",
    row: 5,
    says,
    mustAsk: says === "ask",
    matched,
    why
  })
  switch (evidence.mode) {
    case "bypassPermissions":
      return yield says("allow", "yes", "the mode `bypassPermissions` permits it")
    case "acceptEdits": {
      const accepted = acceptsEdit(demand, side, evidence)
      return yield says(
        "allow",
        accepted ? "yes" : "no",
        accepted ? "the mode `acceptEdits` permits it" : "it is no edit inside the working directories"
      )
    }
    case "plan": {
      const writes = demand._tag === "File" && demand.access !== "read" ||
        demand._tag === "Command" && !onlyReads(demand, evidence)
      return yield says(
        "ask",
        writes ? "yes" : "no",
        writes ? "the mode `plan` holds back what writes" : "it only reads"
      )
    }
  }
}

const onlyReads = (demand: DemandOf<"Command">, { readOnly }: Evidence): boolean =>
  coverage(demand, { rules: [], readOnly, shellRestricted: true }).by === "reading"

const acceptsEdit = (demand: Demand, side: Side, evidence: Evidence): boolean => {
  const isInside = (file: Demand): boolean => file._tag === "File" && fileInside(expansionOf(file, evidence), evidence)
  if (demand._tag === "File") return demand.access !== "read" && demand.from !== "argument" && isInside(demand)
  if (demand._tag !== "Command" || !demand.understood) return false
  const owner = side.demands.indexOf(demand)
  return editsOnly(demand.command) &&
    side.demands.every((file) => file._tag !== "File" || file.owner !== owner || isInside(file))
}

const fileInside = (paths: ReadonlyArray<string> | undefined, evidence: Evidence): boolean =>
  paths?.every((path) => {
    const resolved = resolvedOf(path, evidence)
    return resolved.problem === undefined && inside(resolved, evidence.place)
  }) === true

/** Row 6: allow rules, the tool's own word, and what only reads. */
function* permits(demand: Demand, judging: Judging): Generator<Looked, void> {
  const { evidence, rulesFor, side } = judging
  const permit = (by: Decider, { matched, why }: Matched, rule?: Rule): Looked => ({
    by,
    row: 6,
    says: "allow",
    mustAsk: false,
    matched,
    why,
    ...(rule === undefined ? {} : { rule })
  })
  const rules = rulesFor.allowing(demand)
  if (demand._tag === "Command") {
    const covering = coveringOf(demand, judging)
    for (const rule of rules) {
      yield permit("rule", coverage(demand, { ...covering, rules: [rule], readOnly: nothingReads }), rule)
    }
    yield permit("reading", coverageOf(demand, judging))
  } else {
    for (const rule of rules) yield permit("rule", covers(rule, demand, evidence), rule)
  }
  if (side.opinion._tag === "Allow") yield permit("tool", yes(side.opinion.reason))
  if (demand._tag === "Folder") yield permit("reading", readingOf([demand.path], evidence))
  if (demand._tag === "File") {
    if (demand.from !== "tool") yield permit("reading", ofShellFile(demand, judging))
    else if (demand.access === "read") yield permit("reading", readingOf(expansionOf(demand, evidence), evidence))
  }
}

const nothingReads: Evidence["readOnly"] = () => ({ readOnly: false, why: "" })

const readingOf = (paths: ReadonlyArray<string> | undefined, evidence: Evidence): Matched =>
  fileInside(paths, evidence)
    ? yes("it reads inside the working directories")
    : no("it is outside the working directories")

/** Whether a file that a shell line opens may be opened because of what allows the command. */
const ofShellFile = (file: DemandOf<"File">, judging: Judging): Matched => {
  const { evidence, side } = judging
  const owner = file.owner === undefined ? undefined : side.demands[file.owner]
  if (owner?._tag !== "Command" || file.command === undefined) return no("no command opens it")
  const { by } = coverageWithin(owner, file.command, coverageOf(owner, judging), coveringOf(owner, judging))
  if (by === "bare") return yes("a rule covers every use of the tool")
  if (by === "line") return yes("a rule spells out the whole line")
  if (file.access === "read") {
    if (by === "rule" || by === "exact") return yes("a rule allows the command that reads it")
    return readingOf(expansionOf(file, evidence), evidence)
  }
  if (file.from === "redirect") return no("writing it is an edit of its own")
  if (by === "exact") return yes("a rule spells this command out")
  if (by === "none") return yes("it is judged with its command")
  return fileInside(expansionOf(file, evidence), evidence)
    ? yes("it is inside the working directories")
    : no("it is outside the working directories")
}

const coveringOf = (demand: DemandOf<"Command">, { evidence, rulesFor }: Judging): Covering => ({
  rules: rulesFor.allowing(demand),
  readOnly: evidence.readOnly,
  shellRestricted: rulesFor.restrictsShell
})

/** What covers a command is asked again for each of its files, and stays the same for one decision. */
const coverageOf = (demand: DemandOf<"Command">, judging: Judging): Coverage => {
  const known = coverages.get(judging.rulesFor) ?? new Map<Demand, Coverage>()
  coverages.set(judging.rulesFor, known)
  const found = known.get(demand) ?? coverage(demand, coveringOf(demand, judging))
  known.set(demand, found)
  return found
}

const coverages = new WeakMap<RulesFor, Map<Demand, Coverage>>()
