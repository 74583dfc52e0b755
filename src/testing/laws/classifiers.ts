/**
 * Laws about classifiers: what they may answer, and what comes of those that
 * don't.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { bashCall, calls, type DrawnCall } from "../arbitraries/calls.ts"
import { oneOf, pick } from "../arbitraries/oneOf.ts"
import { sources } from "../arbitraries/ruleTexts.ts"
import { around, situations } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { asStrict, keepRules, type Situation, withRules } from "../Situation.ts"
import { withoutAllowance } from "./calm.ts"

const judgedBy = <const Classifiers extends ReadonlyArray<Situation["classifier"]>>(...classifiers: Classifiers) =>
  Arbitrary.map(situations, (situation) =>
    // `map` gives one situation for each classifier.
    classifiers.map((classifier) => ({ ...situation, classifier })) as {
      readonly [Index in keyof Classifiers]: Situation
    })

/** Calls that somebody is asked about where nobody has said anything, and where nothing else speaks against them. */
const undecided: Arbitrary.Arbitrary<DrawnCall> = oneOf(
  Arbitrary.map(
    pick("npm publish", "git push", "python3 a.py", "curl x.test", "ls && npm publish", "(make) | head"),
    (line) => bashCall(line)
  ),
  Arbitrary.map(
    pick("https://example.com", "http://other.test/a"),
    (url): DrawnCall => ({ tool: "WebFetch", input: { url, prompt: "what" }, about: ["WebFetch"] })
  ),
  Arbitrary.Constant<DrawnCall>({ tool: "mcp__notes__list", input: {}, about: ["mcp__notes__list"] })
)

/**
 * @category laws
 * @since 0.1.0
 */
export const classifierDenyDenies: Law.Law = Law.ofVerdicts({
  name: "a classifier's deny denies what nobody else decides",
  statement:
    "What no rule allows or wants somebody to be asked about, no hook speaks of and no mode permits is denied when a " +
    "classifier denies it: nobody is asked any more. (What may write is asked about in a plan, where it has no say.)",
  situations: Arbitrary.map(
    Arbitrary.all({ drawn: around(undecided), mode: pick("default", "acceptEdits", "auto", "dontAsk") }),
    ({ drawn: { situation }, mode }) =>
      [
        { ...keepRules(situation, ({ behavior }) => behavior === "deny"), mode, hook: "none", classifier: "deny" }
      ] satisfies readonly [Situation]
  ),
  holds: ([verdict]) => verdict === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const classifierSettlesAsksAlone: Law.Law = Law.ofVerdicts({
  name: "a classifier allows only what would be asked, and denies there too",
  statement: "What is denied without a classifier is denied whatever it says. One that denies never loosens a " +
    "verdict, and where one that allows is heard, one that denies is heard as well.",
  situations: judgedBy("none", "allow", "deny"),
  holds: ([without, allowing, denying]) =>
    (without !== "deny" || allowing === "deny") && asStrict(denying, without) &&
    (without !== "ask" || allowing !== "allow" || denying === "deny")
})

/**
 * @category laws
 * @since 0.1.0
 */
export const noVerdictAllowsNothing: Law.Law = Law.ofVerdicts({
  name: "a classifier without a verdict allows nothing",
  statement: "A classifier that fails, runs out of time or answers what is no verdict allows no more than none at " +
    "all: what would be asked is asked or denied.",
  situations: judgedBy("none", "fails", "unreadable"),
  holds: ([without, failing, unreadable]) => asStrict(failing, without) && asStrict(unreadable, without)
})

/**
 * @category laws
 * @since 0.1.0
 */
export const classifierNeverAnswersMustAsk: Law.Law = Law.ofVerdicts({
  name: "a classifier never answers what a person must be asked",
  statement: "When an ask rule is about the call, or a hook wants somebody to look at it, it is not allowed: by no " +
    "classifier, in no mode, and beside no rule that allows.",
  situations: Arbitrary.map(
    Arbitrary.all({ drawn: around(calls), source: sources(), by: pick("rule", "hook") }),
    ({ by, drawn: { call, situation }, source }) => {
      const calm: Situation = { ...withoutAllowance(situation), classifier: situation.classifier }
      return [
        by === "hook"
          ? { ...calm, hook: "ask" }
          : withRules(calm, { source, behavior: "ask", text: call.tool })
      ] satisfies readonly [Situation]
    }
  ),
  holds: ([verdict]) => verdict !== "allow"
})
