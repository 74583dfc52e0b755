/**
 * Layers that provide `Classifier`.
 *
 * @since 0.1.0
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { isReadOnly } from "../permission/bash/readOnly/isReadOnly.ts"
import { Classifier } from "../services/Classifier.ts"
import * as Description from "./classifier/Description.ts"
import type { Answers } from "./classifier/judgeLine.ts"
import { lazyModel } from "./lazyModel.ts"

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

/**
 * How a model judges: `timeout` for one answer (10 seconds), after which it has no
 * opinion; `answers`, how many are kept (500).
 *
 * @category options
 * @since 0.1.0
 */
export interface ModelOptions {
  readonly timeout?: Duration.Input | undefined
  readonly answers?: number | undefined
}

/**
 * Layer that has the model of the application judge shell lines by the user's
 * descriptions, on top of the tables.
 *
 * **Details**
 *
 * Nothing is asked where no rule describes anything. Not being sure, a refusal, a
 * failure and running out of time are no opinion. What a line says reaches no
 * model, only what it would do: see `showCommands`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerModel = (options: ModelOptions = {}): Layer.Layer<Classifier, never, LanguageModel> =>
  Layer.effect(Classifier, Effect.flatMap(Effect.context<LanguageModel>(), () => make(undefined, options)))

/**
 * Layer that makes its model once there is something to judge.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerModelLater = (
  languageModel: Layer.Layer<LanguageModel>,
  options: ModelOptions = {}
): Layer.Layer<Classifier> => Layer.effect(Classifier, make(languageModel, options))

const make = (
  languageModel: Layer.Layer<LanguageModel> | undefined,
  { answers: most = 500, timeout = "10 seconds" }: ModelOptions
): Effect.Effect<Classifier["Service"], never, Scope.Scope> =>
  Effect.map(lazyModel(languageModel), (later) => {
    const answers: Answers = new Map()
    return Classifier.of({
      readOnly: isReadOnly,
      judge: (subject, policy) => {
        if (subject._tag !== "Shell") return Effect.undefined
        const descriptions = Description.of(policy)
        if (descriptions.length === 0) return Effect.undefined
        return Effect.gen(function*() {
          const model = yield* later
          if (model === undefined) return undefined
          const { judgeLine } = yield* Effect.promise(() => import("./classifier/judgeLine.ts"))
          return yield* judgeLine(model, subject.command, descriptions, answers, most)
        }).pipe(
          Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.undefined })
        )
      }
    })
  })
