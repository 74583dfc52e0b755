/**
 * The rule that nothing is overwritten unseen.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { FileState } from "../domain/SessionState.ts"
import type { ToolContext } from "../domain/Tool.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import * as FileSnapshot from "./FileSnapshot.ts"
import { fileFailed } from "./fileStep.ts"
import type { OpenedFile } from "./openRegularFile.ts"
import { quoted } from "./quoted.ts"
import { readWhole } from "./readChunks.ts"
import { showSize } from "./showSize.ts"

/**
 * The contents of a file that the session has seen as they are now.
 *
 * @category models
 * @since 0.1.0
 */
export interface SeenFile {
  readonly bytes: Buffer
  readonly hash: string
  readonly state: FileState
}

/**
 * Reads a file that is to be changed, and fails when the session has not read
 * it, or when its contents are others now. A new time stamp alone is no change.
 *
 * @category validation
 * @since 0.1.0
 */
export const requireSeen = Effect.fnUntraced(function*(
  file: OpenedFile,
  shown: string,
  context: Pick<ToolContext, "seen">
): Effect.fn.Return<SeenFile, ToolFailed> {
  const tooLarge = new ToolFailed({
    reason: `${quoted(shown)} has ${showSize(file.stats.size)}, and only files up to ` +
      `${showSize(FileSnapshot.largestRemembered)} can be changed`
  })
  if (file.stats.size > FileSnapshot.largestRemembered) return yield* tooLarge
  const state = yield* context.seen(file.real)
  if (state === undefined) return yield* unseen(shown)
  const bytes = yield* Effect.mapError(
    readWhole(file.descriptor, FileSnapshot.largestRemembered),
    fileFailed("read", shown)
  )
  if (bytes === undefined) return yield* tooLarge
  const hash = FileSnapshot.hashOf(bytes)
  if (hash !== state.hash) {
    return yield* new ToolFailed({ reason: `${quoted(shown)} was changed since it was read; read it again` })
  }
  return { bytes, hash, state }
})

/**
 * The failure of a file that the session has not read.
 *
 * @category errors
 * @since 0.1.0
 */
export const unseen = (shown: string): ToolFailed =>
  new ToolFailed({ reason: `${quoted(shown)} was not read in this session; read it first` })
