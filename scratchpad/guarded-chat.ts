/** An application whose language model calls its tools through the gate: `guard` is the one word that it takes. */
import * as Chat from "effect/ai/Chat"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { layer } from "toolgate"
import { guard } from "toolgate/ai/guard"
import { model } from "./scriptedModel.ts"

const Order = Schema.Struct({ order: Schema.String })
const shop = Toolkit.make(
  AiTool.make("Status", { description: "Says where an order is.", parameters: Order, success: Schema.String }),
  AiTool.make("Refund", { description: "Gives the money back.", parameters: Order, success: Schema.String })
)
const handlers = shop.toLayer({
  Status: ({ order }) => Effect.succeed(`${order} is on its way`),
  Refund: ({ order }) => Effect.succeed(`refunded ${order}`)
})
const gate = layer({ context: { session: "shop", cwd: process.cwd(), directories: [] }, allowedTools: ["Status"] })

const program = Effect.gen(function*() {
  const chat = yield* Chat.empty
  const first = yield* chat.generateText({ prompt: "Where is A7? I want my money back.", toolkit: guard(shop) })
  yield* Effect.forEach(first.toolResults, ({ encodedResult, name }) => Console.log(name, encodedResult))
  yield* Console.log((yield* chat.generateText({ prompt: [], toolkit: guard(shop) })).text)
})
await Effect.runPromise(program.pipe(Effect.provide([model, handlers, gate])))
