import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readConfig } from "../../src/mcp/readConfig.ts"

const problem = (config: unknown) =>
  Result.isFailure(readConfig(config)) ? Result.getOrThrow(Result.flip(readConfig(config))) : undefined

describe("readConfig", () => {
  it("what other programs know of a server is left alone", () => {
    for (
      const config of [
        { command: "npx", args: ["-y", "x"], description: "…", alwaysAllow: ["y"], autoStart: false },
        { type: "stdio", command: "x", env: {} },
        { url: "https://example.com/mcp" },
        { type: "sse", url: "https://example.com/sse", headers: { a: "b" } },
        { type: "streamable-http", url: "https://example.com/mcp", oauth: { clientId: "me", callbackPort: 8080 } }
      ]
    ) assert.isUndefined(problem(config))
  })

  it("what is wrong is said in one sentence, with its place", () => {
    const cases: ReadonlyArray<readonly [unknown, string]> = [
      ["npx", "it is no object: write `{ \"command\": \"…\" }` or `{ \"url\": \"…\" }`"],
      [{}, "it has neither `command` nor `url`: add one of them"],
      [{ command: "x", url: "https://x" }, "it has both `command` and `url`: remove one of them"],
      [{ command: "x", type: "http" }, "its `type` is `http`, which has a `url` and no `command`"],
      [{ url: "https://x", type: "stdio" }, "its `type` is `stdio`, which has a `command` and no `url`"],
      [{ command: 5 }, "`command` is wrong: it should be string"],
      [{ command: "x", args: ["a", 1] }, "`args.1` is wrong: it should be string"],
      [{ command: "x", env: { A: 1 } }, "`env.A` is wrong: it should be string"]
    ]
    for (const [config, said] of cases) assert.strictEqual(problem(config), said)
  })
})
