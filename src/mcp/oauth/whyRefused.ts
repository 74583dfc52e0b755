/**
 * Says why a step of signing in failed, without repeating what a server wrote:
 * an answer may hold a token, and a description words that are nobody's.
 *
 * @since 0.1.0
 */
import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError
} from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import { codeOf } from "../connectErrorOf.ts"

/**
 * The reason in a few words, such as "the authorization server refused
 * (`invalid_grant`)".
 *
 * @category formatting
 * @since 0.1.0
 */
export const whyRefused = (error: unknown): string => {
  if (error instanceof OAuthError) return `the authorization server refused${codeText(error.code)}`
  if (error instanceof RegistrationRejectedError) {
    return `the authorization server registers no client by itself (status ${error.status}), register one there and ` +
      "give its `oauth.clientId` in the server's configuration"
  }
  if (error instanceof IssuerMismatchError) {
    return "the authorization server that answered is not the one that was asked"
  }
  if (error instanceof AuthorizationServerMismatchError) {
    return "the client in the configuration belongs to another authorization server"
  }
  if (error instanceof InsecureTokenEndpointError) return "the authorization server takes tokens without encryption"
  const message = error instanceof Error ? error.message : ""
  // The library has no class for these; its words are its own.
  if (message.startsWith("Protected resource ")) {
    return "the server says that its sign-in is for another address than its own"
  }
  const lacks = /^Incompatible auth server: (does not support [\w ]+)$/.exec(message)?.[1]
  if (lacks !== undefined) return `the authorization server ${lacks}`
  const code = codeOf(error)
  if (code !== undefined) return `the authorization server can't be reached (${code})`
  if (Predicate.hasProperty(error, "name") && error.name === "TimeoutError") {
    return "the authorization server did not answer in time"
  }
  return "what the authorization server answered can't be understood"
}

/**
 * An error code of OAuth, in parentheses, when it looks like one.
 *
 * @category formatting
 * @since 0.1.0
 */
export const codeText = (code: string): string => /^[a-z_]{1,40}$/.test(code) ? ` (\`${code}\`)` : ""
