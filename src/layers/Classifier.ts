/**
 * Layers that provide `Classifier`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isReadOnly } from "../permission/bash/readOnly/isReadOnly.ts"
import { Classifier } from "../services/Classifier.ts"

/**
 * Layer that knows commands that only read by their tables and has no opinion on
 * anything else.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerStatic: Layer.Layer<Classifier> = Layer.succeed(Classifier, {
  readOnly: isReadOnly,
  judge: () => Effect.undefined
})
