/**
 * Brings a tool and an approver of its own: whoever is on duty is asked, and a
 * large refund is never theirs to allow.
 *
 * Run it with `npx node --conditions=toolgate-source scratchpad/own-tool.ts`.
 */
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layer, Pipeline, Tool, ToolResult } from "toolgate"
import * as Approver from "toolgate/layers/Approver"

class Ledger extends Context.Service<Ledger, {
  readonly refund: (order: string, cents: number) => Effect.Effect<string>
}>()("toolgate/scratchpad/own-tool/Ledger") {}

const layerLedger = Layer.succeed(Ledger, {
  refund: (order, cents) => Effect.succeed(`refunded ${cents / 100} for ${order}`)
})

const refund = Tool.make({
  name: "Refund",
  description: "Gives a customer their money back.",
  input: Schema.Struct({
    order: Schema.NonEmptyString,
    cents: Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0)))
  }),
  check: ({ cents }) =>
    Effect.succeed(
      cents > 100_000
        ? { _tag: "Deny", reason: "refunds above 1,000 are made by accounting" }
        : { _tag: "NoOpinion" }
    ),
  handler: ({ cents, order }) => Effect.flatMap(Ledger, (ledger) => ledger.refund(order, cents))
})

const onDuty = Approver.layerFunction(({ input }) =>
  Effect.as(Console.log("on duty, asked about", input), { _tag: "Once" } as const)
)

const program = Effect.gen(function*() {
  const pipeline = yield* Pipeline
  const results = yield* pipeline.runAll([
    { type: "tool_use", id: "toolu_1", name: "Refund", input: { order: "A-17", cents: "2500" } },
    { type: "tool_use", id: "toolu_2", name: "Refund", input: { order: "A-18", cents: 500_000 } }
  ])
  for (const result of results) yield* Console.log(ToolResult.textOf(result.content))
})

await program.pipe(
  Effect.provide(
    Layer.provide(
      layer({
        context: { session: "shop", cwd: process.cwd(), directories: [] },
        tools: [refund],
        approver: onDuty
      }),
      layerLedger
    )
  ),
  Effect.runPromise
)
