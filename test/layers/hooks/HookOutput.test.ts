import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { HookOutput } from "../../../src/layers/hooks/HookOutput.ts"

const read = (bytes: Uint8Array): string => {
  const output = new HookOutput()
  output.add(bytes)
  return output.text
}

describe("HookOutput", () => {
  it.prop("reads a text in whichever Unicode a mark says that it is", { text: Schema.String }, ({ text }) => {
    const plain = text.toWellFormed()
    const marked = `\ufeff${plain}`
    const little = Buffer.from(marked, "utf16le")
    assert.strictEqual(read(Buffer.from(marked)), plain)
    assert.strictEqual(read(little), plain)
    assert.strictEqual(read(Buffer.from(little).swap16()), plain)
  })
})
