import { assert, describe, it } from "@effect/vitest"
import { masked } from "../../../src/cli/mcp/masked.ts"

describe("masked", () => {
  it("what may be secret is starred out, and variables are shown", () => {
    assert.deepStrictEqual(
      masked({
        command: "npx",
        args: ["-y", "server", "--api-key", "sk-1", "--token=t", "--port=1", "https://a.com/x?key=s"],
        env: { KEY: "sk-2", REF: "${KEY}", EMPTY: "" },
        headers: { Authorization: "Bearer abc", Other: "Bearer ${TOKEN}" },
        oauth: {
          clientId: "me",
          clientSecret: "hidden",
          privateKey: "hidden",
          idp: { tokenEndpoint: "https://idp.example", clientSecret: "hidden", idToken: "hidden" }
        },
        url: "https://user:pass@a.com/mcp?key=s#t"
      }),
      {
        command: "npx",
        args: ["-y", "server", "--api-key", "***", "--token=***", "--port=1", "https://a.com/x?***"],
        env: { KEY: "***", REF: "${KEY}", EMPTY: "" },
        headers: { Authorization: "***", Other: "Bearer ${TOKEN}" },
        oauth: {
          clientId: "me",
          clientSecret: "***",
          privateKey: "***",
          idp: { tokenEndpoint: "https://idp.example", clientSecret: "***", idToken: "***" }
        },
        url: "https://***@a.com/mcp?***"
      }
    )
  })
})
