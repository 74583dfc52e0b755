/**
 * Laws about a decision that explains itself: what it looked at, what it would
 * save, and how it finds its rules.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import type { Decision, Judged } from "../../domain/Decision.ts"
import { bashCall, calls } from "../arbitraries/calls.ts"
import { pick } from "../arbitraries/oneOf.ts"
import { plainSimples } from "../arbitraries/shells.ts"
import { around, quiet, situations } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import type { Engine } from "../ours.ts"
import { printShell } from "../shell/printShell.ts"
import { spelled } from "../shell/Shell.ts"
import { keepRules, type Situation, withRules } from "../Situation.ts"
import { inModestMode, running, withoutAllowance } from "./calm.ts"

const alone = Arbitrary.map(situations, (situation) => [situation] as const)

const vacuous: Law.Finding = { applies: false, holds: true, told: "the law says nothing here" }

/**
 * @category laws
 * @since 0.1.0
 */
export const explainAgrees: Law.Law<Engine> = Law.make<Engine, readonly [Situation]>({
  name: "explain agrees with decide",
  statement:
    "Looking at every candidate gives the verdict that stopping at the first one gives, for each demand by the " +
    "same candidate: row, decider and rule.",
  situations: alone,
  look: (engine, [situation]) =>
    Effect.gen(function*() {
      const decided = yield* engine.decision(situation)
      const explained = yield* engine.explanation(situation)
      if (decided === undefined || explained === undefined) return vacuous
      const [short, long] = [told(decided), told(explained)]
      return { applies: true, holds: short === long, told: `decided ${short}, explained ${long}` }
    })
})

const told = ({ judged, mustAsk, verdict }: Decision): string =>
  JSON.stringify([verdict, mustAsk, judged.map(deciding)])

const deciding = ({ by, candidates, demand, row, rule, verdict }: Judged): ReadonlyArray<unknown> => [
  demand,
  verdict,
  row,
  by,
  rule?.text,
  candidates.filter((candidate) => candidate.deciding).map(({ by, row, rule, says, why }) => [by, row, says, why, rule])
]

/**
 * @category laws
 * @since 0.1.0
 */
export const oneCandidateDecides: Law.Law<Engine> = Law.make<Engine, readonly [Situation]>({
  name: "every demand has exactly one deciding candidate",
  statement:
    "However a call is taken apart, one candidate decides each of its demands, and that one says the demand's " +
    "verdict; a call demands at least one thing, and its verdict is the strictest one.",
  situations: alone,
  look: (engine, [situation]) =>
    Effect.gen(function*() {
      const decisions = [yield* engine.decision(situation), yield* engine.explanation(situation)]
      const holds = decisions.every((decision) => decision === undefined || isWellFounded(decision))
      return { applies: decisions[0] !== undefined, holds, told: JSON.stringify(decisions) }
    })
})

const isWellFounded = ({ judged, verdict }: Decision): boolean => {
  const verdicts = judged.map((one) => one.verdict)
  return judged.length > 0 &&
    judged.every(({ by, candidates, row, verdict }) => {
      const [only, ...more] = candidates.filter((candidate) => candidate.deciding)
      return only !== undefined && more.length === 0 && only.says === verdict && only.by === by && only.row === row &&
        only.matched !== "no"
    }) &&
    verdict === (verdicts.includes("deny") ? "deny" : verdicts.includes("ask") ? "ask" : "allow")
}

/**
 * @category laws
 * @since 0.1.0
 */
export const indexAgrees: Law.Law<Engine> = Law.make<Engine, readonly [Situation]>({
  name: "the index of rules agrees with every rule",
  statement:
    "Deciding by the rules that an index finds gives each demand the verdict and the mustness that looking at " +
    "every rule gives it.",
  situations: alone,
  look: (engine, [situation]) =>
    Effect.gen(function*() {
      const decided = yield* engine.decision(situation)
      const linear = yield* engine.linear(situation)
      if (decided === undefined || linear === undefined) return vacuous
      const short = (judged: ReadonlyArray<Judged>): string =>
        JSON.stringify(judged.map(({ by, demand, mustAsk, row, verdict }) => [demand, verdict, mustAsk, row, by]))
      const [indexed, every] = [short(decided.judged), short(linear)]
      return { applies: true, holds: indexed === every, told: `by the index ${indexed}, by every rule ${every}` }
    })
})

