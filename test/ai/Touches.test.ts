import { assert, describe, it } from "@effect/vitest"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fromToolkit } from "../../src/ai/fromToolkit.ts"
import { guard } from "../../src/ai/guard.ts"
import { Touches, touching } from "../../src/ai/Touches.ts"
import { silent } from "../../src/domain/Hook.ts"
import type { Subject } from "../../src/domain/Subject.ts"
import { textOf } from "../../src/domain/ToolResult.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as pipeline from "../../src/pipeline.ts"
import { Classifier } from "../../src/services/Classifier.ts"
import { context, hooks, services, use } from "../support/services.ts"

const text = { success: Schema.String }
const Line = Schema.Struct({ line: Schema.String })

const toolkit = Toolkit.make(
  touching(
    AiTool.make("Remote", { ...text, parameters: Line }),
    ({ line }) => ({ _tag: "Shell", command: line })
  ),
  touching(
    AiTool.make("Bash", {
      ...text,
      parameters: Schema.Struct({ command: Schema.String, next: Schema.optionalKey(Schema.String) })
    }),
    ({ command, next = "true" }) => ({
      _tag: "Several",
      subjects: [{ _tag: "Shell", command }, { _tag: "Shell", command: next }]
    })
  ),
  touching(
    AiTool.make("Copy", { ...text, parameters: Schema.Struct({ from: Schema.String, to: Schema.String }) }),
    ({ from, to }) => ({
      _tag: "Several",
      subjects: [{ _tag: "File", access: "read", path: from }, { _tag: "File", access: "edit", path: to }]
    })
  ),
  touching(
    AiTool.make("Steps", { ...text, parameters: Schema.Struct({ lines: Schema.Array(Schema.String) }) }),
    ({ lines }) => ({ _tag: "Several", subjects: lines.map((command) => ({ _tag: "Shell", command })) })
  ),
  touching(
    AiTool.make("Index", { ...text, parameters: Schema.Struct({ folder: Schema.String }) }),
    ({ folder }) => ({ _tag: "Search", path: folder })
  ),
  touching(
    AiTool.make("Browse", { ...text, parameters: Schema.Struct({ url: Schema.String }) }),
    ({ url }) => ({ _tag: "Url", url: new URL(url).href })
  ),
  AiTool.dynamic("Free", { ...text, parameters: { type: "object" } }).annotate(
    Touches,
    // What an application in JavaScript may get wrong was seen by no compiler.
    (given) => (Schema.is(Line)(given) ? { _tag: "Shell" } : undefined) as unknown as Subject
  )
)

let ran = 0
const run = () => Effect.sync(() => `ran ${++ran}`)
const handlers = toolkit.toLayer({ Remote: run, Bash: run, Copy: run, Steps: run, Index: run, Browse: run, Free: run })

type Texts = Partial<Record<"allow" | "ask" | "deny", ReadonlyArray<string>>>

const gate = (texts: Texts, parts: Parameters<typeof services>[0] = {}) =>
  pipeline.layer(context).pipe(
    Layer.provide(services({
      rules: RuleSourcesLayers.layerMemory({ texts: { policySettings: texts } }),
      paths: PathResolverLayers.layerVirtual({
        "/repo": "dir",
        "/repo/a.txt": "file",
        "/repo/docs": "dir",
        "/repo/docs/one.md": "file",
        "/repo/keys": "dir",
        "/repo/keys/private.pem": "file"
      }),
      ...parts
    })),
    Layer.provide(TelemetryLayers.layer()),
    Layer.merge(handlers)
  )

const deciding = (name: string, input: unknown, texts: Texts) =>
  Effect.gen(function*() {
    const { check } = yield* pipeline.Pipeline
    return (yield* check(use(name, input))).verdict
  }).pipe(Effect.provide(
    Layer.unwrap(Effect.map(fromToolkit(toolkit), (tools) => gate(texts, { tools }))).pipe(Layer.provideMerge(handlers))
  ))

const guarded = (name: keyof typeof toolkit.tools, params: unknown) =>
  Effect.gen(function*() {
    const { handle } = yield* guard(toolkit)
    const [last] = yield* Stream.runCollect(Stream.unwrap(handle(name, params as never, "t1")))
    return last
  })

