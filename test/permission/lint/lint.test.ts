import { assert, describe, it } from "@effect/vitest"
import type { HookEntry } from "../../../src/domain/Hook.ts"
import type { Rule } from "../../../src/domain/Rule.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { explain } from "../../../src/permission/decide.ts"
import { broadCommand } from "../../../src/permission/lint/broad.ts"
import { lint } from "../../../src/permission/lint/lint.ts"
import { place } from "../path/place.ts"
import { drawing, drawRules, evidenceOf, policyOf, ruleOf } from "./situations.ts"

const gate = (onFailure?: "block" | "continue"): HookEntry => ({
  event: "PreToolUse",
  matcher: "Bash",
  hook: { type: "command", command: "guard", ...(onFailure === undefined ? {} : { onFailure }) },
  source: "userSettings",
  file: "/u",
  line: 3,
  column: 5,
  order: 0
})

const kinds = (...findings: ReturnType<typeof lint>) =>
  findings.map(({ kind, rule, severity }) => `${severity} ${kind} ${rule ?? ""}`.trim())

describe("lint", () => {
  it("says nothing of rules and hooks that do what they seem to", () => {
    const rules = [
      ruleOf("Bash(npm test *)", "allow"),
      ruleOf("Read(~/.ssh/**)", "deny"),
      ruleOf("Bash(git push *)", "ask")
    ]
    assert.deepStrictEqual(lint(policyOf(rules, { hooks: [gate("block")] }), place()), [])
  })

  it("a gate without `onFailure` relies on one exit code, and the place of the hook is named", () => {
    const findings = lint(
      policyOf([], { hooks: [gate(), gate("continue"), { ...gate(), event: "PostToolUse" }] }),
      place()
    )
    assert.deepStrictEqual(findings.map(({ kind, origin }) => ({ kind, origin })), [
      { kind: "gate", origin: { source: "userSettings", file: "/u", line: 3, column: 5 } }
    ])
  })

  it("an allow rule that goes before a description of what is denied is an error", () => {
    const described = ruleOf("Bash(prompt: delete things with rm)", "deny")
    for (const text of ["Bash", "Bash(rm *)", "Bash(* x)"]) {
      const found = lint(policyOf([described, ruleOf(text, "allow")]), place())
      assert.include(kinds(...found), `error described ${text}`)
    }
    assert.deepStrictEqual(lint(policyOf([described, ruleOf("Bash(ls *)", "allow")]), place()), [])
  })

  describe("rules about MCP servers", () => {
    const servers = ["github", "Deep Graph", "my__srv"]
    const told = (texts: ReadonlyArray<string>, source: Rule["origin"]["source"], known?: ReadonlyArray<string>) =>
      lint(policyOf(texts.map((text) => ruleOf(text, "deny", source))), place(), known)
        .filter(({ kind }) => kind === "server")
        .map(({ meant, severity }) => `${severity} ${meant ?? ""}`.trim())

    it("that are configured, in part named or another program's are fine", () => {
      const texts = [
        "mcp__github",
        "mcp__github__*",
        "mcp__github__get_*",
        "mcp__gi*",
        "mcp__nothing*",
        "mcp__*",
        "*__drop",
        "mcp__Deep_Graph__x",
        "mcp__my__srv__run",
        "mcp__ide__getDiagnostics",
        "mcp__plugin_a_b__c",
        "mcp__claude_ai_Slack__post"
      ]
      assert.deepStrictEqual(told(texts, "projectSettings", servers), [])
    })

    it("that nobody configured are about nothing, and one that is nearly there was meant", () => {
      const texts = ["mcp__typo__tool", "mcp__githb", "mcp__gihtub__*", "mcp__deep_graph__x"]
      const meant = ["mcp__github", "mcp__github__*", "mcp__Deep_Graph__x"].map((text) => `warning ${text}`)
      assert.deepStrictEqual(told(texts, "projectSettings", servers), ["note", ...meant])
      assert.deepStrictEqual(told(texts, "localSettings", []), ["note", "note", "note", "note"])
      // Other projects have other servers.
      for (const source of ["userSettings", "policySettings"] as const) {
        assert.deepStrictEqual(told(texts, source, servers), meant)
      }
    })

    it("are not looked at where nobody knows the servers", () => {
      assert.deepStrictEqual(told(["mcp__typo__tool", "mcp__githb"], "projectSettings"), [])
    })
  })

  it("a rule that lets any program run is shown by a command that it covers", () => {
    const broad = (text: string) => broadCommand(ruleOf(text, "allow"))
    for (
      const text of [
        "Bash",
        "Bash(python:*)",
        "Bash(python3 -c *)",
        "Bash(bash:*)",
        "Bash(bash -c *)",
        "Bash(xargs:*)",
        "Bash(node -e *)",
        "Bash(npx *)",
        "Bash(* --version)",
        "Bash(ssh *)"
      ]
    ) {
      const command = broad(text)
      assert.isDefined(command, text)
      const call = { tool: "Bash", input: {}, subject: { _tag: "Shell", command: command ?? "" } } as const
      const { judged } = explain(evidenceOf(call, policyOf([ruleOf(text, "allow")])))
      assert.strictEqual(judged[0]?.verdict, "allow", `${text}: ${command}`)
      assert.isUndefined(readLine(command ?? "").refused)
    }
    for (
      const text of ["Bash(npm test *)", "Bash(python x.py)", "Bash(git log *)", "Bash(ls:*)", "Bash(find . -name *)"]
    ) {
      assert.isUndefined(broad(text), text)
    }
  })

  it("what reading found is passed on, and not said twice", () => {
    const origin = { source: "projectSettings", file: "/p", line: 4, column: 7 } as const
    const policy = policyOf([{ ...ruleOf("Bash(x)", "deny") }, { ...ruleOf("Bash(x)", "allow"), origin }], {
      unreadable: [{ origin: { source: "userSettings", file: "/u" }, reason: "is no JSON" }],
      diagnostics: [
        { severity: "warning", message: "the same rule is in the deny list, which wins", origin, rule: "Bash(x)" },
        { severity: "error", message: "lost", origin, rule: "Bash(", behavior: "deny", offset: 5 }
      ]
    })
    assert.deepStrictEqual(kinds(...lint(policy, place())), [
      "error unreadable",
      "error problem Bash(",
      "warning unreachable Bash(x)"
    ])
  })

  it("what a finding shows is a call that its rule matches and does not decide", () => {
    let shown = 0
    for (let seed = 1; seed <= 300; seed++) {
      const rules = drawRules(drawing(seed)).map((rule, line) => ({ ...rule, origin: { ...rule.origin, line } }))
      for (const { because, example, kind, origin, rule } of lint(policyOf(rules), place())) {
        // No pattern covers `find -delete`, so that a rule for it never matches anyway.
        if (
          kind !== "unreachable" || rule?.includes("find") === true || example?.tool !== "Bash" ||
          example.input["command"] === undefined
        ) continue
        shown++
        const call = {
          tool: "Bash",
          input: example.input,
          subject: { _tag: "Shell", command: example.input["command"] }
        } as const
        const candidates = explain(evidenceOf(call, policyOf(rules))).judged.flatMap((one) => one.candidates)
        const own = candidates.filter((one) => one.rule?.text === rule && one.rule?.origin.line === origin.line)
        assert.isTrue(own.some(({ matched }) => matched !== "no"), JSON.stringify({ seed, rule, example }))
        assert.isTrue(own.every(({ deciding }) => !deciding), JSON.stringify({ seed, rule, because, example }))
      }
    }
    assert.isAbove(shown, 30)
  })
})
