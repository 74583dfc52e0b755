import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { lintText } from "../../src/cli/lintText.ts"
import * as Output from "../../src/cli/Output.ts"
import type { Finding } from "../../src/permission/lint/Finding.ts"
import { makePlace, runToolgate } from "./runToolgate.ts"

const linted = async (settings: unknown, ...args: ReadonlyArray<string>) => {
  const place = makePlace()
  try {
    mkdirSync(path.join(place.cwd, ".claude"))
    const text = typeof settings === "string" ? settings : JSON.stringify(settings, null, 2)
    writeFileSync(path.join(place.cwd, ".claude", "settings.json"), text)
    return await runToolgate(place, ["lint", ...args])
  } finally {
    place.remove()
  }
}

const shadowed = { permissions: { allow: ["Bash(git push origin *)"], deny: ["Bash(git push *)"] } }

describe("lintText", () => {
  const origin = { source: "projectSettings", file: "/p/settings.json", line: 12, column: 3 } as const
  const finding: Finding = {
    kind: "unreachable",
    severity: "warning",
    message: `this rule never counts: ${"a deny rule covers all that it covers ".repeat(4)}`,
    origin,
    rule: "Bash(echo it's *)",
    behavior: "allow",
    because: { behavior: "deny", text: "Bash(echo *)", origin: { ...origin, line: 2 } },
    example: { tool: "Bash", input: { command: "echo it's x" } }
  }

  it("groups by file, in the order of lines, and keeps to the width", () => {
    const text = lintText([finding, { ...finding, origin: { ...origin, line: 4 } }, {
      ...finding,
      origin: { source: "cliArg" }
    }], { colors: false, columns: 80 })
    assert.match(text, /^\/p\/settings\.json\n {2}4:3 [^]*\n {2}12:3 [^]*\ncliArg\n/)
    assert.match(text, /\n3 warnings\n$/)
    for (const row of text.split("\n")) assert.isAtMost(row.length, 80, row)
  })

  it("its calls can be copied into a shell", () => {
    const text = lintText([finding], { colors: true, columns: 80 })
    assert.include(text, String.raw`toolgate explain Bash '{"command":"echo it'\''s x"}'`)
  })
})

describe.concurrent("toolgate lint", () => {
  it("ends with 0 where there is nothing to say", async () => {
    const ran = await linted({ permissions: { deny: ["Bash(git push *)"] } })
    assert.deepStrictEqual([ran.code, ran.stdout, ran.stderr], [0, "nothing to complain about\n", ""])
  })

  it("knows the servers, unless a file that names some can't be read", async () => {
    const rule = { permissions: { deny: ["mcp__githb__push"] } }
    const servers = "{\"mcpServers\":{\"github\":{\"command\":\"false\"}}}"
    const [known, broken] = await Promise.all([
      linted(rule, "--mcp-config", servers),
      linted(rule, "--mcp-config", "{\"mcpServers\":[]}")
    ])
    assert.match(known.stdout, /no MCP server `githb` is configured here[^]*`github` was probably meant/)
    assert.notInclude(broken.stdout, "MCP server")
  })

  it("looks at what a folder's own settings allow, trusted or not, and warnings fail with --strict alone", async () => {
    const [ran, strict] = await Promise.all([linted(shadowed), linted(shadowed, "--strict")])
    assert.deepStrictEqual([ran.code, strict.code], [0, 1])
    assert.match(ran.stdout, /^\.claude\/settings\.json\n {2}4:7 +warning +allow Bash\(git push origin \*\)\n/)
    assert.include(ran.stdout, "see:     toolgate explain Bash '{\"command\":\"git push origin x\"}'")
    assert.notInclude(ran.stdout, "\u001B")
  })

  it("ends with 1 for what can't be read and for a deny rule that is lost", async () => {
    const [broken, lost] = await Promise.all([
      linted("{\n  \"permissions\": {\n    \"deny\": [oops]\n"),
      linted({ permissions: { deny: ["Bash(rm *) please"] } })
    ])
    assert.deepStrictEqual([broken.code, lost.code], [1, 1])
    assert.match(broken.stdout, /^\.claude\/settings\.json\n {2}3:14 +error\n/)
  })

  it("as JSON is what its schema says, and each kind of finding has its name", async () => {
    const ran = await linted({
      permissions: {
        allow: ["Bash(python:*)", "Bash(ls)", "Bash(ls)", "Bash(npm run a)", "Bash(npm run *)", "Read(/etc/x)"],
        deny: ["Bash(prompt: run python code)"]
      },
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "guard" }] }] }
    }, "--json")
    const decode = Schema.decodeSync(Schema.fromJsonString(Output.LintOutput), { onExcessProperty: "error" })
    const { errors, findings, notes, warnings } = decode(ran.stdout)
    assert.deepStrictEqual(findings.map(({ kind, rule = "" }) => `${kind} ${rule}`.trim()).sort(), [
      "broad Bash(python:*)",
      "contained Bash(npm run a)",
      "described Bash(python:*)",
      "duplicate Bash(ls)",
      "gate",
      "problem Read(/etc/x)"
    ])
    assert.deepStrictEqual([errors, warnings, notes, ran.code], [1, 4, 1, 1])
    assert.strictEqual(findings.find(({ kind }) => kind === "gate")?.origin.line, 19)
  })

  it("its help and that of explain fit 80 columns and say what the exit codes mean", async () => {
    const place = makePlace()
    for (const command of ["lint", "explain"]) {
      const { code, stdout } = await runToolgate(place, [command, "--help"])
      assert.strictEqual(code, 0)
      assert.include(stdout, "Examples")
      assert.match(stdout.replace(/\s+/g, " "), /Exit codes/)
      for (const row of stdout.split("\n")) assert.isAtMost(row.length, 80, row)
    }
    place.remove()
  })
})
