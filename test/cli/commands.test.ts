import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import * as Output from "../../src/cli/Output.ts"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

const strict = { onExcessProperty: "error" } as const
const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, text: string): S["Type"] =>
  Schema.decodeSync(Schema.fromJsonString(schema), strict)(text)

describe.concurrent("the other commands", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    mkdirSync(path.join(place.cwd, ".claude"))
    writeFileSync(
      path.join(place.cwd, ".claude", "settings.json"),
      "{\n  // ours\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(curl *)\"\n    ]\n  }\n}\n"
    )
  })
  afterAll(() => place.remove())
  const run = (...args: ReadonlyArray<string>) => runToolgate(place, args)

  it("check ends with 0 for what is allowed, 3 for what is denied, 4 for what is asked", async () => {
    const codes = await Promise.all(
      ["ls", "curl example.org", "touch x"].map(async (command) =>
        (await run("check", "Bash", JSON.stringify({ command }))).code
      )
    )
    assert.deepStrictEqual(codes, [0, 3, 4])
  })

  it("check shows the verdict first, then what was looked at, with file and line", async () => {
    const ran = await run("check", "Bash", "{\"command\":\"curl example.org\"}")
    assert.match(ran.stdout, /^deny Bash: /)
    assert.match(ran.stdout, /> yes {3}deny {2}deny rule `Bash\(curl \*\)`, projectSettings [^\n]*settings\.json:5/)
    assert.strictEqual(ran.stderr, "")
  })

  it("check as JSON is what its schema says", async () => {
    const ran = await run("check", "Bash", "{\"command\":\"touch x && ls\"}", "--json")
    const { decision } = decode(Output.CheckOutput, ran.stdout)
    assert.deepStrictEqual([decision.verdict, ran.code], ["ask", 4])
  })

  it("tools lists names, and as JSON the schema of each input", async () => {
    const listed = await run("tools")
    for (const name of ["Bash", "Read", "Write", "Edit", "Glob", "Grep"]) {
      assert.match(listed.stdout, new RegExp(`^${name} `, "m"))
    }
    for (const row of listed.stdout.split("\n")) assert.isAtMost(row.length, 80)
    const { tools } = decode(Output.ToolsOutput, (await run("tools", "--json")).stdout)
    assert.strictEqual(tools.find(({ name }) => name === "Bash")?.input_schema["type"], "object")
  })

  it("rules lists each rule with its place, and whether the workspace is trusted", async () => {
    const ran = await run("rules", "--allowed-tools", "Read Bash(git log *)")
    assert.strictEqual(ran.code, 0)
    assert.include(ran.stdout, "not trusted")
    assert.match(ran.stdout, /^deny {3}Bash\(curl \*\) +projectSettings [^\n]*settings\.json:5/m)
    assert.match(ran.stdout, /^allow {2}Bash\(git log \*\) +cliArg$/m)
    const output = decode(Output.RulesOutput, (await run("rules", "--json")).stdout)
    assert.deepStrictEqual([output.workspace, output.rules.map(({ text }) => text)], [
      { directory: place.cwd, trusted: false },
      ["Bash(curl *)"]
    ])
  })

  it("rules ends with 1 when a file can't be read, and names the line", async () => {
    const broken = path.join(place.cwd, "broken.json")
    writeFileSync(broken, "{\n  \"permissions\": {\n    \"deny\": [oops]\n  }\n}")
    const ran = await run("rules", "--settings", broken)
    assert.strictEqual(ran.code, 1)
    assert.match(ran.stdout, /^error: flagSettings [^\n]*broken\.json:3/m)
  })

  it("trust trusts a folder, lists it and ends its trust", async () => {
    const theirs = makePlace()
    const trust = async (...args: ReadonlyArray<string>) => {
      const ran = await runToolgate(theirs, ["trust", "--json", ...args])
      const { changed, trusted } = decode(Output.TrustOutput, ran.stdout)
      return { changed, trusted }
    }
    assert.deepStrictEqual(await trust(), { changed: true, trusted: [theirs.cwd] })
    assert.deepStrictEqual(await trust("--list"), { changed: false, trusted: [theirs.cwd] })
    assert.deepStrictEqual(await trust("--untrust", theirs.cwd), { changed: true, trusted: [] })
    assert.deepStrictEqual(await trust("--untrust"), { changed: false, trusted: [] })
    theirs.remove()
  })

  it("trust says what it lets count before it does, and starts nothing of it", async () => {
    const theirs = makePlace()
    mkdirSync(path.join(theirs.cwd, ".claude"))
    writeFileSync(
      path.join(theirs.cwd, ".claude/settings.json"),
      JSON.stringify({
        permissions: { allow: ["Bash(make *)"], deny: ["Bash(rm *)"], additionalDirectories: ["../other"] },
        hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "touch started\u001b[2J" }] }] }
      })
    )
    writeFileSync(
      path.join(theirs.cwd, ".mcp.json"),
      JSON.stringify({ mcpServers: { theirs: { command: "touch", args: ["started"] } } })
    )
    const ran = await runToolgate(theirs, ["trust"])
    assert.deepStrictEqual(ran.stdout.split("\n").map((line) => line.replace(theirs.cwd, "CWD")), [
      "what its settings bring:",
      "  rule    Bash(make *)",
      "  hook    PreToolUse Bash: touch started<ESC>[2J",
      `  folder  ${path.join(theirs.cwd, "../other")}`,
      "  server  theirs (only once `enabledMcpjsonServers` names it): {\"command\":\"touch\",\"args\":[\"started\"]}",
      "CWD is trusted: what its settings bring counts from now on, and so does what is changed or added there later, " +
      "but for MCP servers",
      ""
    ])
    assert.isFalse(existsSync(path.join(theirs.cwd, "started")))
    const again = await runToolgate(theirs, ["trust", "--json"])
    assert.strictEqual(decode(Output.TrustOutput, again.stdout).brings?.length, 4)
    theirs.remove()
  })

  it("trust says where commands may do without a sandbox, and what of it is loosened", async () => {
    const theirs = makePlace()
    mkdirSync(path.join(theirs.cwd, ".claude"))
    const sandbox = { enabled: true, failIfUnavailable: false, network: { allowedDomains: ["evil.example"] } }
    writeFileSync(path.join(theirs.cwd, ".claude/settings.json"), JSON.stringify({ sandbox }))
    const { stdout } = await runToolgate(theirs, ["trust"])
    assert.match(stdout, /^ {2}sandbox .*"required":false.*"evil\.example"/m)
    theirs.remove()
  })

  it("trust says of a server that takes the place of the user's own what it would start", async () => {
    const theirs = makePlace()
    mkdirSync(path.join(theirs.cwd, ".claude"))
    const servers = (command: string) => JSON.stringify({ mcpServers: { notes: { command } } })
    writeFileSync(path.join(theirs.home, ".claude.json"), servers("mine"))
    writeFileSync(path.join(theirs.cwd, ".claude/settings.json"), servers("theirs"))
    const { stdout } = await runToolgate(theirs, ["trust"])
    assert.include(stdout, "  server  notes: {\"command\":\"theirs\"}\n")
    theirs.remove()
  })

  it("help of every command fits 80 columns and has examples", async () => {
    for (const command of [[], ["chat"], ["call"], ["check"], ["tools"], ["rules"], ["trust"]]) {
      const ran = await run(...command, "--help")
      assert.strictEqual(ran.code, 0)
      assert.include(ran.stdout, "Examples")
      for (const row of ran.stdout.split("\n")) assert.isAtMost(row.length, 80, row)
    }
  })

  it("names the version of the package", async () => {
    const ran = await run("--version")
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    assert.strictEqual(ran.stdout, `toolgate ${version}\n`)
  })

  it("prints completions that know commands and flags", async () => {
    const ran = await run("--completions", "bash")
    assert.strictEqual(ran.code, 0)
    for (const text of ["call", "--permission-mode", "acceptEdits"]) assert.include(ran.stdout, text)
  })
})
