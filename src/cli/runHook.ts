/**
 * Decides for `toolgate hook`.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { classify } from "../errors/classify.ts"
import { answerHook } from "./answerHook.ts"
import { Misused } from "./Ended.ts"
import { gate } from "./gate.ts"
import { parseJson } from "./parseJson.ts"
import { readText } from "./readText.ts"
import type { Shared } from "./root.ts"
import * as write from "./write.ts"

/**
 * Reads one hook's input from standard input and writes its decision.
 *
 * **Details**
 *
 * Whoever asks goes on after most exit codes. INVARIANT: whatever goes wrong ends
 * with 2, the one that blocks.
 *
 * @category commands
 * @since 0.1.0
 */
export const runHook = Effect.fn("cli.hook")(
  function*(shared: Shared) {
    const given = yield* parseJson(yield* readText("-", "the hook's input"), "the hook's input")
    const layer = yield* gate(shared)
    const { CLAUDE_PROJECT_DIR: project = "" } = process.env
    const reply = yield* answerHook(given, project === "" ? undefined : project, shared.addDir).pipe(
      Effect.provide(layer)
    )
    yield* write.json(reply)
  },
  Effect.catchCause((cause) =>
    Cause.hasInterruptsOnly(cause) || Cause.squash(cause) instanceof Misused
      ? Effect.failCause(cause)
      : Effect.fail(new Misused({ problem: `internal error: ${classify(Cause.squash(cause))}` }))
  )
)
