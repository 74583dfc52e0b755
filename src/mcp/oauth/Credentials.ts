/**
 * What is kept of a sign-in to one MCP server.
 *
 * @since 0.1.0
 */
import type { OAuthDiscoveryState, StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

// These three are the client library's own, and only what it gave is ever written: enough is looked at to tell a file
// that was damaged.
const Tokens = Schema.declare((value: unknown): value is StoredOAuthTokens =>
  Predicate.hasProperty(value, "access_token") && typeof value.access_token === "string"
)
const Client = Schema.declare((value: unknown): value is StoredOAuthClientInformation =>
  Predicate.hasProperty(value, "client_id") && typeof value.client_id === "string"
)
const Discovery = Schema.declare((value: unknown): value is OAuthDiscoveryState =>
  Predicate.hasProperty(value, "authorizationServerUrl") && typeof value.authorizationServerUrl === "string"
)

/**
 * Schema for a sign-in: the tokens, the client that they were given to, and
 * where that was.
 *
 * **Details**
 *
 * - `expiresAt`: when the access token ends, in milliseconds since 1970, where
 *   the authorization server said so.
 * - `resource`: what the tokens are for, as the authorization server was told.
 * - `scope`: what was granted, or else asked for.
 * - `wanted`: the scope that the server asked for since, for the next sign-in.
 *
 * @category models
 * @since 0.1.0
 */
export const Credentials = Schema.Struct({
  server: Schema.String,
  url: Schema.String,
  tokens: Tokens,
  client: Client,
  discovery: Discovery,
  expiresAt: Schema.optionalKey(Schema.Finite),
  resource: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String),
  wanted: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Credentials = typeof Credentials.Type

/**
 * When tokens that were given now end.
 *
 * @category getters
 * @since 0.1.0
 */
export const expiryOf = (
  tokens: StoredOAuthTokens,
  nowMillis: number
): { readonly expiresAt?: number } =>
  tokens.expires_in === undefined ? {} : { expiresAt: nowMillis + tokens.expires_in * 1000 }
