import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { Behavior, type Pattern, RuleSource } from "../../../src/domain/Rule.ts"
import { parseRule } from "../../../src/permission/rule/parseRule.ts"
import { printRule } from "../../../src/permission/rule/printRule.ts"
import { processorMillis } from "../../support/processorMillis.ts"

const allow = (text: string) => parseRule(text, { behavior: "allow", source: "projectSettings" })
const deny = (text: string) => parseRule(text, { behavior: "deny", source: "projectSettings" })

const command = (...pieces: ReadonlyArray<string>): Pattern => ({
  tool: ["Bash"],
  specifier: { _tag: "Command", pieces, boundary: false }
})
const prefix = (...pieces: ReadonlyArray<string>): Pattern => ({
  tool: ["Bash"],
  specifier: { _tag: "Command", pieces, boundary: true }
})
const any = (...tool: ReadonlyArray<string>): Pattern => ({ tool, specifier: { _tag: "Any" } })
const path = (tool: string, anchor: "root" | "home" | "source" | "cwd", pattern: string): Pattern => ({
  tool: [tool],
  specifier: { _tag: "Path", anchor, pattern }
})

const reads: ReadonlyArray<readonly [string, Pattern]> = [
  ["Bash", any("Bash")],
  ["Bash(*)", any("Bash")],
  ["Bash(**)", any("Bash")],
  ["WebFetch(domain:*)", any("WebFetch")],
  ["Read(*)", any("Read")],
  ["Task", any("Agent")],
  ["Task(Explore)", { tool: ["Agent"], specifier: { _tag: "Name", pieces: ["Explore"], boundary: false } }],
  ["mcp__github__get_*", any("mcp__github__get_", "")],
  ["mcp__git.hub__delete", any("mcp__git_hub__delete")],
  ["mcp__Deep Graph MCP__*", any("mcp__Deep_Graph_MCP__", "")],
  ["mcp__plugin:müller", any("mcp__plugin_m_ller")],
  ["Bash(npm run build)", command("npm run build")],
  ["Bash(ls *)", prefix("ls")],
  ["Bash(ls:*)", prefix("ls")],
  ["Bash(ls*)", command("ls", "")],
  ["Bash(git * main)", command("git ", " main")],
  ["Bash(* --version)", command("", " --version")],
  ["Bash(git -C * show:*)", prefix("git -C ", " show")],
  ["Bash(rm -rf /*:*)", command("rm -rf /", "")],
  ["Bash(ls *:*)", prefix("ls")],
  ["Bash(a**b)", command("a", "b")],
  ["Bash(echo \\* \\(x\\) \\\\n)", command("echo * (x) \\n")],
  ["Bash(grep 'a\\|b')", command("grep 'a\\|b'")],
  ["Bash(echo \\*)", command("echo *")],
  ["Bash(ls \\**)", command("ls *", "")],
  ["Bash(node -e \"f(() => g(1))\")", command("node -e \"f(() => g(1))\"")],
  ["Bash(./t --filter='A:*.b')", command("./t --filter='A:", ".b'")],
  ["Bash(npm run test:unit)", command("npm run test:unit")],
  ["Bash(timeout:*)", prefix("timeout")],
  ["Bash(prompt: runs the tests)", { tool: ["Bash"], specifier: { _tag: "Description", text: "runs the tests" } }],
  ["Read(//etc/**)", path("Read", "root", "etc/**")],
  ["Read(~/.ssh/**)", path("Read", "home", ".ssh/**")],
  ["Read(~)", path("Read", "home", "")],
  ["Edit(/src/**)", path("Edit", "source", "src/**")],
  ["Edit(./src/**)", path("Edit", "cwd", "/src/**")],
  ["Read(.env)", path("Read", "cwd", ".env")],
  ["Read(**)", path("Read", "cwd", "**")],
  ["Read(D:\\some\\path\\**)", path("Read", "root", "d/some/path/**")],
  ["Read(/C:/work/**)", path("Read", "root", "c/work/**")],
  ["Read(\\\\server\\share\\**)", path("Read", "root", "server/share/**")],
  ["Edit(/\\[2024-06\\] Reports (1)/a.md)", path("Edit", "source", "\\[2024-06\\] Reports (1)/a.md")],
  ["Skill(deploy *)", { tool: ["Skill"], specifier: { _tag: "Name", pieces: ["deploy"], boundary: true } }],
  ["Skill(team:*)", { tool: ["Skill"], specifier: { _tag: "Name", pieces: ["team:", ""], boundary: false } }],
  ["WebFetch(domain:*.a.org)", { tool: ["WebFetch"], specifier: { _tag: "Domain", pattern: "*.a.org" } }]
]

