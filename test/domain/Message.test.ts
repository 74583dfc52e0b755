import { assert, describe, it } from "@effect/vitest"
import { type Block, type Message, problemOf } from "../../src/domain/Message.ts"

const text: Block = { type: "text", text: "hello" }
const call = (id: string): Block => ({ type: "tool_use", id, name: "Probe", input: {} })
const result = (id: string): Block => ({ type: "tool_result", tool_use_id: id, content: "ran" })
const user = (...content: ReadonlyArray<Block>): Message => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<Block>): Message => ({ role: "assistant", content })

describe("a history", () => {
  it("is fine when each call has its result in the next message, before anything else", () => {
    assert.isUndefined(problemOf([]))
    assert.isUndefined(problemOf([
      user(text),
      assistant(text, call("a"), call("b")),
      user(result("b"), result("a"), text),
      assistant(text),
      user(text)
    ]))
  })

  it("says what is wrong with it otherwise", () => {
    const begun = [user(text), assistant(call("a"))]
    assert.deepStrictEqual(
      [
        [assistant(text)],
        [user()],
        begun,
        [...begun, user(text)],
        [...begun, user(result("a"), result("a"))],
        [...begun, user(text, result("a"))],
        [...begun, user(result("a"), result("b"))],
        [...begun, user(result("a")), assistant(call("a")), user(result("a"))],
        [user(text), assistant(text), user(result("a"))],
        [...begun, assistant(text)]
      ].map(problemOf),
      [
        "the first message is not the user's",
        "message 1 is empty",
        "the call `a` has 0 results in the next message, and not one",
        "the call `a` has 0 results in the next message, and not one",
        "the call `a` has 2 results in the next message, and not one",
        "message 3 has something before its results",
        "the result `b` answers no call of the message before it",
        "two calls have the id `a`",
        "the result `a` answers no call of the message before it",
        "the call `a` has 0 results in the next message, and not one"
      ]
    )
  })

  it("says so of what is no history, whatever it came from", () => {
    const given: ReadonlyArray<unknown> = [
      null,
      "text",
      {},
      [null],
      [user(text), "text"],
      [{ role: "user", content: "text" }],
      [{ role: "system", content: [text] }],
      [{ role: "user", content: [null] }],
      [{ role: "user", content: [{ text: "hello" }] }]
    ]
    for (const history of given) {
      assert.match(
        problemOf(history as ReadonlyArray<Message>) ?? "",
        /^it is no list of messages$|^message \d has to have a `role` and, as `content`, a list of blocks$/
      )
    }
  })
})
