/**
 * Renews an access token by its refresh token.
 *
 * @since 0.1.0
 */
import { OAuthError, refreshAuthorization } from "@modelcontextprotocol/client"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoreFailed } from "../../errors/SessionError.ts"
import { authFetch } from "./authFetch.ts"
import { type Credentials, expiryOf } from "./Credentials.ts"
import type { CredentialStore } from "./CredentialStore.ts"
import { whyRefused } from "./whyRefused.ts"

/**
 * Error indicating that a sign-in could not be renewed. It is still kept, and may
 * be renewed later, unless that is `final`.
 *
 * @category errors
 * @since 0.1.0
 */
export class RenewalFailed extends Schema.TaggedError<RenewalFailed>()("RenewalFailed", {
  reason: Schema.String,
  final: Schema.Boolean
}) {
  override get message(): string {
    return `its sign-in can't be renewed now: ${this.reason}`
  }
}

/**
 * Renews a sign-in whose access token is `stale`, and gives the one that counts
 * from then on; nothing when a person has to sign in again.
 *
 * **Details**
 *
 * One process renews at a time, and looks first whether another one did: a
 * refresh token counts once where a server rotates them. What comes is kept
 * before anybody can interrupt. A refresh token that was revoked is forgotten
 * with everything else of its sign-in.
 *
 * @category signing in
 * @since 0.1.0
 */
export const renew = (
  store: CredentialStore,
  stale: string | undefined
): Effect.Effect<Credentials | undefined, RenewalFailed | StoreFailed> =>
  store.exclusively(Effect.gen(function*() {
    const kept = yield* store.read
    if (kept === undefined || kept.tokens.access_token !== stale) return kept
    return kept.tokens.refresh_token === undefined
      ? undefined
      : yield* Effect.uninterruptible(exchange(store, kept, kept.tokens.refresh_token))
  }))

const exchange = Effect.fnUntraced(function*(
  store: CredentialStore,
  kept: Credentials,
  refreshToken: string
): Effect.fn.Return<Credentials | undefined, RenewalFailed | StoreFailed> {
  const { client, discovery, resource } = kept
  const metadata = discovery.authorizationServerMetadata
  const now = yield* Clock.currentTimeMillis
  const tokens = yield* Effect.tryPromise({
    try: () =>
      refreshAuthorization(discovery.authorizationServerUrl, {
        clientInformation: client,
        refreshToken,
        fetchFn: authFetch,
        ...(metadata === undefined ? {} : { metadata }),
        ...(resource === undefined ? {} : { resource })
      }),
    catch: (error) =>
      new RenewalFailed({
        reason: whyRefused(error),
        final: error instanceof OAuthError && finalCodes.has(error.code)
      })
  }).pipe(Effect.catchIf(({ final }) => final, () => Effect.undefined))
  if (tokens === undefined) {
    yield* store.forget
    return undefined
  }
  const { expiresAt: _, ...rest } = kept
  const renewed: Credentials = {
    ...rest,
    tokens,
    ...expiryOf(tokens, now),
    ...(tokens.scope === undefined ? {} : { scope: tokens.scope })
  }
  yield* store.write(renewed)
  return renewed
})

/** Answers after which the refresh token is of no use, or its client. */
const finalCodes: ReadonlySet<string> = new Set(["invalid_grant", "invalid_client", "unauthorized_client"])
