import type { Question } from "../../../src/domain/Question.ts"

const asked = { mustAsk: false, row: 9, by: "default", candidates: [], why: "no rule matches", verdict: "ask" } as const

/** A question about a line of three demands. */
export const question: Question = {
  id: "toolu_1",
  tool: "Bash",
  input: { command: "npm publish && rm -rf build > out.txt", description: "Publish it" },
  decision: {
    verdict: "ask",
    mustAsk: false,
    row: 9,
    by: "default",
    why: "no rule allows it, and `npm publish` is not known to only look",
    judged: [
      { ...asked, demand: "npm publish" },
      { ...asked, demand: "rm -rf build" },
      { ...asked, demand: "write out.txt", verdict: "allow", row: 6, by: "rule", why: "it matches" }
    ],
    suggestions: ["Bash(npm publish *)", "Bash(rm -rf build)"],
    warning: "deletes a folder with all that is in it"
  },
  context: { session: "s", cwd: "/repo", directories: [] }
}

/** The same without anything that it would destroy. */
export const harmless: Question = {
  ...question,
  input: { command: "npm publish" },
  decision: {
    verdict: "ask",
    mustAsk: false,
    row: 9,
    by: "default",
    why: "no rule allows it, and `npm publish` is not known to only look",
    judged: [{ ...asked, demand: "npm publish" }],
    suggestions: ["Bash(npm publish *)"]
  }
}
