/**
 * Stage 1: finds the tool by its name, then by an alias. A deprecated alias
 * works and says in the result what the tool is called now.
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AskedCall, FoundCall } from "../domain/Call.ts"
import { nearest } from "../domain/nearest.ts"
import { type LookupError, ToolNotFound } from "../errors/LookupError.ts"
import { findTool } from "../services/BroughtTools.ts"
import { StartsServers } from "../services/StartsServers.ts"
import { ToolRegistry } from "../services/ToolRegistry.ts"
import { soFar } from "./soFar.ts"

/**
 * Finds the tool that a call asks for.
 *
 * @category stages
 * @since 0.1.0
 */
export const lookup = (
  call: AskedCall,
  services: Context.Context<ToolRegistry>
): Effect.Effect<FoundCall, LookupError, ToolRegistry> =>
  Effect.flatMapEager(findTool(services, call.use.name), (found) => {
    if (found === undefined) return notFound(call)
    const { by, tool } = found
    call.watch?.found(tool.name)
    return Effect.succeed({
      ...call,
      tool,
      notes: by === "deprecatedAlias"
        ? [{ audience: "model", text: `the tool \`${call.use.name}\` is deprecated, use \`${tool.name}\`` }]
        : []
    })
  })

const notFound = Effect.fnUntraced(function*(
  call: AskedCall
): Effect.fn.Return<never, ToolNotFound, ToolRegistry> {
  // A name that nobody knows is no reason to start every server.
  const tools = yield* Effect.provideService((yield* ToolRegistry).all, StartsServers, false)
  const names = tools.flatMap((tool) => [tool.name, ...tool.aliases])
  return yield* new ToolNotFound({ call: soFar(call), nearest: nearest(call.use.name, names) })
})
