/**
 * The model half of the classifier: judges a shell line by the user's own
 * descriptions.
 *
 * @since 0.1.0
 */
import type { LanguageModel } from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import type { ClassifierVerdict } from "../../domain/ClassifierVerdict.ts"
import { remember } from "../../domain/remember.ts"
import { readLine } from "../../permission/bash/readLine.ts"
import { askDescriptions } from "./askDescriptions.ts"
import type { Description } from "./Description.ts"
import { showCommands } from "./showCommands.ts"

/**
 * What a model said of a line before, the latest last.
 *
 * @category models
 * @since 0.1.0
 */
export type Answers = Map<string, ClassifierVerdict | undefined>

/**
 * Judges a line. What can't be shown is not asked about; an answer is kept by
 * what was shown and the descriptions, and a failure is not.
 *
 * @category running
 * @since 0.1.0
 */
export const judgeLine = (
  model: LanguageModel,
  command: string,
  descriptions: ReadonlyArray<Description>,
  answers: Answers,
  most: number
): Effect.Effect<ClassifierVerdict | undefined> => {
  const commands = showCommands(readLine(command))
  if (commands === undefined) return Effect.undefined
  const key = JSON.stringify([commands, descriptions])
  if (answers.has(key)) {
    const known = answers.get(key)
    remember(answers, key, known, most)
    return Effect.succeed(known)
  }
  return askDescriptions(model, commands, descriptions).pipe(
    Effect.tap((verdict) => Effect.sync(() => remember(answers, key, verdict, most))),
    Effect.catch((error) =>
      Effect.as(Effect.logDebug("the classifier got no answer", error.reason._tag, error.reason.message), undefined)
    )
  )
}
