/**
 * A language model that is made once somebody asks it, since few calls do.
 *
 * @since 0.1.0
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"

/**
 * Makes the way to a model: that of the layer, or else the one that the
 * application provides, or none. Whoever stops waiting for it keeps nobody else
 * from getting it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lazyModel = (
  layer: Layer.Layer<LanguageModel> | undefined
): Effect.Effect<Effect.Effect<LanguageModel | undefined>, never, Scope.Scope> =>
  Effect.map(Effect.context<Scope.Scope>(), (services) => later(layer, services))

const later = (
  layer: Layer.Layer<LanguageModel> | undefined,
  services: Context.Context<Scope.Scope>
): Effect.Effect<LanguageModel | undefined> => {
  const scope = Context.get(services, Scope.Scope)
  const load = Effect.gen(function*() {
    const { LanguageModel } = yield* Effect.promise(() => import("effect/ai/LanguageModel"))
    return layer === undefined
      ? Option.getOrUndefined(Context.getOption(services, LanguageModel))
      : Context.get(yield* Layer.buildWithScope(layer, scope), LanguageModel)
  })
  let loading: Fiber.Fiber<LanguageModel | undefined> | undefined
  return Effect.suspend(() =>
    loading === undefined
      ? Effect.flatMap(Effect.forkIn(load, scope), (fiber) => Fiber.join(loading = fiber))
      : Fiber.join(loading)
  )
}
