import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { explainText } from "../../src/cli/explainText.ts"
import * as Output from "../../src/cli/Output.ts"
import { explain } from "../../src/permission/decide.ts"
import { evidenceOf, policyOf, ruleOf } from "../permission/lint/situations.ts"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

describe("explainText", () => {
  const command = "npm test && git push --force"
  const call = { tool: "Bash", input: { command }, subject: { _tag: "Shell", command } } as const
  const policy = policyOf([
    ruleOf("Bash(npm test *)", "allow", "projectSettings", 4),
    ruleOf("Bash(git push *)", "deny", "userSettings", 9),
    ruleOf("Bash(rm *)", "ask", "userSettings", 7)
  ])
  const text = (colors: boolean, columns = 80) =>
    explainText("Bash", explain(evidenceOf(call, policy)), { colors, columns })

  it("names for each part the rule that decided and every other one, with its place and why not", () => {
    assert.strictEqual(
      text(false),
      [
        "deny Bash",
        "",
        "1. npm test",
        "  allow, decided by",
        "    allow rule Bash(npm test *)",
        "      projectSettings /projectSettings:4: it matches `npm test`",
        "    did not match",
        "      deny rule Bash(git push *)",
        "        userSettings /userSettings:9: no command of the line matches",
        "      ask rule Bash(rm *)",
        "        userSettings /userSettings:7: no command of the line matches",
        ...text(false).split("\n").slice(11)
      ].join("\n")
    )
    assert.match(text(false), /2\. git push --force\n {2}deny, decided by\n {4}deny rule Bash\(git push \*\)\n/)
  })

  it("keeps to the width, and colours change no text", () => {
    for (const columns of [40, 80]) {
      for (const row of text(false, columns).split("\n")) assert.isAtMost(row.length, columns, row)
    }
    // eslint-disable-next-line no-control-regex
    assert.strictEqual(text(true).replace(/\u001B\[\d+m/g, ""), text(false))
  })
})

describe.concurrent("toolgate explain", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    mkdirSync(path.join(place.cwd, ".claude"))
    writeFileSync(
      path.join(place.cwd, ".claude", "settings.json"),
      "{\n  \"permissions\": {\n    \"deny\": [\"Bash(curl *)\"],\n    \"ask\": [\n      \"Bash(touch *)\"\n    ]\n  }\n}\n"
    )
    writeFileSync(
      path.join(place.cwd, "go.md"),
      "---\nallowed-tools: Bash(make *)\ndisallowed-tools: Bash(ls *)\n---\nGo.\n"
    )
    writeFileSync(path.join(place.cwd, "plain.md"), "Go.\n")
    writeFileSync(path.join(place.cwd, "bad.md"), "---\nallowed-tools: [Read\n---\n")
  })
  afterAll(() => place.remove())
  const run = (command: string, ...args: ReadonlyArray<string>) =>
    runToolgate(place, ["explain", "Bash", JSON.stringify({ command }), ...args])

  it("ends with 0 for what is allowed, 3 for what is denied, 4 for what is asked, 2 for what can't be", async () => {
    const codes = await Promise.all(["pwd", "curl x", "touch x"].map(async (command) => (await run(command)).code))
    assert.deepStrictEqual(codes, [0, 3, 4])
    assert.strictEqual((await runToolgate(place, ["explain", "Nope", "{}"])).code, 2)
  })

  it("shows rules of other commands too, each with file and line, in 80 columns and without colour", async () => {
    const { stderr, stdout } = await run("touch x")
    assert.strictEqual(stderr, "")
    assert.match(stdout, /ask rule Bash\(touch \*\)\n +projectSettings \.claude\/settings\.json:5: /)
    assert.match(
      stdout,
      /did not match\n(?: .*\n)* +deny rule Bash\(curl \*\)\n +projectSettings \.claude\/settings\.json:3: /
    )
    assert.notInclude(stdout, "\u001B")
    for (const row of stdout.split("\n")) assert.isAtMost(row.length, 80, row)
  })

  it("as JSON has every candidate, as its schema says", async () => {
    const ran = await run("touch x", "--output", "json")
    const decode = Schema.decodeSync(Schema.fromJsonString(Output.ExplainOutput), { onExcessProperty: "error" })
    const { decision } = decode(ran.stdout)
    const rules = decision.judged[0]?.candidates.flatMap(({ rule }) => rule === undefined ? [] : [rule.text])
    assert.deepStrictEqual([...rules ?? []].sort(), ["Bash(curl *)", "Bash(touch *)"])
  })

  it("a command file's rules count, with their lines", async () => {
    const [made, listed] = await Promise.all([run("make x", "--command", "go.md"), run("ls", "--command", "go.md")])
    assert.deepStrictEqual([made.code, listed.code], [0, 3])
    assert.match(made.stdout, /allow rule Bash\(make \*\)\n +command go\.md:2: /)
    assert.match(listed.stdout, /deny rule Bash\(ls \*\)\n +command go\.md:3: /)
  })

  it("a command file that can't be used is one line, and one without frontmatter gives nothing", async () => {
    const one = /^toolgate: [^\n]+\n$/
    for (const file of ["nope.md", "bad.md", "."]) {
      const ran = await run("pwd", "--command", file)
      assert.deepStrictEqual([ran.code, ran.stdout], [2, ""], file)
      assert.match(ran.stderr, one)
    }
    const plain = await run("pwd", "--command", "plain.md")
    assert.strictEqual(plain.code, 0)
    assert.match(plain.stderr, /^toolgate: [^\n]*no frontmatter[^\n]*\n$/)
  })
})
