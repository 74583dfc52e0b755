/**
 * Laws about writing the same line differently.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { bashCall } from "../arbitraries/calls.ts"
import { pick } from "../arbitraries/oneOf.ts"
import { plainSimples, shells } from "../arbitraries/shells.ts"
import { around } from "../arbitraries/situations.ts"
import * as Law from "../Law.ts"
import { printShell } from "../shell/printShell.ts"
import { Quoting, simpleCommands, spelled, type Word } from "../shell/Shell.ts"
import { running } from "./calm.ts"

/**
 * @category laws
 * @since 0.1.0
 */
export const quotingIsIrrelevant: Law.Law = Law.ofVerdicts({
  name: "quoting a plain word differently changes nothing",
  statement:
    "`rm a.txt`, `'rm' \"a.txt\"` and `\\r\\m $'a.txt'` start the same program with the same words, and so get " +
    "the same verdict.",
  situations: Arbitrary.map(
    Arbitrary.all({
      drawn: around(Arbitrary.map(plainSimples, (simple) => ({ ...bashCall("", [spelled(simple)]), simple }))),
      quotings: Arbitrary.schema(Schema.Array(Quoting).check(Schema.isMinLength(1), Schema.isMaxLength(4)))
    }),
    ({ drawn: { call: { simple }, situation }, quotings }) => {
      const quoted = ({ text }: Word, at: number): Word => ({ text, quoting: quotings[at % quotings.length] ?? "bare" })
      const bare = ({ text }: Word): Word => ({ text, quoting: "bare" })
      const { program, words } = simple
      return [
        running(situation, printShell({ ...simple, program: bare(program), words: words.map(bare) })),
        running(
          situation,
          printShell({ ...simple, program: quoted(program, 0), words: words.map((word, at) => quoted(word, at + 1)) })
        )
      ] as const
    }
  ),
  holds: ([plain, quoted]) => plain === quoted
})

/**
 * @category laws
 * @since 0.1.0
 */
export const blanksAreIrrelevant: Law.Law = Law.ofVerdicts({
  name: "extra blanks change nothing",
  statement:
    "Between two words there can be one blank, several or a tab: the shell sees the same words, and so get they " +
    "the same verdict.",
  situations: Arbitrary.map(
    Arbitrary.all({
      drawn: around(Arbitrary.map(shells, (shell) => ({
        ...bashCall(printShell(shell), simpleCommands(shell).map(spelled)),
        shell
      }))),
      gap: pick("  ", "\t", " \t ")
    }),
    ({ drawn: { call, situation }, gap }) => [situation, running(situation, printShell(call.shell, gap))] as const
  ),
  holds: ([before, after]) => before === after
})
