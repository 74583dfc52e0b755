import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { callArguments } from "../../src/cli/callArguments.ts"
import { plainForm } from "../../src/cli/plainForm.ts"
import type { Given } from "../../src/cli/readToolUse.ts"
import { root, type Shared } from "../../src/cli/root.ts"
import { noFlags } from "../../src/cli/runPlain.ts"

/** What the parser of the command line makes of a check. */
const parsed = (args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const seen: Array<{ readonly given: Given; readonly shared: Shared }> = []
    const check = Command.make("check", callArguments, (given) =>
      Effect.map(root, (shared) => {
        seen.push({ given, shared })
      }))
    yield* Command.runWith(root.pipe(Command.withSubcommands([check])), { version: "0" })(args)
    return seen
  }).pipe(Effect.provide(NodeServices.layer))

describe("plainForm", () => {
  it.effect.each<ReadonlyArray<string>>([
    ["check", "Bash", "{\"command\":\"ls\"}"],
    ["check", "Bash", "{\"command\":\"ls\"}", "--json"],
    ["check", "Read", "-"],
    ["check", "mcp__a__b", "@input.json", "--json"],
    ["check", "Bash", "=x"]
  ])("reads what the parser reads: %j", (args) =>
    Effect.gen(function*() {
      const form = plainForm(args)
      const [seen] = yield* parsed(args)
      if (form?.command !== "check" || seen === undefined) return assert.fail("both have to read it")
      const { given: { input, tool, toolUse }, shared } = seen
      assert.deepStrictEqual([tool, input, toolUse].map((option) => "value" in option ? option.value : undefined), [
        form.tool,
        form.input,
        undefined
      ])
      // The parser keeps something of its own beside the flags.
      assert.deepStrictEqual(Object.fromEntries(Object.entries(shared)), { ...noFlags, json: form.json })
    }))

  it("leaves everything else to the parser", () => {
    for (
      const args of [
        [],
        ["--help"],
        ["check"],
        ["check", "Bash"],
        ["check", "--help"],
        ["check", "Bash", "--help"],
        ["check", "--json", "Bash", "{}"],
        ["check", "Bash", "{}", "--jso"],
        ["check", "Bash", "{}", "--json", "more"],
        ["check", "", "{}"],
        ["check", "Bash", ""],
        ["--cwd", "check", "Bash"],
        ["call", "Bash", "{}"],
        ["hook", "--help"],
        ["hook", "--cwd", "."]
      ]
    ) assert.isUndefined(plainForm(args), args.join(" "))
  })

  it("reads a hook without flags", () => {
    assert.deepStrictEqual(plainForm(["hook"]), { command: "hook" })
  })
})
