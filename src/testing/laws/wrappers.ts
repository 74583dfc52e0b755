/**
 * Laws about programs that start other programs.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { bashCall } from "../arbitraries/calls.ts"
import { wrappers, wrappings } from "../arbitraries/contexts.ts"
import { plainSimples } from "../arbitraries/shells.ts"
import { around } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { printShell } from "../shell/printShell.ts"
import { spelled } from "../shell/Shell.ts"
import { asStrict, keepRules, type Situation } from "../Situation.ts"
import { inModestMode, running, withoutAllowance } from "./calm.ts"

const drawnSimple = Arbitrary.map(
  plainSimples,
  (simple) => ({ ...bashCall(printShell(simple), [spelled(simple)]), simple })
)

const wrapped = (
  calm: (situation: Situation) => Situation
): Arbitrary.Arbitrary<readonly [alone: Situation, wrapped: Situation]> =>
  Arbitrary.map(
    Arbitrary.all({ drawn: around(drawnSimple), wrap: wrappings }),
    ({ drawn: { call, situation }, wrap }) => {
      const alone = calm(withoutAllowance(situation))
      return [alone, running(alone, printShell(wrap(call.simple)))]
    }
  )

/**
 * @category laws
 * @since 0.1.0
 */
export const wrappingKeepsDeny: Law.Law = Law.ofVerdicts({
  name: "wrapping a command never lifts a deny",
  statement:
    "What is denied stays denied when `sudo`, `env`, `timeout`, `nohup` or another program starts it with the " +
    "same words, and when it is text for `bash -c`, `eval` or a shell's here-document.",
  situations: wrapped(inModestMode),
  applies: ([alone]) => alone === "deny",
  holds: ([, wrapped]) => wrapped === "deny"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const moreWordsNeverAllow: Law.Law = Law.ofVerdicts({
  name: "xargs never gets a denied command allowed",
  statement:
    "`xargs` adds words that nobody knows before it runs, so that a rule may or may not be about what it starts: " +
    "a command that is denied alone is denied or asked about there, and never allowed.",
  situations: Arbitrary.map(around(drawnSimple), ({ call, situation }) => {
    const alone = inModestMode(withoutAllowance(situation))
    return [alone, running(alone, printShell({ _tag: "Wrapped", wrapper: "xargs", body: call.simple }))] as const
  }),
  applies: ([alone]) => alone === "deny",
  holds: ([, wrapped]) => wrapped !== "allow"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const wrappingNeverWidens: Law.Law = Law.ofVerdicts({
  name: "wrapping a command never widens without an allow rule",
  statement:
    "Where no rule allows anything, a command that another program starts gets the verdict that it has alone, " +
    "or a stricter one.",
  situations: wrapped((situation) => keepRules(situation, ({ behavior }) => behavior !== "allow")),
  applies: ([alone]) => alone !== "allow",
  holds: ([alone, wrapped]) => asStrict(wrapped, alone)
})

/**
 * @category laws
 * @since 0.1.0
 */
export const wrappingTwiceIsWrappingOnce: Law.Law = Law.ofVerdicts({
  name: "wrapping twice is wrapping once",
  statement:
    "Peeling off wrappers is idempotent: a command that `timeout` starts for another `timeout` is judged as if " +
    "there were one of them, and likewise for every other wrapper.",
  situations: Arbitrary.map(
    Arbitrary.all({ drawn: around(drawnSimple), wrapper: wrappers }),
    ({ drawn: { call, situation }, wrapper }) => {
      const line = printShell({ _tag: "Wrapped", wrapper, body: call.simple })
      return [running(situation, line), running(situation, `${wrapper} ${line}`)] as const
    }
  ),
  holds: ([once, twice]) => once === twice
})
