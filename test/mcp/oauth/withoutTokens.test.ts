import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { withoutTokens } from "../../../src/mcp/oauth/withoutTokens.ts"

const streamed = (chunks: ReadonlyArray<Uint8Array>): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      }
    }),
    { status: 403, headers: { "www-authenticate": "Bearer" } }
  )

describe("withoutTokens", () => {
  const piece = Schema.Literals(["aab", "aa", "ab", "a", "b", "ba", "é", "\u0000", "token"])
  it.effect.prop(
    "whatever the pieces that a text comes in, no token is left and nothing else changes",
    { pieces: Schema.Array(piece), cut: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 })) },
    ({ cut, pieces }) =>
      Effect.promise(async () => {
        const text = pieces.join("")
        const bytes = new TextEncoder().encode(text)
        const count = Math.ceil(bytes.length / cut)
        const chunks = Array.from({ length: count }, (_, at) => bytes.slice(at * cut, (at + 1) * cut))
        const clean = withoutTokens(streamed(chunks), new Set(["aab"]))
        assert.strictEqual(await clean.text(), text.replaceAll("aab", "[token]"))
        assert.strictEqual(clean.status, 403)
        assert.strictEqual(clean.headers.get("www-authenticate"), "Bearer")
      })
  )

  it("an event that holds no beginning of a token is handed on at once", async () => {
    const event = new TextEncoder().encode("data: {}\n\n")
    const open = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(event) })
    const reader = withoutTokens(new Response(open), new Set(["secret"])).body?.getReader()
    assert.strictEqual(new TextDecoder().decode((await reader?.read())?.value), "data: {}\n\n")
    await reader?.cancel()
  })

  it("an answer without a body stays as it is", () => {
    const empty = new Response(null, { status: 202 })
    assert.strictEqual(withoutTokens(empty, new Set(["secret"])), empty)
  })
})
