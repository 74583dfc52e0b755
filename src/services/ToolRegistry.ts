/**
 * Service boundary for tools. A tool may be built in, come from a server, or be
 * an application's own; callers cannot tell which.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Tool } from "../domain/Tool.ts"

/**
 * Service that knows every tool there is.
 *
 * **Details**
 *
 * No two tools share a name. An alias never hides a tool of that name.
 *
 * @category services
 * @since 0.1.0
 */
export class ToolRegistry extends Context.Service<ToolRegistry, {
  /** Every tool, in the order of registration. */
  readonly all: Effect.Effect<ReadonlyArray<Tool>>
  /** The tool of a name or alias, and which of them it was. */
  readonly find: (name: string) => Effect.Effect<
    { readonly tool: Tool; readonly by: "name" | "alias" | "deprecatedAlias" } | undefined
  >
}>()("toolgate/services/ToolRegistry") {}