const granting = (situation: Situation, texts: ReadonlyArray<string>): Situation =>
  withRules(situation, ...texts.map((text) => ({ source: "session", behavior: "allow", text }) as const))

/**
 * @category laws
 * @since 0.1.0
 */
export const suggestionsAllow: Law.Law<Engine> = Law.make<Engine, readonly [Situation]>({
  name: "saving what is suggested allows the call",
  statement:
    "Where rules are suggested for a call that somebody was asked about, the same call is allowed once they are " +
    "saved. There are five of them at most, and none where a person must be asked.",
  situations: Arbitrary.map(around(calls), ({ call, situation }) =>
    // A rule about every use of the tool leaves nothing to suggest.
    [keepRules(inModestMode(withoutAllowance(situation)), ({ text }) => text !== call.tool)] as const),
  look: (engine, [situation]) =>
    Effect.gen(function*() {
      const decision = yield* engine.decision(situation)
      if (decision === undefined || decision.suggestions.length === 0) return vacuous
      const verdict = yield* engine.decide(granting(situation, decision.suggestions))
      return {
        applies: true,
        holds: verdict === "allow" && decision.verdict === "ask" && !decision.mustAsk &&
          decision.suggestions.length <= 5,
        told: `suggested ${decision.suggestions.join(", ")}, then decided ${verdict}`
      }
    })
})

const neighbours = Arbitrary.map(
  Arbitrary.all({
    call: plainSimples,
    edit: pick("none", "more", "less", "other", "longer program", "longer word", "wrapped", "redirected"),
    other: plainSimples
  }),
  ({ call, edit, other }) => {
    const line = printShell(call)
    switch (edit) {
      case "none":
        return { call, line }
      case "more":
        return { call, line: `${line} ${printShell(other)}` }
      case "less":
        return { call, line: printShell({ ...call, words: call.words.slice(0, -1) }) }
      case "other":
        return { call, line: printShell({ ...other, program: call.program }) }
      case "longer program":
        return { call, line: printShell({ ...call, program: { text: `${call.program.text}x`, quoting: "bare" } }) }
      case "longer word":
        return { call, line: `${line}x` }
      case "wrapped":
        return { call, line: `sudo ${line}` }
      case "redirected":
        return { call, line: `${line} > out` }
    }
  }
)

/**
 * @category laws
 * @since 0.1.0
 */
export const suggestionsAllowNoMore: Law.Law<Engine> = Law.make<
  Engine,
  readonly [asked: Situation, neighbour: Situation]
>({
  name: "saving what is suggested allows nothing else",
  statement:
    "A saved suggestion allows a command only if its pattern says so by plain comparison of texts: the command " +
    "is the pattern, goes on after the words of one that ends in ` *`, or opens the very file that the pattern names.",
  situations: Arbitrary.map(neighbours, ({ call, line }) => {
    const asked = quiet(bashCall(printShell(call), [spelled(call)]))
    return [asked, running(asked, line)] as const
  }),
  look: (engine, [asked, neighbour]) =>
    Effect.gen(function*() {
      const decision = yield* engine.decision(asked)
      if (decision === undefined || decision.suggestions.length === 0) return vacuous
      const before = yield* engine.decide(neighbour)
      const after = yield* engine.decide(granting(neighbour, decision.suggestions))
      const line = unquoted(String(neighbour.input["command"]))
      return {
        applies: true,
        holds: before === "allow" || after !== "allow" || decision.suggestions.some((text) => says(text, line)),
        told: `suggested ${decision.suggestions.join(", ")}, then decided ${after}`
      }
    })
})

const says = (text: string, line: string): boolean => {
  const [, tool = "", pattern = ""] = /^(\w+)\((.*)\)$/s.exec(text) ?? []
  if (tool !== "Bash") return line.split(" ").some((word) => `/${word}` === pattern)
  if (/[|&;<>\n]/.test(line)) return false
  return pattern.endsWith(" *")
    ? line === pattern.slice(0, -2) || line.startsWith(pattern.slice(0, -1))
    : line === unquoted(pattern)
}

const unquoted = (line: string): string => line.replace(/\$'|["'\\]/g, "")
