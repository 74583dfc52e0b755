/**
 * Hands the calls of a case to the pipeline.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ToolResult } from "../../domain/ToolResult.ts"
import type { ToolUse } from "../../domain/ToolUse.ts"
import type { Pipeline } from "../../pipeline.ts"
import { CallEvents, type Publish } from "../../services/CallEvents.ts"
import type { Case } from "./Case.ts"

/**
 * Runs the calls: those of one message together, one that is repeated after the
 * one before. `publish` hears of everything that happens to them.
 *
 * @category running
 * @since 0.1.0
 */
export const runCalls = (
  { given }: Case,
  uses: ReadonlyArray<ToolUse>,
  pipeline: Pipeline["Service"],
  publish: Publish
): Effect.Effect<ReadonlyArray<ToolResult>, unknown> => {
  const stop = given.abortAfterMs === undefined
    ? {}
    : { cancel: Effect.as(Effect.sleep(given.abortAfterMs), "cancelled" as const) }
  if (given.batch !== undefined) {
    return Effect.provideService(pipeline.runAll(uses, stop), CallEvents, publish)
  }
  return Effect.map(
    Effect.forEach(uses, (use) =>
      Stream.runFold(
        Stream.tap(pipeline.stream(use, stop), publish),
        (): ReadonlyArray<ToolResult> => [],
        (results, event) => event._tag === "Finished" && event.id === use.id ? [...results, event.result] : results
      )),
    (results) => results.flat()
  )
}
