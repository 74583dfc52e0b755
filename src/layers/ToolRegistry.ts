/**
 * Layers that provide `ToolRegistry`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Tool } from "../domain/Tool.ts"
import { ToolRegistry } from "../services/ToolRegistry.ts"

/**
 * Layer that serves a list of tools. What their handlers need is taken from the
 * Layer's own context.
 *
 * **Details**
 *
 * Of two tools with one name the later wins, so that an application's own tool
 * takes the place of a built-in one. A name goes before an alias.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerTools = <R>(tools: ReadonlyArray<Tool<R>>): Layer.Layer<ToolRegistry, never, R> =>
  Layer.effect(
    ToolRegistry,
    Effect.gen(function*() {
      const context = yield* Effect.context<R>()
      const provide = <A, E>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E> =>
        // What is known at once needs nothing. The guard forgets what an exit is of.
        Exit.isExit(effect) ? effect as Exit.Exit<A, E> : Effect.provideContext(effect, context)
      const byName = new Map<string, Tool>()
      for (const tool of tools) byName.set(tool.name, closed(tool, provide))

      const all = [...byName.values()]
      const aliases = new Map(all.flatMap((tool) => tool.aliases.map((alias) => [alias, tool] as const)))
      const deprecated = new Map(all.flatMap((tool) => tool.deprecatedAliases.map((alias) => [alias, tool] as const)))
      return ToolRegistry.of({
        all: Effect.succeed(all),
        find: (name) =>
          Effect.sync(() => {
            const named = byName.get(name)
            if (named !== undefined) return { tool: named, by: "name" }
            const alias = aliases.get(name)
            if (alias !== undefined) return { tool: alias, by: "alias" }
            const old = deprecated.get(name)
            return old === undefined ? undefined : { tool: old, by: "deprecatedAlias" }
          })
      })
    })
  )

const closed = <R>(
  tool: Tool<R>,
  provide: <A, E>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E>
): Tool => ({
  ...tool,
  prepare: (input) =>
    Result.map(tool.prepare(input), (invocation) => ({
      ...invocation,
      validate: (context) => provide(invocation.validate(context)),
      check: (context) => provide(invocation.check(context)),
      run: (context) => provide(invocation.run(context))
    }))
})
