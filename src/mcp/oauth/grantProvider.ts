/**
 * Grants that need no person: a service that signs in as itself.
 *
 * @since 0.1.0
 */
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant
} from "@modelcontextprotocol/client"
import type { OAuthClient } from "../ServerConfig.ts"
import { authFetch } from "./authFetch.ts"

/**
 * The client library's own provider for the grant that a configuration names, if
 * it does. Its tokens are not kept: the next process gets its own.
 *
 * @category constructors
 * @since 0.1.0
 */
export const grantProvider = (oauth: OAuthClient): OAuthClientProvider | undefined => {
  const { clientId, clientSecret, grant, idp, issuer, privateKey, scopes, signingAlgorithm = "ES256" } = oauth
  if (clientId === undefined || issuer === undefined) return undefined
  const scope = typeof scopes === "string" ? scopes : scopes?.join(" ")
  const client = {
    clientId,
    clientName: "Toolgate",
    expectedIssuer: issuer,
    ...(scope === undefined ? {} : { scope })
  }
  if (idp !== undefined && clientSecret !== undefined) {
    return new CrossAppAccessProvider({
      ...client,
      clientSecret,
      fetchFn: authFetch,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          ...idp,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          fetchFn: authFetch,
          ...(scope === undefined ? {} : { scope })
        })
        return jwtAuthGrant
      }
    })
  }
  if (grant === undefined) return undefined
  if (privateKey !== undefined) return new PrivateKeyJwtProvider({ ...client, privateKey, algorithm: signingAlgorithm })
  return clientSecret === undefined ? undefined : new ClientCredentialsProvider({ ...client, clientSecret })
}
