import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { files } from "../../scripts/schema.ts"

describe("the published schemas", () => {
  it("are what the code writes: `node scripts/schema.ts` makes them so", () => {
    const expected = files()
    const folder = new URL("../../schema/", import.meta.url)
    assert.deepStrictEqual(readdirSync(folder).sort(), Object.keys(expected).sort())
    for (const [name, text] of Object.entries(expected)) {
      assert.deepStrictEqual(JSON.parse(readFileSync(new URL(name, folder), "utf8")), JSON.parse(text), name)
    }
  })
})
