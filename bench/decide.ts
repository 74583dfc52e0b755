/** One decision about a shell line, the reading of the line included, with few rules and with many. */
import { indexOf } from "../src/permission/RuleIndex.ts"
import { joined } from "../src/permission/ruleLists.ts"
import type { Task } from "./alternate.ts"
import { decideLine, policyOf } from "./decideLine.ts"
import type { Group } from "./Group.ts"
import { type Deciders, deciders } from "./peers.ts"

/** Words that rules are about: the last ones are those of the line. */
export const programs = (rules: number): ReadonlyArray<string> => [
  ...Array.from({ length: rules - 2 }, (_, at) => `tool${at} run`),
  "npm test"
]

// No line comes twice, so that nobody remembers the last answer.
export const lineOf = (nth: number): string => `npm test --silent ${nth}`

const compoundOf = (nth: number): string => `git status --short && npm test -- --watch ${nth} | tee /dev/null`

const ours = async (rules: number, line: (nth: number) => string): Promise<Task> => {
  const policy = await policyOf(programs(rules).map((words) => `Bash(${words} *)`), ["Bash(rm *)"])
  return (nth) => decideLine(policy, line(nth))
}

export const groups = async (): Promise<ReadonlyArray<Group>> => {
  const peers = await deciders()
  const beside = await Promise.all([10, 100, 1_000].map(async (rules): Promise<Group> => ({
    title: `decide about a line, ${rules} rules`,
    tasks: { toolgate: await ours(rules, lineOf), ...await peers?.deciding(rules) }
  })))
  return [
    ...beside,
    {
      title: "decide about a line, by how many rules there are",
      tasks: {
        "10 rules": await ours(10, lineOf),
        "10,000 rules": await ours(10_000, lineOf),
        "10 rules, three commands": await ours(10, compoundOf),
        "10,000 rules, three commands": await ours(10_000, compoundOf)
      }
    },
    { title: "compile rules", tasks: await compiling() },
    { title: "every command of a line", tasks: await readers(peers) }
  ]
}

const compiling = async (): Promise<Group["tasks"]> => {
  const allow = programs(10_000).map((words) => `Bash(${words} *)`)
  const [many, one] = [await policyOf(allow, []), await policyOf(["Bash(git status)"], [])]
  indexOf(many)
  return {
    "read and arrange 10,000": async () => indexOf(await policyOf(allow, [])),
    "one that is granted beside them": () => indexOf({ ...many, rules: joined([many.rules, one.rules]) })
  }
}

const readers = async (peers: Deciders | undefined): Promise<Group["tasks"]> => {
  const { readLine } = await import("../src/permission/bash/readLine.ts")
  return { toolgate: (nth) => readLine(compoundOf(nth)), ...await peers?.reading(compoundOf) }
}
