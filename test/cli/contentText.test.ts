import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { contentText, forTerminal } from "../../src/cli/contentText.ts"

describe("contentText", () => {
  it("names what is no text", () => {
    const source = { type: "base64", media_type: "image/png", data: "aGVsbG8h" } as const
    assert.strictEqual(
      contentText([{ type: "text", text: "one" }, { type: "image", source }, { type: "document" }]),
      "one\n[image, image/png, 6 bytes]\n[document, see it with --output json]"
    )
  })
})

describe("forTerminal", () => {
  it.prop("lets no control character through but tab and newline", { text: Schema.String }, ({ text }) => {
    assert.notMatch(forTerminal(`${text}\u001B[2J\u0085`), /[^\P{Cc}\t\n]/u)
  })
})
