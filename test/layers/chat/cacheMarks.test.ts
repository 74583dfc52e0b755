import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Block, Message } from "../../../src/domain/Message.ts"
import { cacheMarks } from "../../../src/layers/chat/cacheMarks.ts"
import type { ChatRequest } from "../../../src/services/ChatModel.ts"

const Brought = Schema.Boolean

/** What a user and a model may say in turn, as it is drawn. */
const Turns = Schema.Array(Schema.Struct({
  calls: Schema.Array(Brought),
  nested: Schema.Boolean,
  said: Schema.Literals(["", " ", "yes"])
}))

const brought = (mark: typeof Brought.Type) => mark ? { cache_control: { type: "ephemeral", ttl: "1h" } } : {}

const historyOf = (turns: typeof Turns.Type): ReadonlyArray<Message> => [
  { role: "user", content: [{ type: "text", text: "Go" }] },
  ...turns.flatMap(({ calls, nested, said }, turn): ReadonlyArray<Message> => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "so", signature: "s" },
        ...calls.map((_, at) => ({ type: "tool_use", id: `${turn}.${at}`, name: "Probe", input: { cache_control: 1 } }))
      ]
    },
    {
      role: "user",
      content: [
        ...calls.map((mark, at) => ({
          type: "tool_result",
          tool_use_id: `${turn}.${at}`,
          content: nested ? [{ type: "text", text: "ran", ...brought(mark) }] : "ran",
          ...brought(mark)
        })),
        { type: "text", text: said }
      ]
    }
  ])
]

const requestOf = (
  messages: ReadonlyArray<Message>,
  tools = 2,
  system: string | undefined = "be brief"
): ChatRequest => ({
  system,
  messages,
  tools: Array.from({ length: tools }, (_, at) => ({ name: `T${at}`, description: "", inputSchema: {} }))
})

const isMarked = (block: object): boolean => "cache_control" in block

const nestedIn = ({ content }: Block): ReadonlyArray<object> => Array.isArray(content) ? content : []

/** The blocks in the order in which a server reads them. */
const blocksOf = ({ messages, system, tools }: ReturnType<typeof cacheMarks>): ReadonlyArray<object> => [
  ...tools,
  ...system ?? [],
  ...messages.flatMap(({ content }) => content.flatMap((block) => [block, ...nestedIn(block)]))
]

const bare = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => key === "cache_control" && inner !== 1 ? undefined : inner))

describe("cacheMarks", () => {
  it.prop("are four at most, on blocks that may bear them", { turns: Turns }, ({ turns }) => {
    const marked = blocksOf(cacheMarks(requestOf(historyOf(turns)))).filter(isMarked)
    assert.isAtMost(marked.length, 4)
    assert.isAtLeast(marked.length, 3)
    for (const block of marked) {
      if (!("type" in block)) continue
      assert.include(["text", "tool_result"], block.type)
      if ("text" in block) assert.notStrictEqual(String(block.text).trim(), "")
    }
  })

  it.prop("change nothing else", { turns: Turns }, ({ turns }) => {
    const messages = historyOf(turns)
    assert.deepStrictEqual(bare(cacheMarks(requestOf(messages)).messages), bare(messages))
  })

  it.prop("stand again where the request before had its last one", { turns: Turns }, ({ turns }) => {
    const messages = historyOf(turns)
    if (messages.length < 3) return
    const before = blocksOf(cacheMarks(requestOf(messages.slice(0, -2))))
    const now = blocksOf(cacheMarks(requestOf(messages)))
    assert.deepStrictEqual(bare(now.slice(0, before.length)), bare(before))
    const last = before.findLastIndex(isMarked)
    assert.isTrue(isMarked(now[last] ?? {}), JSON.stringify(messages))
  })

  it("need neither tools nor a system prompt", () => {
    const marks = (tools: number, system: string | undefined) =>
      blocksOf(cacheMarks({ ...requestOf(historyOf([]), tools), system })).map(isMarked)
    assert.deepStrictEqual(marks(0, undefined), [true])
    assert.deepStrictEqual(marks(3, undefined), [false, false, true, true])
    assert.deepStrictEqual(marks(0, " "), [false, true])
  })
})
