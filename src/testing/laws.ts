/**
 * Every law, in the order in which a reader would want them.
 *
 * @since 0.1.0
 */
import type { Law } from "./Law.ts"
import * as allowing from "./laws/allowing.ts"
import * as classifiers from "./laws/classifiers.ts"
import * as engine from "./laws/engine.ts"
import * as lines from "./laws/lines.ts"
import * as modes from "./laws/modes.ts"
import * as paths from "./laws/paths.ts"
import * as rules from "./laws/rules.ts"
import * as spelling from "./laws/spelling.ts"
import * as wrappers from "./laws/wrappers.ts"
import type { Engine } from "./ours.ts"

/**
 * Laws about verdicts, which hold for every decision function of this kind.
 *
 * **Example** (Checking a function of one's own)
 *
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { laws } from "toolgate/testing"
 *
 * const law = laws.find(({ name }) => name === "dontAsk never asks")
 * const result = law === undefined ? undefined : await Effect.runPromise(law.check(() => "ask", { seed: 1 }))
 *
 * result?._tag // => "Broken"
 * ```
 *
 * @category laws
 * @since 0.1.0
 */
export const laws: ReadonlyArray<Law> = [
  rules.denyNeverWidens,
  rules.askNeverWidens,
  rules.allowNeverNarrows,
  rules.sourceIsIrrelevant,
  rules.orderIsIrrelevant,
  rules.repetitionIsIrrelevant,
  allowing.nothingByItself,
  allowing.ruleAllowsItsOwn,
  lines.denyReachesEverywhere,
  lines.andIsBoth,
  lines.sequenceIsBoth,
  lines.pipelineIsBoth,
  lines.newlineIsBoth,
  lines.unreadableIsNotAllowed,
  lines.tooLongIsNotAllowed,
  lines.unknownProgramIsNotAllowed,
  wrappers.wrappingKeepsDeny,
  wrappers.moreWordsNeverAllow,
  wrappers.wrappingNeverWidens,
  wrappers.wrappingTwiceIsWrappingOnce,
  spelling.quotingIsIrrelevant,
  spelling.blanksAreIrrelevant,
  modes.denyDecidesInEveryMode,
  modes.denyOutlastsMode,
  modes.bypassNeverAllowsDeny,
  modes.criticalPathsNeedPerson,
  modes.dontAskNeverAsks,
  modes.modesAreOrdered,
  allowing.planChangesNothing,
  allowing.acceptedEditsStayInside,
  modes.grantNeverBeatsPolicy,
  modes.hookNeverBeatsPolicy,
  modes.hookDenyDenies,
  classifiers.classifierNeverAnswersMustAsk,
  classifiers.classifierDenyDenies,
  classifiers.classifierSettlesAsksAlone,
  classifiers.noVerdictAllowsNothing,
  paths.linksDontHide,
  paths.detoursDontHide,
  paths.writingIsAnEdit
]

/**
 * Laws about decisions that explain themselves.
 *
 * @category laws
 * @since 0.1.0
 */
export const engineLaws: ReadonlyArray<Law<Engine>> = [
  engine.explainAgrees,
  engine.oneCandidateDecides,
  engine.indexAgrees,
  engine.suggestionsAllow,
  engine.suggestionsAllowNoMore
]
