import { assert, describe, it } from "@effect/vitest"
import {
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError
} from "@modelcontextprotocol/client"
import { whyRefused } from "../../../src/mcp/oauth/whyRefused.ts"

describe("whyRefused", () => {
  it("names a code of OAuth, and nothing that only looks like one", () => {
    assert.include(whyRefused(new OAuthError(OAuthErrorCode.InvalidGrant, "secret")), "refused (`invalid_grant`)")
    assert.strictEqual(whyRefused(new OAuthError("x`; rm -rf", "secret")), "the authorization server refused")
  })

  it("repeats nothing that a server wrote", () => {
    const metadata = { redirect_uris: [] }
    const errors = [
      new OAuthError("secret-code-123", "secret"),
      new RegistrationRejectedError({ status: 403, body: "secret", submittedMetadata: metadata }),
      new IssuerMismatchError("metadata", "https://a.example", "https://secret.example"),
      new SyntaxError("Unexpected token 's', \"secret\" is not valid JSON"),
      new Error("Protected resource https://secret.example does not match expected https://a.example"),
      new Error("Incompatible auth server: does not support code challenge method S256"),
      new TypeError("fetch failed", { cause: Object.assign(new Error("secret"), { code: "ECONNREFUSED" }) }),
      new DOMException("secret", "TimeoutError"),
      "secret",
      undefined
    ]
    const said = errors.map(whyRefused)
    for (const one of said) assert.notInclude(one, "secret")
    assert.strictEqual(new Set(said).size, errors.length - 2)
    assert.include(said, "the authorization server can't be reached (ECONNREFUSED)")
    assert.include(said, "the authorization server does not support code challenge method S256")
  })
})
