/**
 * The client that the conformance suite runs: ours, as `toolgate` connects it, with a person who agrees to everything.
 * The suite gives the address as the argument, and the rest in the environment.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { discoverOAuthProtectedResourceMetadata } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "../src/mcp/connect.ts"
import { wantsSignIn } from "../src/mcp/connectErrorOf.ts"
import * as Authorization from "../src/mcp/oauth/Authorization.ts"
import { OAuthClient, RemoteServer } from "../src/mcp/ServerConfig.ts"

const Context = Schema.fromJsonString(Schema.Struct({
  client_id: Schema.optionalKey(Schema.String),
  client_secret: Schema.optionalKey(Schema.String),
  private_key_pem: Schema.optionalKey(Schema.String),
  signing_algorithm: Schema.optionalKey(Schema.String),
  idp_client_id: Schema.optionalKey(Schema.String),
  idp_id_token: Schema.optionalKey(Schema.String),
  idp_token_endpoint: Schema.optionalKey(Schema.String)
}))

const [, , url = ""] = process.argv
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? ""
const context = Schema.decodeSync(Context)(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}")

/** What a person would have written into the configuration, from what the scenario tells them. */
const written = {
  clientId: context.client_id,
  clientSecret: context.client_secret,
  privateKey: context.private_key_pem,
  signingAlgorithm: context.signing_algorithm,
  clientMetadataUrl: scenario === "auth/basic-cimd" ? "https://conformance-test.local/client-metadata.json" : undefined,
  grant: scenario.startsWith("auth/client-credentials") ? "client_credentials" : undefined,
  idp: context.idp_token_endpoint === undefined
    ? undefined
    : { tokenEndpoint: context.idp_token_endpoint, clientId: context.idp_client_id, idToken: context.idp_id_token },
  issuer: context.client_id === undefined
    ? undefined
    : (await discoverOAuthProtectedResourceMetadata(url)).authorization_servers?.[0]
}
const config = Schema.decodeUnknownSync(RemoteServer)({
  url,
  oauth: Schema.decodeUnknownSync(OAuthClient)(
    Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
  )
})

const inputs: { readonly [tool: string]: { readonly [name: string]: unknown } } = { add_numbers: { a: 5, b: 3 } }

const session = Effect.fnUntraced(function*(authorization: Authorization.Authorization | undefined) {
  const { client } = yield* connect({
    name: "conformance",
    config,
    cwd: process.cwd(),
    environment: process.env,
    authorization,
    elicit: () => Effect.succeed({ action: "accept", content: {} })
  })
  const asked = <A>(request: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({
      try: request,
      catch: (cause) => ({ _tag: wantsSignIn(cause) ? "McpAuthRequired" as const : "Failed" as const, cause })
    })
  const { tools } = yield* asked((signal) => client.listTools({}, { signal }))
  for (const { name } of tools) {
    yield* asked((signal) => client.callTool({ name, arguments: { ...inputs[name] } }, { signal }))
  }
})

/** Goes to the page as a browser would, and follows where it leads. */
const visit = (url: string) =>
  Effect.sync(() => {
    void fetch(url).catch(() => {})
    return true
  })

const program = Effect.fnUntraced(function*(state: string) {
  const authorization = yield* Authorization.make(state, { name: "conformance", config })
  yield* Effect.scoped(session(authorization)).pipe(
    Effect.tapError((error) =>
      error._tag === "McpAuthRequired" ? authorization?.signIn(visit) ?? Effect.void : Effect.void
    ),
    // A person signs in, and signs in again where the server wants more than they granted, and no third time.
    Effect.retry({ times: 2, while: (error) => error._tag === "McpAuthRequired" })
  )
})

const state = mkdtempSync(join(tmpdir(), "toolgate-conformance-"))
await Effect.runPromise(
  Effect.suspend(() => program(state)).pipe(
    Effect.provide(NodeServices.layer)
  )
).then(() => 0, (error) => {
  console.error(error)
  return 1
}).then((code) => {
  rmSync(state, { recursive: true })
  process.exit(code)
})
