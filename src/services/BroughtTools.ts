/**
 * Tools that whoever asks for a call brings along for it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Tool } from "../domain/Tool.ts"
import { ToolRegistry } from "./ToolRegistry.ts"

/**
 * Reference to tools that exist for one call only. They go before those of the
 * registry.
 *
 * @category services
 * @since 0.1.0
 */
export const BroughtTools = Context.Reference<ReadonlyArray<Tool>>("toolgate/services/BroughtTools", {
  defaultValue: () => []
})

/**
 * Finds the tool of a name: among those that were brought along, then in the
 * registry.
 *
 * @category getters
 * @since 0.1.0
 */
export const findTool = (
  services: Context.Context<ToolRegistry>,
  name: string
): ReturnType<ToolRegistry["Service"]["find"]> => {
  const brought = Context.get(services, BroughtTools).find((tool) => tool.name === name)
  return brought === undefined
    ? Context.get(services, ToolRegistry).find(name)
    : Effect.succeed({ tool: brought, by: "name" })
}
