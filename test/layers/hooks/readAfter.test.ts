import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { fieldNames, ownFieldNames } from "../../../src/layers/hooks/HookAnswer.ts"
import { outputOf } from "../../../src/layers/hooks/HookOutput.ts"
import type { HookResult } from "../../../src/layers/hooks/HookResult.ts"
import { mergeAfter, mergeAnswers } from "../../../src/layers/hooks/readAfter.ts"
import { hookOf } from "./callWith.ts"

const after = ["PostToolUse", "PostToolUseFailure", "PostToolBatch"] as const
const events = [...after, "PermissionRequest"] as const
type Event = typeof events[number]

const resultOf = (event: Event, answer: object, code = 0): HookResult => ({
  entry: hookOf("gate", { event }),
  end: {
    ending: { _tag: "Exited", code },
    stdout: outputOf(JSON.stringify(answer)),
    stderr: outputOf("")
  },
  durationMillis: 1
})

const own = (event: Event, fields: object): object => ({ hookSpecificOutput: { hookEventName: event, ...fields } })

const toldOf = (event: Event, answer: object): ReadonlyArray<string> =>
  event === "PermissionRequest"
    ? mergeAnswers([resultOf(event, answer)]).messages ?? []
    : mergeAfter(event, [resultOf(event, answer)], "Bash").messages

const answerOf = (...answers: ReadonlyArray<object>) => {
  const { messages: _, runs: __, ...answer } = mergeAnswers(
    answers.map((answer) => resultOf("PermissionRequest", answer))
  )
  return answer
}

describe("what a hook says that means nothing to its event", () => {
  it.prop(
    "is told: a field that nobody knows",
    { event: Schema.Literals(events), name: Schema.NonEmptyString, inside: Schema.Boolean },
    ({ event, inside, name }) => {
      if ((inside ? ownFieldNames[event] : fieldNames).includes(name)) return
      const told = toldOf(event, inside ? own(event, { [name]: 1 }) : { [name]: 1 })
      assert.strictEqual(told.length, 1)
      assert.include(told[0], "that nobody knows")
    }
  )

  it("is told: a word that is none of its field's", () => {
    for (const event of events) {
      for (const fields of [{ continue: "false" }, { continue: 0 }, { decision: "never" }, { decision: 1 }]) {
        assert.strictEqual(toldOf(event, fields).length, 1, JSON.stringify([event, fields]))
      }
      assert.deepStrictEqual(toldOf(event, { continue: true, suppressOutput: true }), [])
    }
    for (const decision of ["deny", "allow", { behavior: "Deny" }, {}, [], { behavior: "allow", updatedInput: {} }]) {
      const answer = own("PermissionRequest", { decision })
      assert.strictEqual(toldOf("PermissionRequest", answer).length, 1, JSON.stringify(decision))
      assert.deepStrictEqual(answerOf(answer), { _tag: "NoAnswer" })
    }
  })
})

describe("a hook after a tool", () => {
  it("objects with a word that can only mean no, and says so", () => {
    const { context, messages } = mergeAfter(
      "PostToolUse",
      [resultOf("PostToolUse", { decision: "deny", reason: "red" })],
      "Bash"
    )
    assert.deepStrictEqual(context, ["red"])
    assert.deepStrictEqual(messages, ["the hook `gate` answered with `deny`, which is no `decision`"])
  })
})

describe("a hook in a person's place", () => {
  const yes = own("PermissionRequest", { decision: { behavior: "allow" } })
  const no = own("PermissionRequest", { decision: { behavior: "deny", message: "no" } })
  const denied = { _tag: "Denied", name: "gate", message: "no" } as const

  it("ends the turn with `continue: false`, whatever else it says, and with a deny that interrupts", () => {
    assert.deepStrictEqual(answerOf({ ...yes, continue: false, stopReason: "enough" }), {
      ...denied,
      message: "a hook ended the turn",
      endsTurn: "enough"
    })
    const interrupts = own("PermissionRequest", { decision: { behavior: "deny", message: "stop", interrupt: true } })
    assert.deepStrictEqual(answerOf(interrupts), { ...denied, message: "stop", endsTurn: "stop" })
    assert.deepStrictEqual(answerOf(yes, no, interrupts), { ...denied, endsTurn: "stop" })
    assert.deepStrictEqual(answerOf(no), denied)
  })

  it("is told that no rules are taken from it, and allows all the same", () => {
    const answer = own("PermissionRequest", { decision: { behavior: "allow", updatedPermissions: [] } })
    assert.deepStrictEqual(answerOf(answer), { _tag: "Allowed", name: "gate" })
    assert.deepStrictEqual(toldOf("PermissionRequest", answer), [
      "the hook `gate` gave `updatedPermissions`, which are not taken from hooks"
    ])
  })
})
