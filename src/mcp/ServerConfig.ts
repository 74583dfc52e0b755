/**
 * How one MCP server is reached, as `.mcp.json` and its relatives say it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for a server that is a program of this machine, spoken to over its
 * standard input and output.
 *
 * **Details**
 *
 * - `cwd`: taken from the project's folder; that folder when left out.
 * - `timeout`: how long one call may take, in milliseconds. Less than 1000 is
 *   ignored.
 *
 * @category models
 * @since 0.1.0
 */
export const StdioServer = Schema.Struct({
  type: Schema.optionalKey(Schema.Literal("stdio")),
  command: Schema.NonEmptyString,
  args: Schema.optionalKey(Schema.Array(Schema.String)),
  env: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  cwd: Schema.optionalKey(Schema.NonEmptyString),
  timeout: Schema.optionalKey(Schema.Finite),
  disabled: Schema.optionalKey(Schema.Boolean)
})

/**
 * @category models
 * @since 0.1.0
 */
export type StdioServer = typeof StdioServer.Type

/**
 * Schema for what is known of signing in to a server that does not say all of it
 * by itself.
 *
 * **Details**
 *
 * - `clientId`, `clientSecret`: a client that was registered by hand;
 *   `clientMetadataUrl`: the address of a document that describes one.
 * - `callbackPort`: the port that its redirect address names, which is then
 *   `http://localhost:PORT/callback`.
 * - `scopes`: what to ask for where the server doesn't say.
 * - `issuer`: the one authorization server that the client is for. A server may
 *   name any, and would have the client's secret sent there.
 * - `grant`: `client_credentials` has the client sign in as itself, by its secret
 *   or by `privateKey` (PEM, PKCS#8) and `signingAlgorithm` (`ES256`).
 * - `idp`: has the client sign in by an ID token of an identity provider that
 *   the authorization server trusts.
 *
 * @category models
 * @since 0.1.0
 */
export const OAuthClient = Schema.Struct({
  clientId: Schema.optionalKey(Schema.NonEmptyString),
  clientSecret: Schema.optionalKey(Schema.NonEmptyString),
  clientMetadataUrl: Schema.optionalKey(Schema.NonEmptyString),
  callbackPort: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))),
  scopes: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  issuer: Schema.optionalKey(Schema.NonEmptyString),
  grant: Schema.optionalKey(Schema.Literal("client_credentials")),
  privateKey: Schema.optionalKey(Schema.NonEmptyString),
  signingAlgorithm: Schema.optionalKey(Schema.NonEmptyString),
  idp: Schema.optionalKey(Schema.Struct({
    tokenEndpoint: Schema.NonEmptyString,
    clientId: Schema.NonEmptyString,
    clientSecret: Schema.optionalKey(Schema.NonEmptyString),
    idToken: Schema.NonEmptyString
  }))
}).check(Schema.makeFilter(({ clientId, clientSecret, grant, idp, issuer, privateKey }) => {
  if (grant !== undefined && privateKey !== undefined && clientId !== undefined && issuer !== undefined) {
    return undefined
  }
  const complete = clientId !== undefined && clientSecret !== undefined && issuer !== undefined
  return complete || (grant === undefined && idp === undefined)
    ? undefined
    : "expected `clientId`, `clientSecret` or a `grant` with `privateKey`, and `issuer` where nobody signs in"
}))

/**
 * @category models
 * @since 0.1.0
 */
export type OAuthClient = typeof OAuthClient.Type

/**
 * Schema for a server that is reached by its address.
 *
 * **Details**
 *
 * - `type`: `http` when left out, which falls back to `sse` for a server that is
 *   too old for it.
 * - `headersHelper`: a command line that prints further headers as a JSON object,
 *   run for each connection.
 * - `timeout`: as of a `StdioServer`.
 *
 * @category models
 * @since 0.1.0
 */
export const RemoteServer = Schema.Struct({
  type: Schema.optionalKey(Schema.Literals(["http", "streamable-http", "streamableHttp", "sse"])),
  url: Schema.NonEmptyString,
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  headersHelper: Schema.optionalKey(Schema.NonEmptyString),
  oauth: Schema.optionalKey(OAuthClient),
  timeout: Schema.optionalKey(Schema.Finite),
  disabled: Schema.optionalKey(Schema.Boolean)
})

/**
 * @category models
 * @since 0.1.0
 */
export type RemoteServer = typeof RemoteServer.Type

/**
 * Schema for one server's configuration.
 *
 * @category models
 * @since 0.1.0
 */
export const ServerConfig = Schema.Union([StdioServer, RemoteServer])

/**
 * @category models
 * @since 0.1.0
 */
export type ServerConfig = typeof ServerConfig.Type

/**
 * Whether a server is a program of this machine.
 *
 * @category guards
 * @since 0.1.0
 */
export const isStdio = (config: ServerConfig): config is StdioServer => "command" in config

/**
 * Whether the headers of a server's configuration authorize it already.
 *
 * @category guards
 * @since 0.1.0
 */
export const authorizesItself = ({ headers = {} }: RemoteServer): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
