/**
 * Signs out of a server: the authorization server is told that the tokens don't
 * count any more, and they are deleted.
 *
 * @since 0.1.0
 */
import {
  assertSecureTokenEndpoint,
  buildDiscoveryUrls,
  OAuthError,
  selectClientAuthMethod
} from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import type { SignedOut } from "../../domain/McpSignIn.ts"
import type { StoreFailed } from "../../errors/SessionError.ts"
import { authFetch } from "./authFetch.ts"
import type { Credentials } from "./Credentials.ts"
import * as CredentialStore from "./CredentialStore.ts"
import { whyRefused } from "./whyRefused.ts"

/**
 * Ends every sign-in that is kept under a server's name.
 *
 * @category signing in
 * @since 0.1.0
 */
export const signOut = Effect.fn("mcp.signOut")(function*(
  stateDirectory: string,
  name: string
): Effect.fn.Return<ReadonlyArray<SignedOut>, StoreFailed, FileSystem.FileSystem | Path.Path> {
  const kept = yield* CredentialStore.named(stateDirectory, name)
  return yield* Effect.forEach(kept, ({ credentials, store }) =>
    store.exclusively(Effect.gen(function*() {
      // Somebody may have renewed it meanwhile.
      const now = (yield* store.read) ?? credentials
      yield* store.forget
      return { url: now.url, ...(yield* revoke(now)) }
    })))
})

const revoke = (credentials: Credentials): Effect.Effect<Omit<SignedOut, "url">> =>
  Effect.tryPromise({ try: () => revokeAll(credentials), catch: whyRefused }).pipe(
    Effect.map((revoked) => ({ revoked })),
    Effect.catch((problem) => Effect.succeed({ revoked: false, problem }))
  )

const revokeAll = async ({ client, discovery, tokens }: Credentials): Promise<boolean> => {
  const metadata = discovery.authorizationServerMetadata
  const endpoint = revocationEndpoint(metadata) ?? (await lookUp(discovery.authorizationServerUrl))
  if (endpoint === undefined) return false
  const url = assertSecureTokenEndpoint(endpoint)
  const secret = client.client_secret ?? ""
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? [])
  const basic = Buffer.from(`${encodeURIComponent(client.client_id)}:${encodeURIComponent(secret)}`).toString("base64")
  // With the refresh token an authorization server ends what was made of it, but not every one does.
  const all = [
    ...(tokens.refresh_token === undefined ? [] : [["refresh_token", tokens.refresh_token] as const]),
    ["access_token", tokens.access_token] as const
  ]
  for (const [kind, token] of all) {
    const response = await authFetch(url, {
      method: "POST",
      redirect: "error",
      headers: method === "client_secret_basic" ? { Authorization: `Basic ${basic}` } : {},
      body: new URLSearchParams({
        token,
        token_type_hint: kind,
        ...(method === "client_secret_basic" ? {} : { client_id: client.client_id }),
        ...(method === "client_secret_post" ? { client_secret: secret } : {})
      })
    })
    await response.body?.cancel()
    if (!response.ok) throw new OAuthError(`status_${response.status}`, "")
  }
  return true
}

const revocationEndpoint = (metadata: unknown): string | undefined =>
  Predicate.hasProperty(metadata, "revocation_endpoint") && typeof metadata.revocation_endpoint === "string"
    ? metadata.revocation_endpoint
    : undefined

/** The client library drops the field from what a provider of OpenID says of itself. */
const lookUp = async (authorizationServerUrl: string): Promise<string | undefined> => {
  for (const { type, url } of buildDiscoveryUrls(authorizationServerUrl)) {
    if (type !== "oidc") continue
    const response = await authFetch(url, { headers: { Accept: "application/json" } })
    const found = response.ok ? revocationEndpoint(await response.json().catch(() => undefined)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