describe("parseRule", () => {
  for (const [text, expected] of reads) {
    it(`reads ${text} as people mean it`, () => {
      assert.deepStrictEqual(allow(text).pattern, expected)
      assert.deepStrictEqual(deny(text).pattern, expected)
    })
  }

  it("keeps a deny that has text after its parenthesis, loses an allow, and says so", () => {
    const denied = deny("Bash(npm publish)*")
    assert.deepStrictEqual(denied.pattern, command("npm publish"))
    assert.deepStrictEqual(denied.problems, [{
      severity: "error",
      message: "`*` after the closing parenthesis belongs to no rule",
      offset: 17,
      meant: "Bash(npm publish)"
    }])
    assert.isUndefined(allow("Bash(npm publish)*").pattern)
    assert.strictEqual(allow("Bash(npm publish)*").problems.length, 1)
  })

  it("keeps a deny whose parenthesis is missing, loses an allow", () => {
    assert.deepStrictEqual(deny("Bash(rm:*").pattern, prefix("rm"))
    assert.strictEqual(deny("Bash(rm:*").problems[0]?.meant, "Bash(rm:*)")
    assert.isUndefined(allow("Bash(rm:*").pattern)
  })

  it("makes no rule for everything out of empty parentheses", () => {
    assert.isUndefined(allow("Bash()").pattern)
    assert.isUndefined(deny("Bash( )").pattern)
    assert.strictEqual(deny("Bash()").problems[0]?.severity, "error")
  })

  it("reads a deny on a path of another file tool as the rule that is looked at", () => {
    const meant = [
      ["Write(docs/**)", "Edit(docs/**)"],
      ["MultiEdit(docs/**)", "Edit(docs/**)"],
      ["NotebookEdit(docs/**)", "Edit(docs/**)"],
      ["Glob(docs/**)", "Read(docs/**)"],
      ["Grep(docs/**)", "Read(docs/**)"]
    ] as const
    for (const [text, instead] of meant) {
      const denied = deny(text)
      assert.deepStrictEqual(denied.pattern, deny(instead).pattern)
      assert.isTrue(denied.problems.some((problem) => problem.meant === instead))
      assert.strictEqual(allow(text).pattern?.specifier._tag, "Inert")
      assert.strictEqual(allow(text).problems[0]?.meant, instead)
    }
  })

  it("reads a rule on a field for deny and ask alone", () => {
    const expected: Pattern = {
      tool: ["Bash"],
      specifier: { _tag: "Parameter", parameter: "run_in_background", pieces: ["true"] }
    }
    assert.deepStrictEqual(deny("Bash(run_in_background : true)").pattern, expected)
    assert.strictEqual(allow("Bash(run_in_background:true)").pattern?.specifier._tag, "Inert")
    assert.deepStrictEqual(deny("Agent(model:*)").pattern?.specifier, {
      _tag: "Parameter",
      parameter: "model",
      pieces: ["", ""]
    })
  })

  it("reads a deny on the primary field as the pattern that was meant", () => {
    const denied = deny("Bash(command:rm *)")
    assert.deepStrictEqual(denied.pattern, prefix("rm"))
    assert.strictEqual(denied.problems[0]?.meant, "Bash(rm *)")
    assert.strictEqual(allow("Bash(command:rm *)").pattern?.specifier._tag, "Inert")
    assert.deepStrictEqual(deny("Read(file_path:.env)").pattern, path("Read", "cwd", ".env"))
  })

  it("skips an allow rule that names neither tool nor server before a gap", () => {
    for (const text of ["B*", "*", "mcp__*", "mcp__git*", "mcp__g*__x"]) {
      assert.isUndefined(allow(text).pattern)
      assert.strictEqual(allow(text).problems.length, 1)
      assert.deepStrictEqual(deny(text).pattern, any(...text.split("*")))
    }
  })

  it("skips an allow rule with parentheses after an MCP name and widens a deny", () => {
    assert.isUndefined(allow("mcp__web__go(https://a.org/*)").pattern)
    assert.deepStrictEqual(deny("mcp__web__go(https://a.org/*)").pattern, any("mcp__web__go"))
    assert.strictEqual(deny("mcp__web__go(https://a.org/*)").problems[0]?.severity, "error")
  })

  it("warns of a single slash that looks like the root", () => {
    const user = parseRule("Read(/data/private/**)", { behavior: "deny", source: "userSettings" })
    assert.strictEqual(user.problems[0]?.meant, "Read(//data/private/**)")
    assert.strictEqual(deny("Read(/home/dev/x)").problems[0]?.meant, "Read(//home/dev/x)")
    assert.deepStrictEqual(deny("Read(/src/x)").problems, [])
  })

  it("warns of an unknown tool and names the nearest", () => {
    assert.strictEqual(deny("Base(cd:*)").problems[0]?.meant, "Bash(cd:*)")
    assert.strictEqual(allow("Stop Task").problems[0]?.meant, "TaskStop")
    assert.isUndefined(allow("Stop Task").pattern)
    assert.deepStrictEqual(deny("my_tool").problems, [])
    assert.deepStrictEqual(
      parseRule("Deploy", { behavior: "deny", source: "session", known: new Set(["Deploy"]) }).problems,
      []
    )
  })

  it("says what was meant by a colon in the place of parentheses", () => {
    assert.strictEqual(deny("Bash:rm.*").problems[0]?.meant, "Bash(rm.*)")
    assert.isUndefined(deny("Bash:rm.*").pattern)
  })

  it("points at what can never match", () => {
    const colon = allow("Bash(git:* push)").problems[0]
    assert.strictEqual(colon?.meant, "Bash(git * push)")
    assert.strictEqual(colon?.offset, 8)
    assert.strictEqual(allow("Bash(grep * | *)").problems.length, 1)
    assert.strictEqual(allow("Bash(done)").problems.length, 1)
    assert.deepStrictEqual(allow("Bash(echo 'a | b *')").problems, [])
    assert.deepStrictEqual(allow("Bash(./t --filter='A:* b')").problems, [])
  })

  it("takes the host from what is more than a host, for deny", () => {
    const denied = deny("WebFetch(domain:https://a.org/x)")
    assert.deepStrictEqual(denied.pattern?.specifier, { _tag: "Domain", pattern: "a.org" })
    assert.strictEqual(deny("WebFetch(a.org)").problems[0]?.meant, "WebFetch(domain:a.org)")
    assert.strictEqual(allow("WebFetch(a.org)").pattern?.specifier._tag, "Inert")
    assert.deepStrictEqual(deny("WebFetch(url:https://a.org/*)").pattern?.specifier, {
      _tag: "Domain",
      pattern: "a.org"
    })
  })

  it("reads names that objects have by themselves like any other", () => {
    for (const text of ["toString", "__proto__", "constructor(x)", "Bash(__proto__:x)", "Agent(toString)"]) {
      assert.doesNotThrow(() => [allow(text), deny(text)])
    }
  })

  it("reads hostile texts of 30,000 characters at once", () => {
    const long = [
      "(",
      ")",
      "*",
      "\\",
      " ",
      "\t ",
      ":*",
      "a:",
      "'",
      "\"",
      "\\(",
      "Bash(",
      "(a)",
      "/",
      "/**",
      "[",
      "é",
      "**/"
    ]
    const readAll = () => {
      for (const unit of long) {
        for (const around of ["", "Bash", "Read", "Skill", "Agent", "WebFetch", "Unknown"]) {
          const body = unit.repeat(Math.floor(30_000 / unit.length))
          for (
            const text of [`${around}${body}`, `${around}(${body})`, `${around}(${body}x)`, `${around}(x${body} y)`]
          ) {
            const { pattern } = deny(text)
            if (pattern !== undefined) assert.deepStrictEqual(deny(printRule(pattern)).pattern, pattern)
          }
        }
      }
    }
    assert.isBelow(processorMillis(readAll), 30_000)
  })
})

