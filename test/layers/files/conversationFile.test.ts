import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readdirSync, writeFileSync } from "node:fs"
import { type Message, problemOf } from "../../../src/domain/Message.ts"
import { keepConversation, readConversation } from "../../../src/layers/files/conversationFile.ts"
import { sessionFolder } from "../../../src/layers/files/sessionFolder.ts"
import { withFolder } from "./withFolder.ts"

const Turns = Schema.Array(Schema.Struct({ said: Schema.String, calls: Schema.Array(Schema.String) }))

/** A history as a conversation leaves it, with whatever inputs and results. */
const historyOf = (turns: typeof Turns.Type): ReadonlyArray<Message> => [
  { role: "user", content: [{ type: "text", text: "\ud800 go" }] },
  ...turns.flatMap(({ calls, said }, turn): ReadonlyArray<Message> => [
    {
      role: "assistant",
      content: [
        { type: "text", text: said },
        ...calls.map((input, at) => ({ type: "tool_use", id: `${turn}.${at}`, name: "Probe", input: { input } }))
      ]
    },
    {
      role: "user",
      content: [
        ...calls.map((_, at) => ({ type: "tool_result", tool_use_id: `${turn}.${at}`, content: said })),
        { type: "text", text: said }
      ]
    }
  ])
]

describe("the conversation of a session", () => {
  it.effect.prop(
    "is read as it was kept last, whole",
    { first: Turns, last: Turns },
    ({ first, last }) =>
      withFolder((folder) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* readConversation(folder, "s"), [])
          yield* keepConversation(folder, "s", historyOf(first))
          yield* keepConversation(folder, "s", historyOf(last))
          const read = yield* readConversation(folder, "s")
          assert.deepStrictEqual(read, historyOf(last))
          assert.isUndefined(problemOf(read))
          assert.deepStrictEqual(readdirSync(sessionFolder(folder, "s")), ["conversation.json"])
        })
      ).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is never taken for an empty one where it can't be read", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        yield* keepConversation(folder, "s", historyOf([]))
        for (const text of ["", "{\"version\": 1, \"mess", "[]", "{\"version\": 2, \"messages\": []}"]) {
          writeFileSync(`${sessionFolder(folder, "s")}/conversation.json`, text)
          const { message } = yield* Effect.flip(readConversation(folder, "s"))
          assert.match(message, /is no conversation that can go on: it holds something else; move it away/)
        }
      })
    ).pipe(Effect.provide(NodeServices.layer)))
})
