/**
 * Which model is asked, where a hook names one.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Reference to the name of the model for one request; undefined for the one that
 * a provider was made with. A provider that knows only one may ignore it.
 *
 * @category services
 * @since 0.1.0
 */
export const ModelChoice = Context.Reference<string | undefined>("toolgate/layers/ModelChoice", {
  defaultValue: () => undefined
})
