/**
 * What signing in to MCP servers, and out of them, comes to.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for what signing in came to: a person signed in now, they had before, or
 * the server wants nobody to.
 *
 * @category models
 * @since 0.1.0
 */
export const SignedIn = Schema.Literals(["signed-in", "already-signed-in", "not-needed"])

/**
 * @category models
 * @since 0.1.0
 */
export type SignedIn = typeof SignedIn.Type

/**
 * Schema for what became of one sign-in. It is deleted in any case.
 *
 * **Details**
 *
 * `revoked`: whether the authorization server took the tokens back; `problem`
 * says why not, and is left out where that server has no place to be told.
 *
 * @category models
 * @since 0.1.0
 */
export const SignedOut = Schema.Struct({
  url: Schema.String,
  revoked: Schema.Boolean,
  problem: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type SignedOut = typeof SignedOut.Type
