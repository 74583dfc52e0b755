import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Policy } from "../../../src/domain/Policy.ts"
import type { RuleSource } from "../../../src/domain/Rule.ts"
import { layerMemory } from "../../../src/layers/RuleSources.ts"
import { RuleSources } from "../../../src/services/RuleSources.ts"
import { context } from "../../support/services.ts"

const policy = (
  settings: { readonly [Source in RuleSource]?: unknown },
  trusted = true
): Effect.Effect<Policy> =>
  Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
    Effect.provide(layerMemory({
      trusted,
      files: Object.fromEntries(Object.entries(settings).map(([source, value]) => [source, JSON.stringify(value)]))
    }))
  )

const hook = (url: string) => ({ hooks: { PreToolUse: [{ hooks: [{ type: "http", url }] }] } })

describe("the settings `allowedHttpHookUrls` and `httpHookAllowedEnvVars`", () => {
  it.effect("say nothing unless somebody names them", () =>
    Effect.gen(function*() {
      assert.isUndefined((yield* policy({ userSettings: hook("https://a.example/") })).httpHooks)
    }))

  it.effect("managed lists stand alone; those of other places make one, without what nobody trusts", () =>
    Effect.gen(function*() {
      const lists = (...urls: ReadonlyArray<string>) => ({ allowedHttpHookUrls: urls, httpHookAllowedEnvVars: urls })
      const of = (settings: Parameters<typeof policy>[0], trusted?: boolean) =>
        Effect.map(policy(settings, trusted), ({ httpHooks }) => [httpHooks?.allowedUrls, httpHooks?.allowedEnvVars])
      const others = { userSettings: lists("A"), projectSettings: lists("B"), flagSettings: lists("A", "C") }
      assert.deepStrictEqual(yield* of({ ...others, policySettings: lists("M") }), [["M"], ["M"]])
      assert.deepStrictEqual(yield* of({ ...others, policySettings: lists() }), [[], []])
      assert.deepStrictEqual(yield* of(others), [["A", "B", "C"], ["A", "B", "C"]])
      assert.deepStrictEqual(yield* of(others, false), [["A", "C"], ["A", "C"]])
    }))

  it.effect("a list that can't be read allows nothing, and an entry that can't only itself", () =>
    Effect.gen(function*() {
      const { diagnostics, httpHooks } = yield* policy({
        policySettings: { allowedHttpHookUrls: "https://a.example/*", httpHookAllowedEnvVars: ["A", 1] }
      })
      assert.deepStrictEqual(httpHooks, { allowedUrls: [], allowedEnvVars: ["A"] })
      assert.deepStrictEqual(diagnostics.map(({ severity }) => severity), ["error", "error"])
    }))

  it.effect("a hook whose address is not allowed is pointed out where it stands", () =>
    Effect.gen(function*() {
      const { diagnostics } = yield* policy({
        policySettings: { allowedHttpHookUrls: ["https://a.example/*"] },
        userSettings: hook("https://a.example/gate"),
        projectSettings: hook("https://b.example/gate")
      })
      assert.deepStrictEqual(diagnostics.map(({ origin, severity }) => [severity, origin.source, origin.line]), [
        ["error", "projectSettings", 1]
      ])
    }))

  it.effect("what keeps a hook from every call is an error before a tool", () =>
    Effect.gen(function*() {
      const told = (group: object) =>
        Effect.map(
          policy({ userSettings: { hooks: { PreToolUse: [group] } } }),
          ({ diagnostics }) => diagnostics.map(({ message, severity }) => `${severity}: ${message}`)
        )
      for (const matcher of ["Bash(git *)", " Edit(src) ", "/Bash/", "/^Bash$/i"]) {
        assert.deepStrictEqual(yield* told({ matcher, hooks: [{ type: "command", command: "gate" }] }), [
          `error: the matcher \`${matcher}\` matches no name of a tool; a rule such as \`Bash(git *)\` belongs into \`if\``
        ])
      }
      for (const matcher of ["mcp__notes", "Bash|mcp__notes", "mcp__a-b, Edit"]) {
        const [first] = yield* told({ matcher, hooks: [{ type: "command", command: "gate" }] })
        assert.match(
          first ?? "",
          /^warning: `(mcp__[a-z-]+)` is the name of a server .*; `\1__\.\*` was probably meant$/
        )
      }
      for (
        const matcher of [
          "mcp__notes__add",
          "mcp__notes__.*|Bash",
          "Bash()",
          "Bash(Output)?",
          "^(Bash|Edit)$",
          "mcp__.*",
          "(?!Bash).*",
          "(Bash)"
        ]
      ) {
        assert.deepStrictEqual(yield* told({ matcher, hooks: [{ type: "command", command: "gate" }] }), [])
      }
    }))

  it.effect("an `if` that is no one rule lets its hook run for every call, and is told", () =>
    Effect.gen(function*() {
      const read = (condition: unknown) =>
        policy({
          userSettings: { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "gate", if: condition }] }] } }
        })
      for (const condition of ["Bash(a *)|Bash(b *)", "Bash(a), Bash(b)", "Bash(a) || Edit", ["Bash(a)"], 5]) {
        const { diagnostics, hooks } = yield* read(condition)
        assert.isUndefined(hooks[0]?.hook.if)
        assert.match(diagnostics.map(({ message }) => message).join(), /^`if` is the text of one rule, not /)
      }
      for (const condition of ["Bash(git commit:*)", "Bash(a | b)", "Bash((a) | b)", "Edit(x)", "Bash"]) {
        const { diagnostics, hooks } = yield* read(condition)
        assert.strictEqual(hooks[0]?.hook.if, condition)
        assert.deepStrictEqual(diagnostics, [])
      }
      const { diagnostics } = yield* read("bash(git *)")
      assert.match(diagnostics[0]?.message ?? "", /^no tool is named `bash`, so that this hook never runs; `Bash`/)
    }))

  it.effect("a matcher that is no expression is an error before a tool, at its place", () =>
    Effect.gen(function*() {
      const group = { matcher: "Bash(", hooks: [{ type: "command", command: "true" }] }
      const { diagnostics } = yield* policy({ userSettings: { hooks: { PreToolUse: [group], PostToolUse: [group] } } })
      assert.deepStrictEqual(diagnostics.map(({ message, origin, severity }) => [severity, origin.line, message]), [
        ["error", 1, "the matcher `Bash(` is no regular expression, so that its hooks run for every tool"],
        ["warning", 1, "the matcher `Bash(` is no regular expression, so that its hooks run for every tool"]
      ])
    }))
})
