import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { observe } from "../../../src/testing/cases/observe.ts"
import { runCase, takesTime } from "../../../src/testing/cases/runCase.ts"
import { caseWith } from "./seen.ts"

const allowed = { rules: { projectSettings: { allow: ["Bash"] } } }

describe("runCase", () => {
  it.live("a case whose answer is right lacks nothing", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({}))
      assert.deepStrictEqual(outcome.lacks, [])
      assert.strictEqual(outcome.got, "ask")
    }))

  it.live("another answer than the expected falls short, and the deciding rule is named with its source", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({ given: allowed }))
      assert.deepStrictEqual(outcome.lacks, ["the decision is allow"])
      assert.include(outcome.deciding, "row 6, rule `Bash` of projectSettings:")
    }))

  it.live("an answer that is accepted as well does not fall short", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({ given: allowed, expect: { decision: "ask", alsoOk: ["allow"] } }))
      assert.deepStrictEqual(outcome.lacks, [])
    }))

  it.live("a sentence that is not so falls short", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({ expect: { decision: "ask", also: ["no question is shown"] } }))
      assert.deepStrictEqual(outcome.lacks, ["not so: no question is shown"])
    }))

  it.live("a sentence without a check falls short", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({ expect: { decision: "ask", also: ["all is well"] } }))
      assert.deepStrictEqual(outcome.lacks, ["no check for: all is well"])
    }))

  it.live("a source that does not exist falls short", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({ given: { rules: { moonSettings: { allow: ["Bash"] } } } }))
      assert.deepStrictEqual(outcome.lacks, ["there is no source `moonSettings`"])
    }))

  it.live("a case that can't be set up falls short, and ends nothing else", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({ given: { settings: { touchedSinceRead: ["/repo/none.txt"] } } }))
      assert.strictEqual(outcome.got, "nothing")
      assert.include(outcome.lacks[0], "ENOENT")
    }))

  it.live("where nobody can be asked, a question is a refusal", () =>
    Effect.gen(function*() {
      const outcome = yield* runCase(caseWith({
        given: { settings: { interactive: false } },
        expect: { decision: "deny", also: ["no question is shown", "it returns at once, it does not wait"] }
      }))
      assert.deepStrictEqual(outcome.lacks, [])
    }))
})

describe("observe", () => {
  const mark = `${tmpdir()}/toolgate-case-mark-${process.pid}`

  it.live("no command line runs that no sentence needs", () =>
    Effect.gen(function*() {
      const one = caseWith({ given: allowed, call: { input: { command: `touch ${mark}` } } })
      const seen = yield* observe(one, new Set())
      assert.deepStrictEqual(seen.starts.map(({ input }) => input["command"]), [`touch ${mark}`])
      assert.isFalse(existsSync(mark))
    }))

  it.live("what runs works in a folder of its own and tells of the paths of the case", () =>
    Effect.gen(function*() {
      const one = caseWith({
        given: { ...allowed, fs: { "/repo/a.txt": "one\n" } },
        call: { input: { command: "pwd; cat /repo/a.txt; echo $HOME" } }
      })
      const seen = yield* observe(one, new Set(["shell"]))
      assert.strictEqual(seen.results[0]?.text, "/repo\none\n/home/dev")
    }))

  it.live("programs that would reach out are not started", () =>
    Effect.gen(function*() {
      const one = caseWith({ given: allowed, call: { input: { command: "npm publish && echo done" } } })
      const seen = yield* observe(one, new Set(["shell"]))
      assert.strictEqual(seen.results[0]?.text, "done")
    }))

  it.live("a process that is left behind is seen, and ended", () =>
    Effect.gen(function*() {
      const command = "sleep 47 & until grep -q sleep /proc/$!/comm; do sleep 0.01; done; echo done"
      const one = caseWith({ given: allowed, call: { input: { command } } })
      const seen = yield* observe(one, new Set(["shell"]))
      assert.deepStrictEqual(seen.left, ["sleep"])
    }))

  it.live("hooks run as processes and hear of the call", () =>
    Effect.gen(function*() {
      const one = caseWith({
        given: { ...allowed, hooks: [{ event: "PreToolUse", matcher: "Bash", stub: { exit: 2, stderr: "not now" } }] }
      })
      const seen = yield* observe(one, new Set())
      assert.deepStrictEqual(seen.readings, ["deny"])
      assert.include(seen.results[0]?.text, "not now")
      assert.include(seen.hooks[0]?.said, "\"tool_name\":\"Bash\"")
    }))

  it.live("a hook that is missing is told by the path of the case", () =>
    Effect.gen(function*() {
      const one = caseWith({ given: { hooks: [{ event: "PreToolUse", matcher: "Bash", stub: { missing: true } }] } })
      const seen = yield* observe(one, new Set())
      assert.isTrue(seen.notes.some((note) => note.includes("`/hooks/hook-1`")))
    }))
})

describe("takesTime", () => {
  it("what starts processes takes time, a decision alone does not", () => {
    assert.isFalse(takesTime(caseWith({})))
    assert.isTrue(takesTime(caseWith({ expect: { decision: "allow", also: ["no process is left"] } })))
  })
})
