/**
 * Layers that provide `ToolRegistry`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ServicesOf, Tool } from "../domain/Tool.ts"
import { providing } from "../services/providing.ts"
import { StartsServers } from "../services/StartsServers.ts"
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
 * **Gotchas**
 *
 * A tool that no model could be given, by its name or for want of a description,
 * is a mistake of the program: the Layer dies, and says which tool it is.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerTools = <T extends Tool<unknown>>(
  tools: ReadonlyArray<T>
): Layer.Layer<ToolRegistry, never, ServicesOf<T>> =>
  // What each tool needs is among what all of them need.
  serving(tools as ReadonlyArray<Tool<ServicesOf<T>>>)

const serving = <R>(tools: ReadonlyArray<Tool<R>>): Layer.Layer<ToolRegistry, never, R> =>
  Layer.effect(
    ToolRegistry,
    Effect.gen(function*() {
      const beside = providing(yield* Effect.context<R>())
      const provide = <A, E>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E> =>
        // What is known at once needs nothing. The guard forgets what an exit is of.
        Exit.isExit(effect) ? effect as Exit.Exit<A, E> : Effect.updateContext(effect, beside)
      const unfit = tools.map(whyUnfit).find((why) => why !== undefined)
      if (unfit !== undefined) return yield* Effect.die(new Error(unfit))
      const byName = new Map<string, Tool>()
      for (const tool of tools) byName.set(tool.name, closed(tool, provide))

      const all = [...byName.values()]
      const aliases = new Map(all.flatMap((tool) => tool.aliases.map((alias) => [alias, tool] as const)))
      const deprecated = new Map(all.flatMap((tool) => tool.deprecatedAliases.map((alias) => [alias, tool] as const)))
      return ToolRegistry.of({
        all: Effect.succeed(all),
        // The list never changes: what is found is known at once.
        find: (name) => {
          const named = byName.get(name)
          if (named !== undefined) return Effect.succeed({ tool: named, by: "name" })
          const alias = aliases.get(name)
          if (alias !== undefined) return Effect.succeed({ tool: alias, by: "alias" })
          const old = deprecated.get(name)
          return old === undefined ? Effect.undefined : Effect.succeed({ tool: old, by: "deprecatedAlias" })
        }
      })
    })
  )

/**
 * Layer that adds tools from elsewhere to those of another registry. Nothing is
 * made of `theirs` before a name that the other one doesn't know is looked for
 * under `prefix`, or every tool is asked for.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerLater = <R>(
  prefix: string,
  theirs: Effect.Effect<ToolRegistry["Service"], never, R>
): Layer.Layer<ToolRegistry, never, ToolRegistry | R> =>
  Layer.effect(
    ToolRegistry,
    Effect.gen(function*() {
      const ours = yield* ToolRegistry
      let made = false
      const later = Effect.tap(
        Effect.provideContext(theirs, yield* Effect.context<R>()),
        () => Effect.sync(() => made = true)
      )
      return ToolRegistry.of({
        all: Effect.gen(function*() {
          const tools = yield* ours.all
          if (!made && !(yield* StartsServers)) return tools
          const names = new Set(tools.map(({ name }) => name))
          return [...tools, ...(yield* (yield* later).all).filter(({ name }) => !names.has(name))]
        }),
        // What the other one knows at once is known at once here too.
        find: (name) =>
          Effect.flatMapEager(
            ours.find(name),
            (found) =>
              found === undefined && name.startsWith(prefix)
                ? Effect.flatMap(later, (theirs) => theirs.find(name))
                : Effect.succeed(found)
          )
      })
    })
  )

/** What the Messages API takes. */
const whyUnfit = ({ description, name }: Pick<Tool, "description" | "name">): string | undefined =>
  !/^[a-zA-Z0-9_-]{1,128}$/.test(name)
    ? `a tool can't be named \`${name}\`: use 1 to 128 letters, digits, \`_\` and \`-\``
    : description.trim() === ""
    ? `the tool \`${name}\` needs a description, by which a model knows what it is for`
    : undefined

const closed = <R>(
  tool: Tool<R>,
  provide: <A, E>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E>
): Tool => ({
  ...tool,
  prepare: (input) =>
    Result.map(tool.prepare(input), (invocation) => {
      const { precondition } = invocation
      return {
        ...invocation,
        validate: (context) => provide(invocation.validate(context)),
        check: (context) => provide(invocation.check(context)),
        precondition: precondition && ((context) => provide(precondition(context))),
        run: (context) => provide(invocation.run(context))
      }
    })
})
