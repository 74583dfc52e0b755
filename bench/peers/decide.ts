/** How others decide about a shell line by rules that allow or deny commands, and how they read one. */
import type * as Cedar from "@cedar-policy/cedar-wasm/nodejs"
import { PolicyDecision, PolicyEngine } from "@google/gemini-cli-core"
import { newEnforcer, newModelFromString, StringAdapter } from "casbin"
import { createRequire } from "node:module"
import { Language, Parser } from "web-tree-sitter"
import type { Task } from "../alternate.ts"
import { lineOf, programs } from "../decide.ts"
import type { Deciders } from "../peers.ts"

const require = createRequire(import.meta.url)

const gemini = async (rules: number): Promise<Task> => {
  const { initializeShellParsers } = await import("@google/gemini-cli-core/dist/src/utils/shell-utils.js")
  const { buildArgsPatterns } = await import("@google/gemini-cli-core/dist/src/policy/utils.js")
  await initializeShellParsers()
  // It tells every step to a console that its host has silenced.
  console.debug = () => undefined
  const patternOf = (words: string): RegExp => new RegExp(buildArgsPatterns(undefined, words)[0] ?? "")
  const engine = new PolicyEngine({
    rules: [
      ...programs(rules).map((words) => ({
        toolName: "run_shell_command",
        argsPattern: patternOf(words),
        decision: PolicyDecision.ALLOW,
        priority: 10
      })),
      { toolName: "run_shell_command", argsPattern: patternOf("rm"), decision: PolicyDecision.DENY, priority: 20 }
    ],
    defaultDecision: PolicyDecision.ASK_USER
  })
  return (nth) => engine.check({ name: "run_shell_command", args: { command: lineOf(nth) } }, undefined)
}

const cedar = (rules: number): Task => {
  const { preparsePolicySet, statefulIsAuthorized } = require("@cedar-policy/cedar-wasm/nodejs") as typeof Cedar
  const like = (words: string): string =>
    `(principal, action == Action::"run", resource) when { context.command like "${words} *" };`
  const staticPolicies = [...programs(rules).map((words) => `permit${like(words)}`), `forbid${like("rm")}`].join("\n")
  preparsePolicySet(`rules${rules}`, { staticPolicies })
  return (nth) =>
    statefulIsAuthorized({
      principal: { type: "Agent", id: "model" },
      action: { type: "Action", id: "run" },
      resource: { type: "Shell", id: "bash" },
      context: { command: lineOf(nth) },
      preparsedPolicySetId: `rules${rules}`,
      entities: []
    })
}

const casbin = async (rules: number): Promise<Task> => {
  const enforcer = await newEnforcer(
    newModelFromString(`
[request_definition]
r = cmd

[policy_definition]
p = cmd, eft

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = keyMatch(r.cmd, p.cmd)
`),
    new StringAdapter(
      [...programs(rules).map((words) => `p, ${words} *, allow`), "p, rm *, deny"].join("\n")
    )
  )
  return (nth) => enforcer.enforceSync(lineOf(nth))
}

/** A decision by so many rules. Those of Cedar and Casbin are about a text: they read no line. */
export const deciding: Deciders["deciding"] = async (rules) => ({
  "gemini-cli-core PolicyEngine": await gemini(rules),
  "cedar, a request": cedar(rules),
  "casbin, a request": await casbin(rules)
})

/** Parsing a line and finding its commands. */
export const reading: Deciders["reading"] = async (line) => {
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(require.resolve("tree-sitter-bash/tree-sitter-bash.wasm")))
  return {
    "tree-sitter-bash": (nth) => {
      const tree = parser.parse(line(nth))
      const commands = tree?.rootNode.descendantsOfType("command").map((node) => node?.text)
      tree?.delete()
      return commands
    }
  }
}
