/** Observations that are wrong in as many ways as there are, to try checks on. */
import type { Decision } from "../../../src/domain/Decision.ts"
import { type Case, readCases } from "../../../src/testing/cases/Case.ts"
import type { Observation, SeenResult } from "../../../src/testing/cases/Observation.ts"

/** A case from what differs. */
export const caseWith = (parts: {
  readonly given?: object
  readonly call?: object
  readonly expect?: object
}): Case => {
  const [line] = readCases(JSON.stringify({
    id: "a-case",
    area: "settings",
    severity: "correctness",
    given: { rules: {}, cwd: "/repo", ...parts.given },
    call: { name: "Bash", input: { command: "npm test" }, ...parts.call },
    expect: { decision: "ask", ...parts.expect }
  }))
  if (line?._tag !== "Case") throw new Error(line?.problem ?? "no line")
  return line.case
}

const result = (id: string, text: string, failed: boolean): SeenResult => ({
  id,
  text,
  raw: text,
  failed,
  result: { type: "tool_result", tool_use_id: id, content: text, ...(failed ? { is_error: true } : {}) }
})

/** Nothing was seen at all. */
export const nothing = (one: Case): Observation => ({
  case: one,
  uses: [{ type: "tool_use", id: "t1", name: one.call.name, input: one.call.input }],
  readings: ["error"],
  decision: undefined,
  explained: undefined,
  offered: undefined,
  results: [],
  starts: [],
  questions: [],
  hooks: [],
  notes: [],
  diagnostics: [],
  millis: 0,
  decidedMillis: 0,
  escaped: undefined,
  left: [],
  grownBytes: 0,
  before: undefined,
  after: undefined,
  stored: [],
  sessionBytes: 0,
  answersNext: false,
  limit: 100
})

const offering: Decision = {
  verdict: "ask",
  mustAsk: false,
  row: 9,
  by: "default",
  why: "nothing permits it",
  judged: [
    {
      demand: "git status",
      verdict: "allow",
      mustAsk: false,
      row: 6,
      by: "reading",
      why: "it only reads",
      candidates: []
    }
  ],
  suggestions: ["Bash(", "Bash(bash *)", "Bash(npm test && git push)", "Bash(cd *)", "Bash(second line)"]
}

const saved: Decision = {
  ...offering,
  judged: offering.judged.map((judged) => ({
    ...judged,
    candidates: [{
      by: "rule",
      row: 6,
      says: "allow",
      matched: "yes",
      why: "it matches",
      deciding: false,
      rule: { behavior: "allow", text: "Bash(cd *)", origin: { source: "session" } }
    }]
  }))
}

const wrongText = `warning: cancelled in the background because of KEY=1\u0000\ud83d${"x".repeat(200)}`

/** Everything happened that should not. */
export const everything = (one: Case): Observation => ({
  ...nothing(one),
  readings: ["allow"],
  decision: offering,
  explained: offering,
  offered: saved,
  results: [result("t2", wrongText, false), result("t1", wrongText, true), result("t1", wrongText, false)],
  starts: ["git push", "npm publish", "rm -rf /"].map((command, index) => ({
    id: `t${index + 1}`,
    tool: "Bash",
    input: { command, timeout: 1 },
    output: { stdout: "warning" }
  })),
  questions: [0, 1].map((index) => ({
    question: {
      id: `t${index}`,
      tool: "Bash",
      input: {},
      decision: offering,
      context: { session: "s", cwd: "/repo", directories: [] }
    },
    text: "echo \u202e\u001b\r",
    hidden: 0,
    from: index,
    to: 10
  })),
  hooks: ["PreToolUse", "PostToolUse", "PostToolUse", "PostToolUseFailure", "PostToolUseFailure"].map((event) => ({
    event,
    command: "/hooks/hook-1",
    said: "{}",
    from: 0,
    to: 100_000
  })),
  notes: ["the hook `/hooks/hook-1` failed"],
  millis: 100_000,
  decidedMillis: 100_000,
  escaped: "a defect",
  left: ["sleep"],
  grownBytes: 10 ** 10,
  before: "before",
  after: "after",
  stored: [{ path: "/x", size: 10 ** 10 }],
  sessionBytes: 10 ** 6
})
