/**
 * The language model of the command line, where the environment names one.
 *
 * @since 0.1.0
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Options } from "../toolgate.ts"

/**
 * What `TOOLGATE_MODEL` says: the name of a model of Anthropic's. Nothing of it is
 * loaded before it is asked something.
 *
 * **Details**
 *
 * A person is not asked for the first two seconds while it judges: a question that
 * goes away again is worse than one that comes late.
 *
 * @category constructors
 * @since 0.1.0
 */
export const languageModel = (
  { TOOLGATE_MODEL: name = "" }: { readonly [name: string]: string | undefined }
): Pick<Options, "languageModel" | "graceMillis"> =>
  name.trim() === "" ? {} : { languageModel: named(name.trim()), graceMillis: 2_000 }

const named = (model: string): Layer.Layer<LanguageModel> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../layers/AnthropicModel.ts")),
      ({ layerAnthropic }) => layerAnthropic({ model })
    )
  )
