import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { REPL } from "../../src/repl/REPL.ts"
import * as Sessions from "../../src/repl/Sessions.ts"
import { pick } from "../../src/testing/arbitraries/oneOf.ts"
import { mostly, Outside, pipelineLaws } from "../support/pipelineLaws.ts"
import { hangs, inputs, probe } from "../support/probes.ts"
import { context } from "../support/services.ts"
import { oddCode } from "./oddCode.ts"

const calls = Arbitrary.map(
  Arbitrary.all({
    tool: pick("Safe", "Alone"),
    input: inputs,
    waits: pick("await ", "", "return "),
    tries: pick("", "try")
  }),
  ({ input, tool, tries, waits }) => {
    const call = `${waits}tools.${tool}(${JSON.stringify(input)})`
    return tries === "" ? call : `try { ${call} } catch (error) { console.log(error.message) }`
  }
)

const odd = Arbitrary.map(pick(...oddCode, "'a\0b'"), (text) => text.replaceAll("tools.Echo", "tools.Safe"))

const code = Arbitrary.map(
  Arbitrary.array(mostly(calls, odd), { minLength: 1, maxLength: 4 }),
  (lines) => lines.join("\n")
)

let ran = 0

pipelineLaws({
  name: "the REPL, and the tools that its code calls",
  layer: Layer.mergeAll(
    ToolRegistryLayers.layerTools([REPL, probe("Safe", true, () => ran++), probe("Alone", false, () => ran++)]).pipe(
      Layer.provide(Sessions.layer())
    ),
    PathResolverLayers.layerVirtual({ "/repo": "dir" }),
    Layer.succeed(Outside, {
      context,
      begin: Effect.void,
      look: Effect.sync(() => String(ran)),
      leftovers: Effect.succeed([])
    })
  ),
  inputs: {
    REPL: Arbitrary.all({ code, timeout: mostly(pick("20000"), pick("50", "x")) }),
    Safe: inputs,
    Alone: inputs
  },
  hangs: (tool, input) => tool !== "REPL" && hangs(input),
  live: true,
  runs: 200
})
