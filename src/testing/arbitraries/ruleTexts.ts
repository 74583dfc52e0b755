/**
 * Permission rules, as text and parsed.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import type { Behavior, Rule, RuleSource } from "../../domain/Rule.ts"
import { parseRule } from "../../permission/rule/parseRule.ts"
import { oneOf, pick } from "./oneOf.ts"

const commands = Arbitrary.map(
  Arbitrary.all({
    program: pick("git", "npm", "rm", "ls", "cat", "echo", "make", "cp", "touch", "frob"),
    next: pick("", " status", " push", " test", " run build", " -rf", " .env", " a.txt"),
    end: pick("", " *", ":*", "*", " * --force")
  }),
  ({ end, next, program }) => `Bash(${program}${next}${end})`
)

const files = Arbitrary.map(
  Arbitrary.all({
    tool: pick("Read", "Edit"),
    path: pick(
      "//etc/**",
      "//etc/passwd",
      "//tmp/**",
      "//srv/repo/src/**",
      "~/.ssh/**",
      "~/**",
      "./src/**",
      "src/**",
      "secrets/**",
      ".env",
      "*.ts",
      "**/*.txt",
      "**"
    )
  }),
  ({ path, tool }) => `${tool}(${path})`
)

const others = oneOf(
  pick("Bash", "Read", "Edit", "Write", "Glob", "Grep", "WebFetch", "Agent", "mcp__notes", "Bash(*)"),
  pick("Bash(* --force)", "Bash(* push *)", "Bash(*.env)", "Bash(* a.txt)"),
  pick("Bash(\"rm\" *)", "Bash('git' push)", "Bash(\\npm *)", "Bash(n'p'm *)", "Bash(r*)", "Bash( rm *)"),
  pick("WebFetch(domain:example.com)", "WebFetch(domain:*.example.com)", "Agent(explore)", "mcp__notes__list")
)

/**
 * Rules as settings spell them, every one of which can match something.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const ruleTexts: Arbitrary.Arbitrary<string> = oneOf(commands, commands, files, others)

/**
 * Rules of every source, parsed.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const rules: Arbitrary.Arbitrary<Rule> = Arbitrary.filterMap(
  Arbitrary.all({ text: ruleTexts, behavior: behaviors(), source: sources() }),
  ({ behavior, source, text }) => {
    const { pattern } = parseRule(text, { behavior, source })
    return pattern === undefined
      ? Result.fail(text)
      : Result.succeed<Rule>({ behavior, text, pattern, origin: { source }, base: "/srv/repo" })
  }
)

/**
 * What a rule says.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export function behaviors(): Arbitrary.Arbitrary<Behavior> {
  return pick("allow", "ask", "deny")
}

/**
 * The eight sources of rules.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export function sources(): Arbitrary.Arbitrary<RuleSource> {
  return pick(
    "userSettings",
    "projectSettings",
    "localSettings",
    "flagSettings",
    "policySettings",
    "cliArg",
    "command",
    "session"
  )
}