const tokens = Schema.Literals([
  "(",
  ")",
  "*",
  "**",
  "\\",
  "\\*",
  "\\(",
  "\\)",
  "\\\\",
  " ",
  " *",
  ":*",
  ":",
  "/",
  "//",
  "~",
  "~/",
  "./",
  ".",
  "**/",
  "domain:",
  "prompt:",
  "model:",
  "command:",
  "run_in_background:",
  "C:\\",
  "\\\\srv",
  "'",
  "\"",
  "a",
  "git",
  "é",
  ",",
  "\n",
  "[x]",
  "!",
  "#",
  "mcp__a__b",
  "Bash",
  "Read",
  "limit:",
  "timeout:"
])
const tools = Schema.Literals([
  "Bash",
  "Read",
  "Edit",
  "Write",
  "Glob",
  "MultiEdit",
  "Monitor",
  "PowerShell",
  "WebFetch",
  "WebSearch",
  "Agent",
  "Task",
  "Skill",
  "SlashCommand",
  "mcp__a",
  "mcp__a__b_*",
  "Cd",
  "Other",
  "*",
  "LS",
  ""
])
const content = Arbitrary.map(Arbitrary.array(Arbitrary.schema(tokens), { maxLength: 8 }), (parts) => parts.join(""))
const end = Schema.Literals([")", ")", ")", ")", "", ") x", "\\)"])

describe("printRule", () => {
  it.prop(
    "reading what was printed gives the same pattern",
    { tool: tools, content, end, behavior: Behavior, source: RuleSource },
    ({ behavior, content, end, source, tool }) => {
      const { pattern } = parseRule(`${tool}(${content}${end}`, { behavior, source })
      if (pattern === undefined) return
      assert.deepStrictEqual(parseRule(printRule(pattern), { behavior, source }).pattern, pattern)
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop("any text gives an answer", { text: Schema.String, behavior: Behavior }, ({ behavior, text }) => {
    const parsed = parseRule(text, { behavior, source: "session" })
    assert.isTrue(parsed.pattern !== undefined || parsed.problems.length > 0)
  })
})
