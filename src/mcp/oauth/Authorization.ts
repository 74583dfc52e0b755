/**
 * What a connection to a server is authorized by: the tokens that are kept of a
 * person's sign-in, or a grant of the configuration's own.
 *
 * @since 0.1.0
 */
import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientProvider,
  UnauthorizedError
} from "@modelcontextprotocol/client"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { StoreFailed } from "../../errors/SessionError.ts"
import type { SignInFailed } from "../../errors/SignInFailed.ts"
import type { Visit } from "../../services/McpServers.ts"
import { authorizesItself, isStdio, type ServerConfig } from "../ServerConfig.ts"
import type { Credentials } from "./Credentials.ts"
import * as CredentialStore from "./CredentialStore.ts"
import { grantProvider } from "./grantProvider.ts"
import { renew, type RenewalFailed } from "./renew.ts"
import { type Challenge, type OAuthServer, signIn } from "./signIn.ts"
import { withoutTokens } from "./withoutTokens.ts"

/**
 * The authorization of connections to one server.
 *
 * **Details**
 *
 * - `authProvider`: for the transport. It renews tokens by itself and never asks
 *   a person: where only a sign-in helps, a request fails with the library's
 *   `UnauthorizedError`.
 * - `fetch`: wraps what the transport fetches with, to learn what the server
 *   wants, and to take out every token that it repeats.
 * - `signIn`: takes a person through a sign-in; requests that are made
 *   afterwards are authorized by it.
 * - `standing`: whether a person signed in, and whether the server asked for more
 *   since than they granted. Where the configuration grants nobody has to.
 *
 * @category models
 * @since 0.1.0
 */
export interface Authorization {
  readonly authProvider: AuthProvider | OAuthClientProvider
  readonly fetch: (next: FetchLike) => FetchLike
  readonly signIn: (visit: Visit) => Effect.Effect<void, SignInFailed | StoreFailed>
  readonly standing: Effect.Effect<"none" | "enough" | "too little", StoreFailed>
}

/**
 * Makes the authorization of a server from its configuration and what is kept in
 * the state directory. Nothing for a server that is a program, and for one whose
 * headers authorize it already.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function*(
  stateDirectory: string,
  { config, name }: { readonly name: string; readonly config: ServerConfig }
): Effect.fn.Return<Authorization | undefined, never, FileSystem.FileSystem | Path.Path> {
  if (isStdio(config) || authorizesItself(config)) return undefined
  const server: OAuthServer = { name, url: config.url, oauth: config.oauth ?? {} }
  const store = yield* CredentialStore.make(stateDirectory, server)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const granted = grantProvider(server.oauth)
  const sent = new Set<string>()
  const sentWith = new WeakMap<Response, string>()
  let challenge: Challenge = {}

  const token = Effect.gen(function*() {
    const kept = yield* store.read
    if (kept === undefined || !(yield* isOver(kept))) return kept?.tokens.access_token
    // Where it can't be renewed now, the server has the last word on the one that is there.
    const renewed = yield* Effect.orElseSucceed(renew(store, kept.tokens.access_token), () => kept)
    return renewed?.tokens.access_token
  })
  const renewed = (response: Response): Effect.Effect<boolean, RenewalFailed | StoreFailed> =>
    Effect.suspend(() => {
      challenge = extractWWWAuthenticateParams(response)
      return Effect.map(renew(store, sentWith.get(response)), (kept) => kept !== undefined)
    })
  const onForbidden = Effect.fnUntraced(function*(response: Response) {
    const asked = extractWWWAuthenticateParams(response)
    if (asked.error !== "insufficient_scope") return
    challenge = asked
    yield* store.exclusively(Effect.gen(function*() {
      const kept = yield* store.read
      const wanted = computeScopeUnion(kept?.scope, kept?.wanted, asked.scope)
      if (kept !== undefined && wanted !== undefined) yield* store.write({ ...kept, wanted })
    }))
  })

  return {
    authProvider: granted ?? {
      token: () => run(token),
      onUnauthorized: async ({ response }) => {
        if (!(await run(renewed(response)))) throw new UnauthorizedError()
      }
    },
    fetch: (next) => async (url, init) => {
      const bearer = /^Bearer (.+)$/i.exec(new Headers(init?.headers).get("authorization") ?? "")?.[1]
      const response = await next(url, init)
      if (bearer === undefined) return response
      sent.add(bearer)
      const shown = await refusal(withoutTokens(response, sent))
      sentWith.set(shown, bearer)
      if (shown.status === 403 && granted === undefined) await run(Effect.ignore(onForbidden(shown)))
      return shown
    },
    signIn: (visit) => Effect.suspend(() => signIn(server, store, challenge, visit)),
    standing: Effect.map(
      store.read,
      (kept) =>
        kept === undefined || granted !== undefined ? "none" : kept.wanted === undefined ? "enough" : "too little"
    )
  }
})

const isOver = (kept: Credentials): Effect.Effect<boolean> =>
  Effect.map(
    Clock.currentTimeMillis,
    (now) =>
      kept.tokens.refresh_token !== undefined && kept.expiresAt !== undefined && kept.expiresAt - headStartMillis < now
  )

const headStartMillis = 10_000

/**
 * Some servers, the official SDK's among them, answer a token that is no good with 500 and an error of OAuth, which
 * no failure of theirs but one of the authorization has.
 */
const refusal = async (response: Response): Promise<Response> => {
  if (response.status !== 500 || response.headers.get("content-type")?.includes("json") !== true) return response
  const text = await response.text().catch(() => "")
  const { headers } = response
  return new Response(text, { status: isOAuthError(text) ? 401 : 500, headers })
}

const isOAuthError = (text: string): boolean => {
  try {
    return JSON.parse(text)?.error === "server_error"
  } catch {
    return false
  }
}
