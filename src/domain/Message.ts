/**
 * The messages of a conversation, in the form of the Anthropic Messages API.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for a block of a message. Fields that nobody here knows are kept as
 * they came, since a model wants its own blocks back untouched.
 *
 * @category models
 * @since 0.1.0
 */
export const Block = Schema.StructWithRest(Schema.Struct({ type: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/**
 * @category models
 * @since 0.1.0
 */
export type Block = typeof Block.Type

/**
 * Schema for a message.
 *
 * @category models
 * @since 0.1.0
 */
export const Message = Schema.Struct({
  role: Schema.Literals(["user", "assistant"]),
  content: Schema.Array(Block)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Message = typeof Message.Type

/**
 * Says what is wrong with a history, if anything is: that a model would be
 * refused because of it.
 *
 * **Details**
 *
 * A history begins with the user, no message is empty, no two `tool_use` blocks
 * share an id, and each has exactly one `tool_result` in the next message, which
 * is the user's and has all results before anything else.
 *
 * **Example** (A call that nobody answered)
 *
 * ```ts
 * import * as Message from "toolgate/domain/Message"
 *
 * Message.problemOf([
 *   { role: "user", content: [{ type: "text", text: "What is here?" }] },
 *   { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Glob", input: {} }] }
 * ]) // => "the call `t1` has 0 results in the next message, and not one"
 * ```
 *
 * @category checks
 * @since 0.1.0
 */
export const problemOf = (history: ReadonlyArray<Message>): string | undefined => {
  // Most come from a file or another program, whatever their type says.
  const given: unknown = history
  if (!Array.isArray(given)) return "it is no list of messages"
  const other = history.findIndex((message) => !isMessage(message))
  if (other >= 0) return `message ${other + 1} has to have a \`role\` and, as \`content\`, a list of blocks`
  const known = new Set<unknown>()
  for (const [at, { content, role }] of history.entries()) {
    if (at === 0 && role !== "user") return "the first message is not the user's"
    if (content.length === 0) return `message ${at + 1} is empty`
    const asked = idsOf(role === "assistant" ? content : [], "tool_use", "id")
    for (const id of asked) {
      if (known.has(id)) return `two calls have the id \`${id}\``
      known.add(id)
    }

    const next = history[at + 1]
    const answers = idsOf(next?.role === "user" ? next.content : [], "tool_result", "tool_use_id")
    for (const id of asked) {
      const count = answers.filter((answer) => answer === id).length
      if (count !== 1) return `the call \`${id}\` has ${count} results in the next message, and not one`
    }
    if (next?.role !== "user") continue
    const stray = answers.find((id) => !asked.includes(id))
    if (stray !== undefined) return `the result \`${stray}\` answers no call of the message before it`
    if (next.content.slice(0, answers.length).some(({ type }) => type !== "tool_result")) {
      return `message ${at + 2} has something before its results`
    }
  }
  return undefined
}

const isMessage = Schema.is(Message)

const idsOf = (content: ReadonlyArray<Block>, type: string, field: string): ReadonlyArray<unknown> =>
  content.flatMap((block) => block.type === type ? [block[field]] : [])
