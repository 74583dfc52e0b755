import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TodoWrite } from "../../src/tools/TodoWrite.ts"
import { bench } from "./runTool.ts"

const step = (content: string, status: string) => ({ content, status, activeForm: `${content}ing` })

describe("TodoWrite", () => {
  it.live("the list comes back as it is now", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      const todos = [step("Build", "completed"), step("Test", "in_progress"), step("Ship", "pending")]
      assert.strictEqual(yield* text(TodoWrite, { todos }), "[x] Build\n[>] Test\n[ ] Ship")
      assert.strictEqual(yield* text(TodoWrite, { todos: [] }), "the list is empty")
    }))

  it.live("one step alone is in progress, and a step has a known status", () =>
    Effect.gen(function*() {
      const { validate } = yield* bench()
      const todos = [step("Build", "in_progress"), step("Test", "in_progress")]
      assert.strictEqual((yield* validate(TodoWrite, { todos }))._tag, "Refused")
      assert.strictEqual(TodoWrite.prepare({ todos: [step("Build", "someday")] })._tag, "Failure")
    }))
})
