import * as Effect from "effect/Effect"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Runs an effect with a folder of its own, which is gone afterwards. */
export const withFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-")))),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
