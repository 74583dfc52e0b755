import { assert, describe, it } from "@effect/vitest"
import type { Behavior } from "../../../src/domain/Rule.ts"
import { redundant } from "../../../src/permission/lint/redundant.ts"
import { place } from "../path/place.ts"
import { drawCall, drawHook, drawing, drawMode, drawRules, outcome, policyOf, ruleOf } from "./situations.ts"

const seeds = Number(process.env["LINT_SEEDS"] ?? 800)

const found = (...texts: ReadonlyArray<string>) =>
  redundant(
    texts.map((text, line) => {
      const [behavior = "", rule = ""] = [text.slice(0, text.indexOf(" ")), text.slice(text.indexOf(" ") + 1)]
      // The texts of this file begin with one of the three.
      return ruleOf(rule, behavior as Behavior, "userSettings", line + 1)
    }),
    place()
  ).map(({ because, kind, rule }) => `${kind}: ${rule.behavior} ${rule.text} < ${because.behavior} ${because.text}`)

describe("redundant", () => {
  it("an allow rule that a deny or ask rule covers never counts", () => {
    assert.deepStrictEqual(found("allow Bash(git push *)", "deny Bash(git *)"), [
      "unreachable: allow Bash(git push *) < deny Bash(git *)"
    ])
    assert.deepStrictEqual(found("ask Bash(npm publish)", "allow Bash(npm publish)"), [
      "unreachable: allow Bash(npm publish) < ask Bash(npm publish)"
    ])
    assert.deepStrictEqual(found("ask Read(secrets/**)", "deny Read", "allow Read(secrets/a)").length, 2)
  })

  it("a rule that a wider one of its kind covers adds nothing", () => {
    assert.deepStrictEqual(found("allow Bash(npm run test *)", "allow Bash(npm run *)"), [
      "contained: allow Bash(npm run test *) < allow Bash(npm run *)"
    ])
    assert.deepStrictEqual(found("deny Read(src/secrets/**)", "deny Read(secrets/**)").length, 1)
    assert.deepStrictEqual(found("allow Edit(src/a/**)", "allow Edit(./src/**)"), [
      "contained: allow Edit(src/a/**) < allow Edit(./src/**)"
    ])
    assert.deepStrictEqual(
      found("allow WebFetch(domain:a.example.com)", "allow WebFetch(domain:*.example.com)").length,
      1
    )
    assert.deepStrictEqual(found("allow mcp__s__get_a", "allow mcp__s__get_*", "allow mcp__s").length, 2)
  })

  it("of equal rules the first one stays, however they are spelled", () => {
    assert.deepStrictEqual(found("allow Bash(ls:*)", "allow Bash(ls *)", "allow Bash(ls  *)"), [
      "duplicate: allow Bash(ls *) < allow Bash(ls:*)",
      "duplicate: allow Bash(ls  *) < allow Bash(ls:*)"
    ])
  })

  it("what is not surely covered is not reported", () => {
    for (
      const pair of [
        ["allow Bash(git *)", "deny Bash(git push *)"],
        // Bare commands and longer names.
        ["allow Bash(git*)", "deny Bash(git *)"],
        // To spell out a command allows what no pattern does.
        ["allow Bash(find . -delete)", "allow Bash(find *)"],
        ["allow Bash(touch /etc/x)", "allow Bash(touch *)"],
        ["allow Bash(npm test && rm x)", "allow Bash(npm *)"],
        // The shell's own word `time` is no command, so that only the rule for the whole line says something of it.
        ["allow Bash(time make)", "deny Bash(time *)"],
        // To allow edits allows reading, too.
        ["allow Edit(src/**)", "deny Edit(src/**)"],
        ["allow Read(src/**)", "deny Edit(src/**)"],
        // A search above the folder leaves out what is denied, and asks about the other.
        ["ask Read(src/a/**)", "deny Read(src/**)"],
        // An allow rule for a folder stays at the top, one that denies does not.
        ["deny Read(a/src/**)", "deny Read(/src/**)"],
        ["allow WebFetch(domain:example.com)", "allow WebFetch(domain:*.example.com)"],
        // Whose tool this is can't be told.
        ["allow mcp__a__b__c", "deny mcp__a__b"],
        ["allow Bash(echo \"a b\")", "allow Bash(echo *)"]
      ]
    ) assert.deepStrictEqual(found(...pair), [], pair.join(", "))
  })

  it("a rule of managed settings is not replaced by one that a hook's allow sets aside", () => {
    const rules = [ruleOf("Bash(rm *)", "deny"), ruleOf("Bash(rm *)", "deny", "policySettings")]
    assert.deepStrictEqual(redundant(rules, place()).map(({ rule }) => rule.origin.source), ["userSettings"])
  })

  it("10,000 rules are compared in a few seconds", () => {
    const rules = Array.from({ length: 10_000 }, (_, line) => ruleOf(`Bash(tool${line % 2000} run${line} *)`, "allow"))
    assert.deepStrictEqual(redundant(rules, place()), [])
    const paths = Array.from({ length: 1000 }, (_, line) => ruleOf(`Read(src/dir${line}/**)`, "deny"))
    assert.deepStrictEqual(redundant(paths, place()), [])
  })

  it("taking away a rule that is reported, or all of them, never changes a decision", () => {
    let reported = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const draw = drawing(seed)
      const rules = drawRules(draw)
      const idle = redundant(rules, place())
      reported += idle.length
      if (idle.length === 0) continue
      const [mode, hook] = [drawMode(draw), drawHook(draw)]
      const hookAllow = draw.of(["skips", "yields"] as const)
      const all = policyOf(rules, { mode, hookAllow })
      const smaller = [
        policyOf(rules.filter((rule) => idle.every((one) => one.rule !== rule)), { mode, hookAllow }),
        ...idle.map(({ rule }) => policyOf(rules.filter((other) => other !== rule), { mode, hookAllow }))
      ]
      for (let count = 0; count < 20; count++) {
        const call = drawCall(draw)
        const before = outcome(call, all, hook)
        for (const policy of smaller) {
          const after = outcome(call, policy, hook)
          if (after === before) continue
          const shown = (rules: typeof all.rules) =>
            rules.map(({ behavior, origin, text }) => `${origin.source} ${behavior} ${text}`)
          assert.fail(
            JSON.stringify(
              { seed, call, mode, hook: hook.decision, before, after, all: shown(rules), left: shown(policy.rules) },
              null,
              1
            )
          )
        }
      }
    }
    assert.isAbove(reported, seeds / 2)
  })
})
