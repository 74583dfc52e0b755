import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "effect/ai/Prompt"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fromToolkit, layerToolkit } from "../../src/ai/fromToolkit.ts"
import { textOf } from "../../src/domain/ToolResult.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as pipeline from "../../src/pipeline.ts"
import type { ToolRegistry } from "../../src/services/ToolRegistry.ts"
import { context, services, use } from "../support/services.ts"

class Shelf extends Context.Service<Shelf, { readonly find: (title: string) => string }>()(
  "toolgate/test/ai/fromToolkit.test/Shelf"
) {}

const Book = Schema.Struct({ title: Schema.NonEmptyString })

const library = Toolkit.make(
  AiTool.make("Find", {
    description: "Finds a book.",
    parameters: Book,
    success: Schema.Struct({ place: Schema.String }),
    dependencies: [Shelf]
  }),
  AiTool.make("Lend", { parameters: Book, success: Schema.String, failure: Schema.Struct({ fine: Schema.Int }) }),
  AiTool.dynamic("Search", {
    description: "Searches.",
    parameters: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
    success: Schema.Array(Schema.String)
  }),
  AiTool.make("Copy", { parameters: Book, success: Schema.String, needsApproval: true }),
  AiTool.make("Picture", {
    success: Schema.String,
    toModelOutput: (path) => [Prompt.textPart({ text: `kept at ${path}` })]
  })
)

const handlers = library.toLayer({
  Find: ({ title }) => Effect.map(Shelf, ({ find }) => ({ place: find(title) })),
  Lend: ({ title }) => title === "lost" ? Effect.fail({ fine: 5 }) : Effect.succeed(`lent ${title}`),
  Search: (input) => Effect.succeed([JSON.stringify(input)]),
  Copy: () => Effect.succeed("copied"),
  Picture: () => Effect.succeed("/pictures/1")
})

const allow = ["Find", "Lend", "Search", "Copy", "Picture", "Safe", "Alone", "Gentle"]

const gated = <A, E>(
  effect: Effect.Effect<A, E, pipeline.Pipeline>,
  registry: Layer.Layer<ToolRegistry>,
  rules: { readonly allow?: ReadonlyArray<string>; readonly deny?: ReadonlyArray<string> } = {}
): Effect.Effect<A, E> =>
  Effect.provide(
    effect,
    pipeline.layer(context).pipe(
      Layer.provide(Layer.merge(
        services({ rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow, ...rules } } }) }),
        registry
      )),
      Layer.provide(TelemetryLayers.layer())
    )
  )

const running = (name: string, input: unknown) =>
  Effect.map(
    gated(
      Effect.flatMap(pipeline.Pipeline, ({ run }) => run(use(name, input))),
      layerToolkit(library).pipe(
        Layer.provide(handlers),
        Layer.provide(Layer.succeed(Shelf, { find: (title) => `shelf ${title.length}` }))
      )
    ),
    ({ content, is_error }) => [textOf(content), is_error === true] as const
  )

describe("tools of a Toolkit", () => {
  it.effect("run with what their handlers need, and give what the Toolkit would", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* running("Find", { title: "Emma" }), ["{\"place\":\"shelf 4\"}", false])
      assert.deepStrictEqual(yield* running("Lend", { title: "Emma" }), ["lent Emma", false])
      assert.deepStrictEqual(yield* running("Lend", { title: "lost" }), ["{\"fine\":5}", true])
      assert.deepStrictEqual(yield* running("Search", { words: "x" }), ["[\"{\\\"words\\\":\\\"x\\\"}\"]", false])
      assert.deepStrictEqual(yield* running("Picture", {}), ["kept at /pictures/1", false])
      const [wrong, failed] = yield* running("Find", { title: "" })
      assert.isTrue(failed)
      assert.match(wrong, /tool_use_error.*title/s)
      assert.match((yield* running("Copy", { title: "Emma" }))[0], /nobody could be asked/)
    }))

  it.effect("show their schemas to a model", () =>
    Effect.gen(function*() {
      const tools = yield* fromToolkit(library)
      assert.deepStrictEqual(tools.map(({ description, name }) => [name, description]), [
        ["Find", "Finds a book."],
        ["Lend", "The tool Lend."],
        ["Search", "Searches."],
        ["Copy", "The tool Copy."],
        ["Picture", "The tool Picture."]
      ])
      for (const tool of tools) assert.strictEqual(tool.jsonSchema()["type"], "object")
      assert.deepStrictEqual(tools[2]?.jsonSchema()["required"], ["words"])
    }).pipe(Effect.provide(handlers)))

  it.effect("leave no room for one that a provider runs", () =>
    Effect.gen(function*() {
      const web = AiTool.providerDefined({ id: "some.web", customName: "Web", providerName: "web" })()
      const exit = yield* Effect.exit(fromToolkit(Toolkit.make(web)))
      assert.match(Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "", /`Web` is run by its provider/)
    }))
})

describe("the guarded application in the scratchpad", () => {
  it("runs what is allowed, and is told what is not", () => {
    const home = mkdtempSync(join(tmpdir(), "toolgate-guarded-"))
    const env = { ...process.env, HOME: home, TOOLGATE_STATE_DIR: join(home, "state") }
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--conditions", "toolgate-source", "scratchpad/guarded-chat.ts"],
      { encoding: "utf8", env }
    )
    rmSync(home, { recursive: true, force: true })
    assert.strictEqual(status, 0)
    assert.match(stdout, /^Status A7 is on its way\nRefund \{\n {2}type: 'execution-denied'/)
    assert.match(stdout, /I may not give the money back/)
  })
})

describe("tools that bear the name of a built-in one", () => {
  it.effect("ask where a rule for that one denies some uses, since nothing tells what they touch", () =>
    Effect.gen(function*() {
      const text = { success: Schema.String }
      const toolkit = Toolkit.make(
        AiTool.make("Bash", { ...text, parameters: Schema.Struct({ command: Schema.String }) }),
        AiTool.make("Write", { ...text, parameters: Schema.Struct({ file_path: Schema.String }) }),
        AiTool.make("WebFetch", { ...text, parameters: Schema.Struct({ url: Schema.String }) })
      )
      const ran = () => Effect.succeed("it ran")
      const registry = Layer.provide(layerToolkit(toolkit), toolkit.toLayer({ Bash: ran, Write: ran, WebFetch: ran }))
      const inputs = {
        Bash: { command: "rm x" },
        Write: { file_path: ".env" },
        WebFetch: { url: "https://a.example" }
      }
      const call = (tool: keyof typeof inputs, deny: ReadonlyArray<string>) =>
        gated(
          Effect.flatMap(pipeline.Pipeline, ({ run }) => run(use(tool, inputs[tool]))),
          registry,
          { allow: [tool], deny }
        ).pipe(Effect.map(({ content }) => textOf(content)))
      for (
        const [tool, deny] of [
          ["Bash", "Bash(rm *)"],
          ["Write", "Write(.env)"],
          ["Write", "Edit(.env)"],
          ["WebFetch", "WebFetch(domain:a.example)"]
        ] as const
      ) {
        assert.strictEqual(yield* call(tool, []), "it ran")
        assert.notInclude(yield* call(tool, [deny]), "it ran", deny)
      }
    }))
})
