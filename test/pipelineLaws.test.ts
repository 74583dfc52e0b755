import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PathResolverLayers from "../src/layers/PathResolver.ts"
import * as ToolRegistryLayers from "../src/layers/ToolRegistry.ts"
import { Outside, pipelineLaws } from "./support/pipelineLaws.ts"
import { hangs, inputs, probe } from "./support/probes.ts"
import { context } from "./support/services.ts"

let ran = 0

pipelineLaws({
  name: "an application's own tools",
  layer: Layer.mergeAll(
    ToolRegistryLayers.layerTools([probe("Safe", true, () => ran++), probe("Alone", false, () => ran++)]),
    PathResolverLayers.layerVirtual({ "/repo": "dir" }),
    Layer.succeed(Outside, {
      context,
      begin: Effect.void,
      look: Effect.sync(() => String(ran)),
      leftovers: Effect.succeed([])
    })
  ),
  inputs: { Safe: inputs, Alone: inputs },
  hangs: (_, input) => hangs(input),
  live: false,
  runs: 1_000
})
