/**
 * The places in a line where a command can hide.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import type { Shell, Simple } from "../shell/Shell.ts"
import { oneOf, pick } from "./oneOf.ts"
import { shells } from "./shells.ts"

/**
 * Puts a line into a larger one.
 *
 * @category models
 * @since 0.1.0
 */
export type Context = (shell: Shell) => Shell

const operators = pick("&&", "||", ";", "|", "&", "\n")

const lists = Arbitrary.map(
  Arbitrary.all({ operator: operators, other: shells, side: pick("after", "before") }),
  ({ operator, other, side }): Context => (shell) =>
    side === "after"
      ? { _tag: "List", operator, first: other, second: shell }
      : { _tag: "List", operator, first: shell, second: other }
)

const groups = Arbitrary.map(
  pick("braces", "subshell", "if", "for", "while", "case", "function"),
  (kind): Context => (body) => ({ _tag: "Group", kind, body })
)

const substitutions = Arbitrary.map(
  pick("dollar", "quoted", "backtick", "process", "here-document"),
  (kind): Context => (body) => ({ _tag: "Substitution", kind, body })
)

const scripts: Arbitrary.Arbitrary<Context> = Arbitrary.map(
  pick("bash -c", "sh -c", "eval", "here-document"),
  (interpreter): Context => (body) => ({ _tag: "Script", interpreter, body })
)

/**
 * Programs that start another one with exactly the words that they are given.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const wrappers = pick(
  "timeout 5",
  "nohup",
  "nice",
  "env",
  "env A=1",
  "sudo",
  "command",
  "stdbuf -oL",
  "setsid",
  "time"
)

/**
 * Ways in which one program is started by another one or by another shell.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const wrappings: Arbitrary.Arbitrary<(body: Simple) => Shell> = oneOf<(body: Simple) => Shell>(
  Arbitrary.map(wrappers, (wrapper) => (body) => ({ _tag: "Wrapped", wrapper, body })),
  scripts
)

/**
 * Up to three places, one in the other.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const contexts: Arbitrary.Arbitrary<Context> = Arbitrary.map(
  Arbitrary.array(oneOf(lists, groups, substitutions, scripts), { minLength: 1, maxLength: 3 }),
  (all): Context => (shell) => all.reduce((inner, place) => place(inner), shell)
)
