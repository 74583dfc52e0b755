import { assert, describe, it } from "@effect/vitest"
import { masked } from "../../../src/cli/mcp/masked.ts"

describe("masked", () => {
  it("what may be secret is starred out, and variables are shown", () => {
    assert.deepStrictEqual(
      masked({
        type: "stdio",
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
        url: "https://user:pass@a.com/mcp?key=s#t",
        timeout: 1000
      }),
      {
        type: "stdio",
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
        url: "https://***@a.com/mcp?***",
        timeout: 1000
      }
    )
  })

  it("arguments as servers are really started with them show no secret", () => {
    const rows: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [["run", "-i", "-e", "GITHUB_PAT=ghs", "image"], ["run", "-i", "-e", "GITHUB_PAT=***", "image"]],
      [["-e", "GITHUB_PAT"], ["-e", "GITHUB_PAT"]],
      [["-e", "A=${A}"], ["-e", "A=${A}"]],
      [["--env=A=secret"], ["--env=A=***"]],
      [["mcp-remote", "https://a.com/sse", "--header", "Authorization: Bearer secret"], [
        "mcp-remote",
        "https://a.com/sse",
        "--header",
        "Authorization: ***"
      ]],
      [["--header", "X-Any: ${KEY}"], ["--header", "X-Any: ${KEY}"]],
      [["--header=X-Any: secret"], ["--header=X-Any: ***"]],
      [["postgresql://me:secret@db.example/app"], ["postgresql://***@db.example/app"]],
      [["OPENAI_API_KEY=secret"], ["OPENAI_API_KEY=***"]],
      [["github_pat_0123456789"], ["***"]],
      [["-c", "API_TOKEN=secret exec server --password secret2 | x"], [
        "-c",
        "API_TOKEN=*** exec server --password *** | x"
      ]],
      [["--auth", "--port", "80"], ["--auth", "--port", "80"]]
    ]
    for (const [args, shown] of rows) assert.deepStrictEqual(masked({ args }), { args: shown })
  })

  it("a key in the path of an address, a helper's command and what nobody knows are starred out as well", () => {
    assert.deepStrictEqual(
      masked({
        url: "https://mcp.example/api/s/NzU1ZjE2YTktMmQ4OC00/mcp",
        headersHelper: "printf '{\"Authorization\":\"Bearer secret\"}'",
        apiKey: "secret",
        auth: { list: ["secret"], ref: "${KEY}", count: 1 }
      }),
      {
        url: "https://mcp.example/api/s/***/mcp",
        headersHelper: "printf '{\"Authorization\":\"***\"}'",
        apiKey: "***",
        auth: { list: ["***"], ref: "${KEY}", count: 1 }
      }
    )
  })
})
