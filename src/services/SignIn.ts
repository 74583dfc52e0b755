/**
 * Service boundary for the person who signs in to a server. They may sit at a
 * terminal with a browser beside it, or at an application's window.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * A page that a person has to visit. `server` is the name of the server that
 * wants it, `url` the page, of the authorization server that it named.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignInPage {
  readonly server: string
  readonly url: string
}

/**
 * Brings a person to a page where they sign in. `false` when nobody is there or
 * they don't want to. It doesn't wait for them to be done: whoever asks learns
 * that from the browser.
 *
 * @category models
 * @since 0.1.0
 */
export type Visit = (page: SignInPage) => Effect.Effect<boolean>

/**
 * Service that brings a person to where they sign in. Nobody is there unless a
 * Layer says otherwise: then a call ends with words that say how to sign in.
 *
 * **When to use**
 *
 * Provide your own where your application can show a page: a call that needs it
 * then waits for the person and goes on.
 *
 * **Example** (Showing the page in an application)
 *
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { SignIn } from "toolgate/services/SignIn"
 *
 * const shown: Array<string> = []
 * const layer = Layer.succeed(SignIn, ({ server, url }) =>
 *   Effect.sync(() => {
 *     shown.push(`${server}: ${url}`)
 *     return true
 *   }))
 *
 * const visit = Effect.flatMap(SignIn, (visit) => visit({ server: "notes", url: "https://auth.example/authorize" }))
 * Effect.runSync(Effect.provide(visit, layer)) // => true
 * ```
 *
 * @category services
 * @since 0.1.0
 */
export const SignIn = Context.Reference<Visit>("toolgate/services/SignIn", {
  defaultValue: () => () => Effect.succeed(false)
})
