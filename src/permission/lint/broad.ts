/**
 * Allow rules that let any program run.
 *
 * @since 0.1.0
 */
import type { Rule } from "../../domain/Rule.ts"
import { readLine } from "../bash/readLine.ts"
import { coverage } from "../coverage.ts"

/**
 * Returns a command that does what it likes and that an allow rule nevertheless
 * covers, or undefined where none of those that come to mind is covered.
 *
 * **Example** (Looking through a rule)
 *
 * ```ts
 * import { broadCommand } from "toolgate/permission/lint/broad"
 * import { parseRule } from "toolgate/permission/rule/parseRule"
 *
 * const text = "Bash(python:*)"
 * const { pattern } = parseRule(text, { behavior: "allow", source: "userSettings" })
 * const rule = { behavior: "allow", text, pattern: pattern!, origin: { source: "userSettings" }, base: "/" } as const
 * broadCommand(rule) // => "python -c \"import os; os.system('make')\""
 * ```
 *
 * @category searching
 * @since 0.1.0
 */
export const broadCommand = (rule: Rule): string | undefined =>
  rule.behavior === "allow" && rule.pattern.tool.length === 1 && rule.pattern.tool[0] === "Bash"
    ? commands.find((command) => isCovered(rule, command))
    : undefined

const isCovered = (rule: Rule, line: string): boolean => {
  const { commands, refused } = readLine(line)
  const [command] = commands
  // A rule that spells this very command out means it.
  if (refused !== undefined || command === undefined || commands.length > 1) return false
  const demand = { _tag: "Command", label: line, command, line, understood: true } as const
  const { by } = coverage(demand, { rules: [rule], readOnly: nothingReads, shellRestricted: true })
  return by === "rule" || by === "bare"
}

const nothingReads = () => ({ readOnly: false, why: "" }) as const

const code = "\"import os; os.system('make')\""

// Whatever a program needs to start another one; `make` stands for any other.
const commands: ReadonlyArray<string> = [
  "make",
  ...["bash", "sh", "zsh", "dash", "ksh", "fish"].flatMap((shell) => [
    `${shell} -c make`,
    `${shell} -lc make`,
    `${shell} x.sh`
  ]),
  ...["python", "python3", "python2"].flatMap((python) => [`${python} -c ${code}`, `${python} x.py`]),
  ...[
    "uv run",
    "poetry run",
    "pipx run",
    "uvx",
    "npx",
    "npx -y",
    "bunx",
    "pnpm dlx",
    "pnpm exec",
    "yarn dlx",
    "npm exec"
  ]
    .map((runner) => `${runner} make`),
  ...["env", "xargs", "sudo", "doas", "nohup", "time", "timeout 9", "nice", "watch", "setsid", "exec", "command"].map(
    (wrapper) => `${wrapper} make`
  ),
  "xargs -n 1 make",
  "eval make",
  "find . -exec make +",
  "find . -name x -exec make +",
  "node -e \"require('child_process').execSync('make')\"",
  "node x.js",
  "deno eval make",
  "deno run x.ts",
  "bun -e make",
  "bun x.ts",
  "perl -e 'system(\"make\")'",
  "perl x.pl",
  "ruby -e 'system(\"make\")'",
  "ruby x.rb",
  "php -r 'system(\"make\");'",
  "php x.php",
  "lua -e 'os.execute(\"make\")'",
  "awk 'BEGIN { system(\"make\") }'",
  "osascript -e make",
  "ssh host make",
  "docker exec x make",
  "docker run x make",
  "docker compose exec x make",
  "kubectl exec x -- make",
  "parallel make",
  "git -c core.pager=make log",
  "x --version"
]
