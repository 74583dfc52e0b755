/**
 * Whether looking for tools may start something.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Whether a registry may start or connect to servers for what is asked of it.
 * Where it may not, a tool of a server that nothing is known of yet is one that
 * has nothing to say of itself, and a list of tools is of those that are known.
 *
 * @category services
 * @since 0.1.0
 */
export const StartsServers = Context.Reference<boolean>("toolgate/services/StartsServers", {
  defaultValue: () => true
})
