import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { hostOf, matchDomain } from "../../../src/permission/rule/matchDomain.ts"
import { matchName } from "../../../src/permission/rule/matchName.ts"
import { matchParameter } from "../../../src/permission/rule/matchParameter.ts"
import { matchTool } from "../../../src/permission/rule/matchTool.ts"
import { matchPieces, readPieces, writePieces } from "../../../src/permission/rule/pieces.ts"

describe("matchDomain", () => {
  const vectors: ReadonlyArray<readonly [pattern: string, url: string, expected: boolean | undefined]> = [
    ["example.com", "https://example.com/a", true],
    ["example.com", "https://example.com:8443/a", true],
    ["example.com", "https://EXAMPLE.com./a", true],
    ["Example.COM.", "https://example.com/", true],
    ["example.com", "https://example.com@x.invalid/", false],
    ["example.com", "https://notexample.com/", false],
    ["example.com", "https://docs.example.com/", false],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://a.b.example.com/", true],
    ["example.*", "https://example.org/", true],
    ["example.*", "https://example.x.invalid/", false],
    ["a*c.example.com", "https://abc.example.com/", true],
    ["a*c.example.com", "https://a.c.example.com/", false],
    ["m\u00fcnchen.de", "https://xn--mnchen-3ya.de/", true],
    ["xn--mnchen-3ya.de", "https://M\u00dcNCHEN.de/", true],
    ["*.m\u00fcnchen.de", "https://www.xn--mnchen-3ya.de/", true],
    ["127.0.0.1", "http://0x7f.1/", true],
    ["example.com", "example.com/path", true],
    ["example.com", "https://", undefined],
    ["example.com", "not an address", undefined],
    ["example.com", "file:///example.com", undefined]
  ]
  for (const [pattern, url, expected] of vectors) {
    it(`\`${pattern}\` and \`${url}\``, () => assert.strictEqual(matchDomain(pattern, url), expected))
  }

  it("a host with a port is no scheme", () => {
    assert.strictEqual(hostOf("localhost:8080/x"), "localhost")
  })
})

describe("matchTool", () => {
  it("a server stands for its tools, and no other server", () => {
    assert.isTrue(matchTool(["mcp__git"], "mcp__git__log"))
    assert.isTrue(matchTool(["mcp__git__", ""], "mcp__git__log"))
    assert.isFalse(matchTool(["mcp__git"], "mcp__github__log"))
    assert.isFalse(matchTool(["mcp__github_read"], "mcp__github-read__list"))
    assert.isFalse(matchTool(["mcp__"], "mcp__git__log"))
  })

  it("a server whose name holds two underscores is another one", () => {
    assert.isFalse(matchTool(["mcp__my"], "mcp__my__srv__run", "my__srv"))
    assert.isTrue(matchTool(["mcp__my__srv"], "mcp__my__srv__run", "my__srv"))
    assert.isFalse(matchTool(["mcp__my__srv"], "mcp__my__srv__run", "my"))
    assert.isFalse(matchTool(["mcp__my__", ""], "mcp__my__srv__run", "my__srv"))
    assert.isTrue(matchTool(["mcp__my"], "mcp__my__srv__run"))
  })

  it("a glob is held against the whole name", () => {
    assert.isTrue(matchTool(["mcp__github__get_", ""], "mcp__github__get_issue"))
    assert.isFalse(matchTool(["mcp__github__get_", ""], "mcp__github__delete_repo"))
    assert.isTrue(matchTool(["Web", ""], "WebSearch"))
    assert.isTrue(matchTool(["", ""], "Bash"))
    assert.isFalse(matchTool(["Bash"], "BashOutput"))
  })
})

describe("matchName", () => {
  const name = (pieces: ReadonlyArray<string>, boundary = false) => ({ _tag: "Name" as const, pieces, boundary })

  it("a name with ` *` may have arguments", () => {
    assert.isTrue(matchName(name(["deploy"], true), "deploy"))
    assert.isTrue(matchName(name(["deploy"], true), "deploy prod"))
    assert.isFalse(matchName(name(["deploy"], true), "deployer"))
    assert.isFalse(matchName(name(["deploy"]), "deploy prod"))
  })

  it("a name with `:*` is a plugin's skills and the name itself", () => {
    assert.isTrue(matchName(name(["team:", ""]), "team:write"))
    assert.isTrue(matchName(name(["team:", ""]), "/team"))
    assert.isTrue(matchName(name(["team:", ""]), "team x"))
    assert.isFalse(matchName(name(["team:", ""]), "teams:write"))
  })
})

describe("matchParameter", () => {
  const parameter = (name: string, ...pieces: ReadonlyArray<string>) => ({
    _tag: "Parameter" as const,
    parameter: name,
    pieces
  })

  it("compares one value at the top of the input", () => {
    assert.isTrue(matchParameter(parameter("model", "opus"), { model: "opus" }))
    assert.isTrue(matchParameter(parameter("model", "op", ""), { model: "opus" }))
    assert.isTrue(matchParameter(parameter("run_in_background", "true"), { run_in_background: true }))
    assert.isTrue(matchParameter(parameter("timeout", "5"), { timeout: 5 }))
    assert.isFalse(matchParameter(parameter("model", "opus"), { model: "opus-2" }))
  })

  it("what is absent, inherited or no single value never matches", () => {
    for (const input of [{}, { model: null }, { model: ["x"] }, { model: {} }, null, "model", undefined, 1]) {
      assert.isFalse(matchParameter(parameter("model", "", ""), input))
    }
    assert.isFalse(matchParameter(parameter("toString", "", ""), {}))
    assert.isFalse(matchParameter(parameter("__proto__", "", ""), {}))
  })
})

describe("pieces", () => {
  const piece = Schema.Literals(["a", "b", "*", "\\", "(", ")", "ab", " "])
  const pieces = Arbitrary.map(
    Arbitrary.array(Arbitrary.array(Arbitrary.schema(piece), { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    (drawn) => drawn.map((parts) => parts.join(""))
  )

  it.prop("reading what was written gives the same pieces, gaps in a row made one", { pieces }, ({ pieces }) => {
    const [first = "", ...rest] = pieces
    const inner = rest.slice(0, -1).filter((text) => text !== "")
    const expected = rest.length === 0 ? [first] : [first, ...inner, rest.at(-1) ?? ""]
    assert.deepStrictEqual(readPieces(writePieces(pieces)), expected)
  }, { arbitrary: { runs: 1000 } })

  it.prop("matching agrees with a regular expression", { pieces, text: pieces }, ({ pieces, text }) => {
    const expression = new RegExp(`^${pieces.map((part) => part.replace(/[\\*()]/g, "\\$&")).join("[^]*")}$`)
    assert.strictEqual(matchPieces(pieces, text.join("")), expression.test(text.join("")))
  }, { arbitrary: { runs: 1000 } })
})
