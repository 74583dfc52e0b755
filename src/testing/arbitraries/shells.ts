/**
 * Shell lines, drawn as syntax trees.
 *
 * **Details**
 *
 * None of the programs changes the state of the shell that starts it: no `cd`,
 * no assignment that stays, no function, `source`, `exec` or `set`.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { Interpreter, Quoting, type Shell, type Simple, Wrapper } from "../shell/Shell.ts"
import { shrinkShell, shrinkSimple } from "../shell/shrinkShell.ts"

const plainTexts = [
  "status",
  "push",
  "test",
  "run",
  "build",
  "-la",
  "-rf",
  "--force",
  "a.txt",
  "src/a.ts",
  ".env",
  "secrets/key",
  "/etc/passwd",
  "/tmp/x"
] as const

const programs = Schema.Literals(["git", "npm", "rm", "ls", "cat", "echo", "make", "cp", "touch", "frob"])

const plainWord = Schema.Struct({ text: Schema.Literals(plainTexts), quoting: Quoting })

const anyWord = Schema.Struct({
  text: Schema.Literals([
    ...plainTexts,
    "two words",
    "it's",
    "a;b",
    "(x)",
    "#no",
    "é",
    "$HOME",
    "`q`",
    "*",
    "a|b",
    "\"",
    ""
  ]),
  quoting: Quoting
})

const program = Schema.Struct({ text: programs, quoting: Quoting })

const noFew = <S extends Schema.Constraint>(item: S) => Schema.Array(item).check(Schema.isMaxLength(0))

const few = <S extends Schema.Constraint>(item: S, most: number) => Schema.Array(item).check(Schema.isMaxLength(most))

const assignment = Schema.Struct({ name: Schema.Literals(["LANG", "FOO", "PATH"]), value: plainWord })

const redirect = Schema.Struct({ operator: Schema.Literals([">", ">>", "<", "2>"]), target: plainWord })

const bareSimple = Schema.TaggedStruct("Simple", {
  assignments: noFew(assignment),
  program,
  words: few(plainWord, 3),
  redirects: noFew(redirect)
})

const fullSimple = Schema.TaggedStruct("Simple", {
  assignments: few(assignment, 1),
  program,
  words: few(anyWord, 3),
  redirects: few(redirect, 1)
})

const part = Schema.suspend((): Schema.Codec<Shell> => shell)

const shell: Schema.Codec<Shell> = Schema.Union([
  fullSimple,
  bareSimple,
  Schema.TaggedStruct("List", {
    operator: Schema.Literals(["&&", "||", ";", "|", "&", "\n"]),
    first: part,
    second: part
  }),
  Schema.TaggedStruct("Group", {
    kind: Schema.Literals(["braces", "subshell", "if", "for", "while", "case"]),
    body: part
  }),
  Schema.TaggedStruct("Substitution", {
    kind: Schema.Literals(["dollar", "quoted", "backtick", "process", "here-document"]),
    body: part
  }),
  Schema.TaggedStruct("Wrapped", { wrapper: Wrapper, body: bareSimple }),
  Schema.TaggedStruct("Script", { interpreter: Interpreter, body: part })
])

/**
 * One program with plain words, each quoted in some way.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const plainSimples: Arbitrary.Arbitrary<Simple> = Arbitrary.schema<Schema.Codec<Simple>>(bareSimple, {
  shrink: shrinkSimple
})

/**
 * One program with any words, assignments before it and redirections after it.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const simples: Arbitrary.Arbitrary<Simple> = Arbitrary.schema<Schema.Codec<Simple>>(fullSimple, {
  shrink: shrinkSimple
})

/**
 * Lines of every kind.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const shells: Arbitrary.Arbitrary<Shell> = Arbitrary.schema(shell, { shrink: shrinkShell })
