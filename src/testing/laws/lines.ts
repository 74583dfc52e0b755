/**
 * Laws about shell lines made of several commands, and about those that nobody
 * can read.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import { bashCall } from "../arbitraries/calls.ts"
import { contexts } from "../arbitraries/contexts.ts"
import { oneOf, pick } from "../arbitraries/oneOf.ts"
import { shells, simples } from "../arbitraries/shells.ts"
import { around } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { printShell } from "../shell/printShell.ts"
import { type Shell, simpleCommands, spelled } from "../shell/Shell.ts"
import { type Situation, withoutBareAllows, withRules } from "../Situation.ts"
import { inModestMode, running, withoutAllowance } from "./calm.ts"

const drawnLine = Arbitrary.map(
  oneOf<Shell>(simples, shells),
  (shell) => ({ ...bashCall(printShell(shell), simpleCommands(shell).map(spelled)), shell })
)

/**
 * @category laws
 * @since 0.1.0
 */
export const denyReachesEverywhere: Law.Law = Law.ofVerdicts({
  name: "a deny anywhere in a line denies the line",
  statement:
    "When a command alone is denied, and no hook allows, then so is every line that could start it: in a list, " +
    "a pipeline, a group, a condition, a loop, a function, a substitution, a here-document, or as text for another shell.",
  situations: Arbitrary.map(
    Arbitrary.all({ drawn: around(drawnLine), context: contexts }),
    ({ context, drawn: { call, situation } }) => {
      const alone = inModestMode(withoutAllowance(situation))
      return [alone, running(alone, printShell(context(call.shell)))] as const
    }
  ),
  applies: ([alone]) => alone === "deny",
  holds: ([, inLine]) => inLine === "deny"
})

const joinedBy = (operator: Extract<Shell, { readonly _tag: "List" }>["operator"], shown: string): Law.Law =>
  Law.ofVerdicts({
    name: `a line joined by ${shown} is allowed when both sides are`,
    statement:
      `\`a ${shown} b\` is allowed exactly when \`a\` alone and \`b\` alone are, as long as neither changes the ` +
      "state of the shell: no rule that allows a part allows the whole, and no part makes another one suspicious.",
    situations: Arbitrary.map(
      Arbitrary.all({
        drawn: around(
          Arbitrary.map(Arbitrary.all({ first: oneOf<Shell>(simples, shells), second: shells }), (both) => ({
            ...bashCall(printShell(both.first), [both.first, both.second].flatMap(simpleCommands).map(spelled)),
            ...both
          }))
        )
      }),
      ({ drawn: { call: { first, second }, situation } }) => {
        const calm: Situation = { ...situation, classifier: "none" }
        return [
          running(calm, printShell(first)),
          running(calm, printShell(second)),
          running(calm, printShell({ _tag: "List", operator, first, second: kept(second) }))
        ] as const
      }
    ),
    applies: ([first, second]) => first === "allow" || second === "allow",
    holds: ([first, second, both]) => (both === "allow") === (first === "allow" && second === "allow")
  })

/** Behind a `|`, `time` is no word of the shell's own but a program, unless braces begin anew. */
const kept = (shell: Shell): Shell =>
  printShell(shell).startsWith("time ") ? { _tag: "Group", kind: "braces", body: shell } : shell

/**
 * @category laws
 * @since 0.1.0
 */
export const andIsBoth: Law.Law = joinedBy("&&", "&&")

/**
 * @category laws
 * @since 0.1.0
 */
export const sequenceIsBoth: Law.Law = joinedBy(";", ";")

/**
 * @category laws
 * @since 0.1.0
 */
export const pipelineIsBoth: Law.Law = joinedBy("|", "|")

/**
 * @category laws
 * @since 0.1.0
 */
export const newlineIsBoth: Law.Law = joinedBy("\n", "a line end")

/** Lines under rules that allow no more than some of them, with nothing else to allow them. */
const narrowly = (
  change: Arbitrary.Arbitrary<(line: string) => string>
): Arbitrary.Arbitrary<readonly [situation: Situation]> =>
  Arbitrary.map(Arbitrary.all({ drawn: around(drawnLine), change }), ({ change, drawn: { call, situation } }) => [
    running(withoutBareAllows(inModestMode(withoutAllowance(situation))), change(printShell(call.shell)))
  ])

/**
 * @category laws
 * @since 0.1.0
 */
export const unreadableIsNotAllowed: Law.Law = Law.ofVerdicts({
  name: "a line that can't be read is never allowed",
  statement:
    "No rule narrower than the bare tool allows a line that bash itself would call a syntax error: what nobody " +
    "can read may mean anything to the shell that runs it.",
  situations: narrowly(Arbitrary.map(
    pick(
      " '",
      " \"",
      " $(",
      " `",
      " &&",
      " |",
      " <",
      "\n)",
      "\n}",
      "\nfi",
      "\ndone",
      " ;;",
      "\n&& x",
      " <(",
      "\nif true",
      "\n( ls"
    ),
    (end) => (line) => `${line}${end}`
  )),
  holds: ([verdict]) => verdict !== "allow"
})

/**
 * @category laws
 * @since 0.1.0
 */
export const tooLongIsNotAllowed: Law.Law = Law.ofVerdicts({
  name: "a line of over 10,000 characters is never allowed",
  statement: "No rule narrower than the bare tool allows a line of more than 10,000 characters, however harmless it " +
    "looks.",
  situations: narrowly(Arbitrary.map(
    pick("x", "echo ", `ls ${"a".repeat(500)}\n`, " "),
    (filling) => (line) => `${line} ; echo ${filling.repeat(Math.ceil(10_000 / filling.length))}x`
  )),
  holds: ([verdict]) => verdict !== "allow"
})

/** A rule whose gap stands for any program is the one that could let an unknown one through. */
const loosely = (
  drawn: Arbitrary.Arbitrary<readonly [situation: Situation]>
): Arbitrary.Arbitrary<readonly [situation: Situation]> =>
  Arbitrary.map(
    Arbitrary.all({ drawn, text: pick("Bash(* status)", "Bash(* --force)", "Bash(r*)", "Bash(* a.txt)") }),
    ({ drawn: [situation], text }) => [withRules(situation, { source: "cliArg", behavior: "allow", text })]
  )

/**
 * @category laws
 * @since 0.1.0
 */
export const unknownProgramIsNotAllowed: Law.Law = Law.ofVerdicts({
  name: "a program that is not known is never allowed",
  statement: "Where only the running shell tells which program starts, because a variable, a substitution or a glob " +
    "names it, no rule narrower than the bare tool allows it.",
  situations: loosely(narrowly(Arbitrary.map(
    Arbitrary.all({
      program: pick(
        "$cmd",
        "${cmd}",
        "\"$cmd\"",
        "$(echo rm)",
        "\"$(cat x)\"",
        "`echo rm`",
        "${x:-rm}",
        "r$x",
        "./*",
        "/bin/r?"
      ),
      rest: pick("", " status", " -rf a.txt", " push --force"),
      before: pick("", "FOO=1 ", "timeout 5 ", "nohup ", "command ")
    }),
    ({ before, program, rest }) => (line) => `${line}\n${before}${program}${rest}`
  ))),
  holds: ([verdict]) => verdict !== "allow"
})
