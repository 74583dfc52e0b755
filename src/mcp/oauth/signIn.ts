/**
 * Signs a person in to a server: the authorization code flow, with PKCE and a
 * redirect to this machine.
 *
 * @since 0.1.0
 */
import {
  auth,
  computeScopeUnion,
  exchangeAuthorization,
  IssuerMismatchError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation
} from "@modelcontextprotocol/client"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import type { StoreFailed } from "../../errors/SessionError.ts"
import { SignInFailed } from "../../errors/SignInFailed.ts"
import type { Visit } from "../../services/McpServers.ts"
import type { OAuthClient } from "../ServerConfig.ts"
import { authFetch } from "./authFetch.ts"
import { type Credentials, expiryOf } from "./Credentials.ts"
import type { CredentialStore } from "./CredentialStore.ts"
import * as Redirect from "./Redirect.ts"
import { codeText, whyRefused } from "./whyRefused.ts"

/**
 * A server that may want a sign-in, and what its configuration says of that.
 *
 * @category models
 * @since 0.1.0
 */
export interface OAuthServer {
  readonly name: string
  readonly url: string
  readonly oauth: OAuthClient
}

/**
 * What a server said when it wanted a sign-in.
 *
 * @category models
 * @since 0.1.0
 */
export interface Challenge {
  readonly scope?: string | undefined
  readonly resourceMetadataUrl?: URL | undefined
}

/**
 * Takes a person through a sign-in and keeps what comes of it, all at once.
 *
 * **Details**
 *
 * The client is registered anew each time, unless the configuration names one:
 * the address to come back to is another, and the server may have forgotten the
 * last. It waits 5 minutes for the person.
 *
 * @category signing in
 * @since 0.1.0
 */
export const signIn = Effect.fn("mcp.signIn")(function*(
  server: OAuthServer,
  store: CredentialStore,
  challenge: Challenge,
  visit: Visit
): Effect.fn.Return<void, SignInFailed | StoreFailed> {
  yield* Effect.scoped(flow(server, store, challenge, visit))
})

const flow = Effect.fnUntraced(function*(
  server: OAuthServer,
  store: CredentialStore,
  challenge: Challenge,
  visit: Visit
): Effect.fn.Return<void, SignInFailed | StoreFailed, Scope.Scope> {
  const failed = (reason: string) => new SignInFailed({ server: server.name, reason })
  const step = <A>(run: () => Promise<A>): Effect.Effect<A, SignInFailed> =>
    Effect.tryPromise({ try: run, catch: (error) => failed(whyRefused(error)) })

  const state = randomBytes(32).toString("base64url")
  const redirect = yield* Redirect.listen({ server: server.name, state, port: server.oauth.callbackPort })
  const before = yield* store.read
  const scope = computeScopeUnion(before?.wanted, challenge.scope)

  const begun: Begun = knownClient(server.oauth)
  const provider = providerOf(server.oauth, redirect.url, state, begun)
  const begin = (skipIssuerMetadataValidation: boolean) =>
    auth(provider, {
      serverUrl: server.url,
      fetchFn: authFetch,
      skipIssuerMetadataValidation,
      ...(scope === undefined ? {} : { scope }),
      ...(challenge.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: challenge.resourceMetadataUrl })
    })
  yield* step(() =>
    begin(false).catch(async (error: unknown) => {
      if (!isOwn(error, server.url)) throw error
      await begin(true)
      // What it calls itself could be something else the second time.
      if (originOf(begun.discovery?.authorizationServerMetadata?.issuer ?? "") !== originOf(server.url)) throw error
    })
  )
  const { client, discovery, page, verifier } = begun
  if (client === undefined || discovery === undefined || page === undefined || verifier === undefined) {
    return yield* Effect.die("the client library began no sign-in")
  }
  if (page.protocol !== "https:" && page.protocol !== "http:") {
    return yield* failed("the page to sign in at is none that a browser should open")
  }
  if (!(yield* visit(page.href))) return yield* failed("nobody opened the page")

  const { finish, params } = yield* Effect.timeoutOrElse(redirect.answer, {
    duration: patience,
    orElse: () => Effect.fail(failed("no answer came back from the browser within 5 minutes"))
  })
  const resource = page.searchParams.get("resource") ?? undefined
  const granted = Effect.gen(function*() {
    const code = params.get("code")
    if (code === null) return yield* failed(`the sign-in was refused${codeText(params.get("error") ?? "")}`)
    const iss = params.get("iss")
    const metadata = discovery.authorizationServerMetadata
    const now = yield* Clock.currentTimeMillis
    const tokens = yield* step(() =>
      exchangeAuthorization(discovery.authorizationServerUrl, {
        clientInformation: client,
        authorizationCode: code,
        codeVerifier: verifier,
        redirectUri: redirect.url,
        fetchFn: authFetch,
        ...(iss === null ? {} : { iss }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(resource === undefined ? {} : { resource })
      })
    )
    const credentials: Credentials = {
      server: server.name,
      url: server.url,
      tokens,
      client,
      discovery,
      ...expiryOf(tokens, now),
      ...(resource === undefined ? {} : { resource }),
      ...scopeOf(tokens.scope ?? page.searchParams.get("scope"))
    }
    yield* store.exclusively(store.write(credentials))
  })
  // A code counts once: from here on either what came of it is kept, or nothing did.
  yield* Effect.uninterruptible(granted.pipe(
    Effect.tap(finish(undefined)),
    Effect.tapError((error) => finish(error._tag === "SignInFailed" ? error.reason : error.message))
  ))
})

const patience = Duration.minutes(5)

interface Begun {
  client?: StoredOAuthClientInformation
  discovery?: OAuthDiscoveryState
  page?: URL
  verifier?: string
}

const knownClient = ({ clientId, clientSecret, issuer }: OAuthClient): Begun =>
  clientId === undefined ? {} : {
    client: {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...(issuer === undefined ? {} : { issuer })
    }
  }

/**
 * Servers of the first protocol with a sign-in say nothing of who signs people in: they do that themselves, at their
 * own origin, whatever path of it they call themselves by.
 */
const isOwn = (error: unknown, serverUrl: string): boolean =>
  error instanceof IssuerMismatchError && error.kind === "metadata" &&
  error.expected === `${originOf(serverUrl)}/` && originOf(error.received ?? "") === originOf(serverUrl)

const originOf = (url: string): string | undefined => URL.parse(url)?.origin

/** Gathers what the client library finds out on its way to the page. */
const providerOf = (oauth: OAuthClient, redirectUrl: string, state: string, begun: Begun): OAuthClientProvider => ({
  redirectUrl,
  clientMetadata: {
    client_name: "Toolgate",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    ...scopeOf(typeof oauth.scopes === "string" ? oauth.scopes : oauth.scopes?.join(" "))
  },
  ...(oauth.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: oauth.clientMetadataUrl }),
  state: () => state,
  clientInformation: () => begun.client,
  ...(begun.client === undefined ? { saveClientInformation: (client) => void (begun.client = client) } : {}),
  saveDiscoveryState: (discovery) => void (begun.discovery = discovery),
  saveCodeVerifier: (verifier) => void (begun.verifier = verifier),
  redirectToAuthorization: (page) => void (begun.page = page),
  codeVerifier: () => begun.verifier ?? "",
  // A sign-in begins from nothing: what was kept before has no part in it.
  tokens: () => undefined,
  saveTokens: () => {}
})

const scopeOf = (scope: string | null | undefined): { readonly scope?: string } =>
  scope === undefined || scope === null || scope === "" ? {} : { scope }
