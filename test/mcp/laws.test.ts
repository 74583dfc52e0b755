import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { tmpdir } from "node:os"
import { laws, ours, type Situation } from "toolgate/testing"
import { silent } from "../../src/domain/Hook.ts"
import * as ClassifierLayers from "../../src/layers/Classifier.ts"
import * as McpApprovalsLayers from "../../src/layers/McpApprovals.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { connect } from "../../src/mcp/connect.ts"
import { mcpTool } from "../../src/mcp/mcpTool.ts"
import { decide } from "../../src/permission/decide.ts"
import type { Classifier } from "../../src/services/Classifier.ts"
import { McpApprovals } from "../../src/services/McpApprovals.ts"
import type { PathResolver } from "../../src/services/PathResolver.ts"
import { RuleSources } from "../../src/services/RuleSources.ts"
import { gatherEvidence } from "../../src/stages/gatherEvidence.ts"
import { misbehaving } from "./servers.ts"

const listed = Effect.scoped(Effect.gen(function*() {
  const environment = { PATH: process.env["PATH"] }
  const { client } = yield* connect({ name: "notes", config: misbehaving(), cwd: tmpdir(), environment })
  const { tools } = yield* Effect.promise(() => client.listTools())
  return new Map(tools.map((tool) => [`mcp__notes__${tool.name}`, tool]))
}))

type Listed = Effect.Success<typeof listed>

/** Our decision, with the tools of a server made of what a real one says of them. */
const withServer =
  (tools: Listed, seen: Array<string>) => (situation: Situation): Effect.Effect<"allow" | "ask" | "deny"> => {
    const tool = tools.get(situation.tool)
    if (tool === undefined) return ours.decide(situation)
    seen.push(situation.tool)
    const { classifier, cwd, files, home, hook, hookSource = "userSettings", input, mode, rules: texts } = situation
    const context = { session: "law", cwd, mode, directories: [] }
    return Effect.gen(function*() {
      const rules = yield* RuleSources
      const made = mcpTool({
        name: situation.tool,
        server: "notes",
        tool,
        key: situation.tool,
        fingerprint: "1",
        maxResultSizeChars: 1_000,
        timeoutMillis: 1_000,
        approvals: yield* McpApprovals,
        rules,
        call: () => Effect.never
      })
      const invocation = Result.getOrThrow(made.prepare(input))
      const evidence = yield* gatherEvidence(
        {
          use: { type: "tool_use", id: "law", name: situation.tool, input },
          context,
          tool: made,
          notes: [],
          invocation,
          ask: undefined,
          hook: hook === "none"
            ? silent
            : { ...silent, decision: hook, source: hookSource, name: "hook", allowsInput: hook === "allow" },
          original: undefined,
          pending: Effect.undefined
        },
        yield* rules.policy(context),
        yield* Effect.context<Classifier | PathResolver>()
      )
      const { mustAsk, verdict } = decide(evidence)
      const sure = classifier === "allow" || classifier === "deny"
      return verdict === "ask" && !mustAsk && sure ? classifier : verdict
    }).pipe(
      Effect.provide(Layer.mergeAll(
        RuleSourcesLayers.layerMemory({ texts, home }),
        McpApprovalsLayers.layerMemory,
        PathResolverLayers.layerVirtual(files, { home }),
        ClassifierLayers.layerStatic
      ))
    )
  }

// The others are about command lines and paths, which tools of servers have none of.
const about = laws.filter(({ name }) => /rule|mode|bypass|dontAsk|denied in|grant|classifier|hook/.test(name))

// The last looks back at the others.
describe("a server's tools keep the laws, what it says of them included", { shuffle: false }, () => {
  const seen: Array<string> = []

  for (const law of about) {
    it.live(law.name, () =>
      Effect.gen(function*() {
        const result = yield* law.check(withServer(yield* listed, seen), { runs: 300, seed: "servers" })
        assert.strictEqual(result._tag, "Held", JSON.stringify(result))
      }))
  }

  it("and the laws were about them often enough", () => {
    assert.isAtLeast(about.length, 12)
    for (const name of ["list", "drop"]) assert.isAbove(seen.filter((tool) => tool.endsWith(name)).length, 50)
  })
})
