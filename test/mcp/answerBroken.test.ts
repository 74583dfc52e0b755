import { assert, describe, it } from "@effect/vitest"
import { ProtocolError, type Transport } from "@modelcontextprotocol/client"
import { answerBroken, broken, brokenText, isBroken } from "../../src/mcp/answerBroken.ts"

type Message = Parameters<Transport["send"]>[0]

/** A transport whose streams end when they are told to. */
const transport = () => {
  const heard: Array<Message> = []
  const ends: Array<(() => void) | undefined> = []
  const made: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (_, options) => {
      ends.push(options?.onRequestStreamEnd)
      return Promise.resolve()
    },
    onmessage: (message) => void heard.push(message)
  }
  answerBroken(made)
  return { made, heard, ends }
}

describe("answerBroken", () => {
  it("answers a request whose stream ended, and only that", async () => {
    const { ends, heard, made } = transport()
    await made.send({ jsonrpc: "2.0", id: 7, method: "tools/call" })
    await made.send({ jsonrpc: "2.0", method: "notifications/initialized" })
    assert.deepStrictEqual(ends.map((end) => end === undefined), [false, true])
    ends[0]?.()
    const [answer] = heard
    assert.deepInclude(answer, { id: 7 })
    assert.strictEqual(answer !== undefined && "error" in answer ? answer.error.message : undefined, broken)
    assert.isTrue(
      answer !== undefined && "error" in answer && isBroken(new ProtocolError(0, "", answer.error.data))
    )
  })

  it("leaves it to whoever wants to hear of the end", async () => {
    const { ends, heard, made } = transport()
    let told = false
    await made.send({ jsonrpc: "2.0", id: 1, method: "x" }, { onRequestStreamEnd: () => void (told = true) })
    ends[0]?.()
    assert.isTrue(told)
    assert.deepStrictEqual(heard, [])
  })

  it("takes no answer of a server for it, and names what refuses", () => {
    assert.isFalse(isBroken(new ProtocolError(-32_000, broken, {})))
    assert.isFalse(isBroken(new TypeError("not a function")))
    const refused = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })
    assert.isTrue(isBroken(refused))
    assert.strictEqual(brokenText(refused), "nothing answers at its address (ECONNREFUSED)")
    assert.strictEqual(brokenText(new TypeError("terminated", { cause: { code: "UND_ERR_SOCKET" } })), broken)
  })
})