describe("a tool that says what it touches", () => {
  it.effect("is reached by the rules for that, whatever it is called", () =>
    Effect.gen(function*() {
      const allow = ["Remote", "Bash", "Copy", "Steps", "Index", "Browse"]
      for (
        const [name, input, texts, verdict] of [
          ["Remote", { line: "rm x" }, { allow }, "allow"],
          ["Remote", { line: "rm x" }, { allow, deny: ["Bash(rm *)"] }, "deny"],
          ["Remote", { line: "true && sudo rm x" }, { allow, deny: ["Bash(rm *)"] }, "deny"],
          ["Remote", { line: "make" }, { allow, deny: ["Bash(rm *)"] }, "allow"],
          ["Remote", { line: "make" }, { allow: ["Bash(make)"] }, "ask"],
          ["Remote", { line: "ls" }, {}, "allow"],
          ["Remote", { line: "cat .env" }, { allow, deny: ["Read(.env)"] }, "deny"],
          ["Remote", { line: "rm -rf /" }, { allow }, "ask"],
          ["Bash", { command: "git push" }, { allow: ["Bash(git push)"], deny: ["Bash(rm *)"] }, "allow"],
          ["Copy", { from: "a.txt", to: "b.txt" }, { allow: ["Edit(b.txt)"] }, "allow"],
          ["Copy", { from: "a.txt", to: "b.txt" }, {}, "ask"],
          ["Copy", { from: "a.txt", to: "b.txt" }, { allow, deny: ["Read(a.txt)"] }, "deny"],
          ["Copy", { from: "a.txt", to: "b.txt" }, { allow, deny: ["Edit(b.txt)"] }, "deny"],
          ["Copy", { from: "a.txt", to: ".git/config" }, { allow }, "ask"],
          [
            "Bash",
            { command: "true", next: "sort -o /other/out a.txt" },
            { allow: ["Bash(sort -o /other/out a.txt)"] },
            "allow"
          ],
          ["Steps", { lines: ["true", "sort -o /other/out a.txt"] }, { allow, deny: ["Edit(//other/**)"] }, "deny"],
          ["Steps", { lines: ["ls", "pwd"] }, {}, "allow"],
          ["Steps", { lines: ["ls", "make"] }, {}, "ask"],
          ["Steps", { lines: [] }, {}, "ask"],
          ["Index", { folder: "docs" }, { deny: ["Read(keys/**)"] }, "allow"],
          ["Index", { folder: "." }, { deny: ["Read(keys/**)"] }, "ask"],
          ["Index", { folder: "keys" }, { allow, deny: ["Read(keys/**)"] }, "deny"],
          ["Browse", { url: "https://a.example/x" }, { allow }, "allow"],
          ["Browse", { url: "https://a.example/x" }, { allow, deny: ["WebFetch(domain:a.example)"] }, "deny"],
          ["Browse", { url: "https://b.example/x" }, { allow, deny: ["WebFetch(domain:a.example)"] }, "allow"],
          ["Browse", { url: "https://a.example/x" }, { allow: ["WebFetch(domain:a.example)"] }, "ask"]
        ] as const
      ) {
        assert.strictEqual(yield* deciding(name, input, texts), verdict, JSON.stringify([name, input, texts]))
      }
    }))

  it.effect("is judged so behind a guard, too", () =>
    Effect.gen(function*() {
      const denied = yield* guarded("Remote", { line: "rm -rf build" })
      assert.deepInclude(denied?.encodedResult, { type: "execution-denied" })
      const done = yield* guarded("Remote", { line: "ls" })
      assert.isFalse(done?.isFailure)
    }).pipe(Effect.provide(gate({ allow: ["Remote"], deny: ["Bash(rm *)"] }))))

  it.effect("does not run where it can't say what, whatever allows it", () =>
    Effect.gen(function*() {
      const tools = yield* fromToolkit(toolkit)
      const before = ran
      const said = yield* Effect.gen(function*() {
        const { run } = yield* pipeline.Pipeline
        return yield* Effect.forEach([
          use("Browse", { url: "no address" }),
          use("Free", { line: "x" }),
          use("Free", {})
        ], (call) => run(call))
      }).pipe(Effect.provide(gate({ allow: ["Browse", "Free"] }, {
        tools,
        hooks: hooks({
          preToolUse: () =>
            Effect.succeed({ ...silent, decision: "allow", allowsInput: true, source: "policySettings" })
        })
      })))
      assert.deepStrictEqual(said.map(({ is_error }) => is_error), [true, true, true])
      assert.match(
        textOf(said[0]?.content ?? ""),
        /what `Browse` would touch can't be told from this input: Invalid URL/
      )
      assert.match(textOf(said[1]?.content ?? ""), /gave no subject/)
      assert.strictEqual(ran, before)
    }).pipe(Effect.provide(handlers)))

  it.effect("is held back by what is described for Bash, and not permitted by it", () =>
    Effect.gen(function*() {
      const tools = yield* fromToolkit(toolkit)
      const judging = (verdict: "allow" | "deny", name: string, input: unknown) =>
        Effect.gen(function*() {
          const { run } = yield* pipeline.Pipeline
          return textOf((yield* run(use(name, input), { ...context, mode: "auto" })).content)
        }).pipe(Effect.provide(gate({}, {
          tools,
          classifier: Layer.succeed(Classifier, {
            readOnly: () => ({ readOnly: false, why: "it is not looked at" }),
            judge: () => Effect.succeed({ verdict, description: "build it" })
          })
        })))
      assert.match(yield* judging("allow", "Bash", { command: "make" }), /^ran/)
      assert.match(yield* judging("allow", "Remote", { line: "make" }), /nobody could be asked/)
      assert.match(yield* judging("deny", "Remote", { line: "make" }), /^A description that the person wrote/)
    }).pipe(Effect.provide(handlers)))
})
