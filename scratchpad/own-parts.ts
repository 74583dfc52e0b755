/**
 * Puts a pipeline together of parts of one's own choosing: rules from nowhere but
 * this file, a session that is forgotten, and a tool. No settings file of the
 * machine has a say.
 *
 * Run it with `npx node --conditions=toolgate-source scratchpad/own-parts.ts`.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerPipeline, Pipeline, Tool, ToolResult } from "toolgate"
import * as Approver from "toolgate/layers/Approver"
import * as Classifier from "toolgate/layers/Classifier"
import * as DenialTracker from "toolgate/layers/DenialTracker"
import * as HookRunner from "toolgate/layers/HookRunner"
import * as PathResolver from "toolgate/layers/PathResolver"
import * as ResultStore from "toolgate/layers/ResultStore"
import * as RuleSources from "toolgate/layers/RuleSources"
import * as SessionStore from "toolgate/layers/SessionStore"
import * as ToolRegistry from "toolgate/layers/ToolRegistry"

const greet = Tool.make({
  name: "Greet",
  description: "Greets somebody.",
  input: Schema.Struct({ whom: Schema.NonEmptyString }),
  handler: ({ whom }) => Effect.succeed(`hello ${whom}`)
})

const parts = Layer.mergeAll(
  RuleSources.layerMemory({ texts: { flagSettings: { allow: ["Greet"], deny: ["Greet(whom:Mallory)"] } } }),
  ToolRegistry.layerTools([greet]),
  HookRunner.layerCommands,
  Approver.layerDeny("nobody is asked here"),
  Classifier.layerStatic,
  DenialTracker.layerSession(),
  ResultStore.layerFiles(join(tmpdir(), "own-parts"))
).pipe(
  Layer.provideMerge([SessionStore.layerMemory, PathResolver.layerNode()]),
  Layer.provide(NodeFileSystem.layer)
)

const program = Effect.gen(function*() {
  const pipeline = yield* Pipeline
  for (const whom of ["Alice", "Mallory"]) {
    const result = yield* pipeline.run({ type: "tool_use", id: `toolu_${whom}`, name: "Greet", input: { whom } })
    yield* Console.log(ToolResult.textOf(result.content))
  }
})

const context = { session: "parts", cwd: process.cwd(), directories: [] }
await program.pipe(Effect.provide(Layer.provide(layerPipeline(context), parts)), Effect.runPromise)
