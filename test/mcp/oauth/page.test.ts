import { assert, describe, it } from "@effect/vitest"
import { page } from "../../../src/mcp/oauth/page.ts"

describe("page", () => {
  it("shows a name as it is written, whatever it would be in HTML", () => {
    const html = page({ good: false, title: "<img src=x onerror=alert(1)>", problem: "\"'&<b>" })
    assert.notMatch(html, /<(?:img|b|script)\b/)
    assert.include(html, "&#60;img src=x onerror=alert(1)&#62;")
    assert.include(html, "&#34;&#39;&#38;&#60;b&#62;")
  })
})
