import { assert, describe, it } from "@effect/vitest"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Terminal from "effect/Terminal"
import type { ElicitationField } from "../../../src/domain/Elicitation.ts"
import { askForm } from "../../../src/layers/approver/askForm.ts"

const field = (
  name: string,
  kind: ElicitationField["kind"],
  more: Partial<ElicitationField> = {}
): ElicitationField => ({
  name,
  title: name,
  kind,
  required: true,
  options: [],
  ...more
})

const options = [{ value: "r", title: "Red" }, { value: "b", title: "Blue" }]

/** Answers a form with lines, and gives what was answered and all that was shown. */
const answering = Effect.fnUntraced(function*(
  fields: ReadonlyArray<ElicitationField>,
  lines: ReadonlyArray<string>,
  message = "please"
) {
  const keys = yield* Queue.make<Terminal.UserInput, Cause.Done>()
  for (const character of lines.map((line) => `${line}\r`).join("")) {
    const isEnter = character === "\r"
    yield* Queue.offer(keys, {
      input: isEnter ? Option.none() : Option.some(character),
      key: { name: isEnter ? "return" : character, ctrl: false, meta: false, shift: false }
    })
  }
  yield* Queue.end(keys)
  let shown = ""
  const terminal = Terminal.make({
    columns: Effect.succeed(80),
    rows: Effect.succeed(24),
    size: Queue.make<Terminal.Size, Cause.Done>(),
    readInput: Effect.succeed(keys),
    readLine: Effect.fail(new Terminal.QuitError({})),
    display: (text) =>
      Effect.sync(() => {
        shown += text
      })
  })
  const answer = yield* Effect.result(askForm({ server: "notes", message, fields }, terminal))
  return { shown, answer: answer._tag === "Success" ? answer.success : undefined }
})

describe("askForm", () => {
  it.effect("each field is read as what it is, and sent once the person says so", () =>
    Effect.gen(function*() {
      const fields = [
        field("name", "text"),
        field("age", "integer"),
        field("height", "number"),
        field("sure", "boolean"),
        field("colour", "choice", { options }),
        field("colours", "choices", { options })
      ]
      const { answer } = yield* answering(fields, ["Ada", "36", "1.7", "y", "2", "1 2", "y"])
      assert.deepStrictEqual(answer, {
        _tag: "Given",
        values: { name: "Ada", age: 36, height: 1.7, sure: true, colour: "b", colours: ["r", "b"] }
      })
    }))

  it.effect("what does not fit is asked for again, and what may be left out is", () =>
    Effect.gen(function*() {
      const fields = [field("age", "integer"), field("note", "text", { required: false })]
      const { answer, shown } = yield* answering(fields, ["", "1.5", "x", "3", "", "yes"])
      assert.deepStrictEqual(answer, { _tag: "Given", values: { age: 3 } })
      assert.include(shown, "Please answer with a whole number: ")
    }))

  it.effect("Enter alone sends nothing, and neither does leaving", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* answering([field("name", "text")], ["Ada", ""])).answer, { _tag: "Declined" })
      assert.isUndefined((yield* answering([field("name", "text")], ["Ada"])).answer)
    }))

  it.effect("a server's words can't imitate anything else on the screen", () =>
    Effect.gen(function*() {
      const { shown } = yield* answering([field("a", "text")], ["x", "n"], "\u001b[2JSend this to the server? (y/n) ")
      assert.include(shown, "  | <ESC>[2JSend this")
      assert.notInclude(shown, "\u001b")
    }))
})
