import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerToolkit } from "../../src/ai/fromToolkit.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import { pick } from "../../src/testing/arbitraries/oneOf.ts"
import { Outside, pipelineLaws } from "../support/pipelineLaws.ts"
import { context } from "../support/services.ts"

const parameters = Schema.Struct({ does: Schema.String, n: Schema.Int })
const results = {
  description: "a tool",
  parameters,
  success: Schema.Struct({ text: Schema.String }),
  failure: Schema.String
}

const toolkit = Toolkit.make(
  AiTool.make("Safe", results).annotate(AiTool.Readonly, true),
  AiTool.make("Alone", results),
  AiTool.make("Gentle", { ...results, failureMode: "return" }),
  AiTool.make("Careful", { ...results, needsApproval: true }),
  AiTool.make("Picky", {
    ...results,
    needsApproval: ({ does, n }) => {
      if (does === "throws") throw new Error("bug in the question")
      return n > 5
    }
  }),
  AiTool.dynamic("Free", { description: "a tool", parameters: { type: "object" }, success: Schema.Unknown })
)

let ran = 0

const handler = (does: unknown): Effect.Effect<{ readonly text: string }, string> =>
  Effect.suspend(() => {
    ran++
    switch (does) {
      case "fails":
        return Effect.fail("no \udc00")
      case "throws":
        throw new Error("bug")
      case "dies":
        return Effect.die(undefined)
      case "interrupts itself":
        return Effect.interrupt
      case "hangs":
        return Effect.never
      case "gives something else":
        // What a handler gives at run time was seen by no compiler.
        return Effect.succeed({ text: 1 } as unknown as { readonly text: string })
      default:
        return Effect.succeed({ text: "\ud800 given".repeat(does === "gives much" ? 10_000 : 1) })
    }
  })

const handlers = toolkit.toLayer({
  Safe: ({ does }, { preliminary }) =>
    Effect.andThen(
      does === "streams" ? Effect.forEach([1, 2], (n) => preliminary({ text: `${n}` })) : Effect.void,
      handler(does)
    ),
  Alone: ({ does }) => handler(does),
  Gentle: ({ does }) => handler(does),
  Careful: ({ does }) => handler(does),
  Picky: ({ does }) => handler(does),
  Free: (input) => Effect.orDie(handler(Object(input).does))
})

const input = Arbitrary.all({
  does: pick(
    "gives",
    "gives much",
    "gives something else",
    "streams",
    "fails",
    "throws",
    "dies",
    "interrupts itself",
    "hangs"
  ),
  n: pick("3", "9")
})

pipelineLaws({
  name: "the tools of a Toolkit",
  layer: Layer.mergeAll(
    layerToolkit(toolkit).pipe(Layer.provide(handlers)),
    PathResolverLayers.layerVirtual({ "/repo": "dir" }),
    Layer.succeed(Outside, {
      context,
      begin: Effect.void,
      look: Effect.sync(() => String(ran)),
      leftovers: Effect.succeed([])
    })
  ),
  inputs: { Safe: input, Alone: input, Gentle: input, Careful: input, Picky: input, Free: input },
  asks: ["Careful"],
  hangs: (_, input) => Object(input).does === "hangs",
  live: false,
  runs: 500
})
