/**
 * Layers that provide `McpServers`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SignInFailed } from "../errors/SignInFailed.ts"
import { McpServers } from "../services/McpServers.ts"

/**
 * Layer of no servers at all.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNone: Layer.Layer<McpServers> = Layer.succeed(McpServers, {
  status: Effect.succeed({ servers: [], diagnostics: [] }),
  ready: Effect.void,
  signIn: (server) => Effect.fail(new SignInFailed({ server, reason: "no server of this name is configured" })),
  signOut: () => Effect.succeed([])
})

/**
 * Layer of servers that are made once something is asked of them.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerLater = <R>(
  servers: Effect.Effect<McpServers["Service"], never, R>
): Layer.Layer<McpServers, never, R> =>
  Layer.effect(
    McpServers,
    Effect.map(Effect.context<R>(), (context) => {
      const later = Effect.provideContext(servers, context)
      return {
        status: Effect.flatMap(later, ({ status }) => status),
        ready: Effect.flatMap(later, ({ ready }) => ready),
        signIn: (server, visit) => Effect.flatMap(later, ({ signIn }) => signIn(server, visit)),
        signOut: (server) => Effect.flatMap(later, ({ signOut }) => signOut(server))
      }
    })
  )
