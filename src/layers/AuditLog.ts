/**
 * Layers that provide `AuditLog`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs"
import type { AuditEntry, AuditSettings } from "../domain/AuditEntry.ts"
import { AuditFailed } from "../errors/AuditError.ts"
import { AuditLog } from "../services/AuditLog.ts"
import { auditFolder, currentFile, fullFile, fullNumbers } from "./audit/auditFiles.ts"
import { entryLine } from "./audit/entryLine.ts"
import { privateFolder } from "./files/sessionFolder.ts"
import { whyFailed } from "./files/whyFailed.ts"
import { withLock } from "./files/withLock.ts"

/**
 * Layer that appends decisions to a file under the state directory, one line a
 * decision, where settings switch that on.
 *
 * **Details**
 *
 * Several processes may write at once: a line is written whole, in one piece, at
 * the end of the file, and a line after one that a full disk cut off begins anew.
 * A file that is full is set aside under a lock; of those the newest are kept.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (stateDirectory: string): Layer.Layer<never, never, FileSystem.FileSystem> =>
  Layer.effect(
    AuditLog,
    Effect.map(FileSystem.FileSystem, (fs) => {
      const folder = auditFolder(stateDirectory)
      const file = currentFile(folder)

      const write = (line: Uint8Array): Effect.Effect<number, AuditFailed> =>
        Effect.try({
          try: () => append(file, line),
          catch: (cause) => new AuditFailed({ reason: `the file ${whyFailed(cause)}`, cause })
        })

      const record = Effect.fnUntraced(function*(
        entry: AuditEntry,
        { keep, maxBytes }: AuditSettings
      ): Effect.fn.Return<void, AuditFailed> {
        const line = entryLine(entry)
        const size = yield* Effect.catch(write(line), (failed) =>
          isMissing(failed)
            ? Effect.andThen(
              Effect.mapError(
                privateFolder(fs, folder),
                (cause) => new AuditFailed({ reason: `the folder ${whyFailed(cause)}`, cause })
              ),
              write(line)
            )
            : Effect.fail(failed))
        if (size < maxBytes) return
        // The line is written; that its file goes on growing is for the next one to try again.
        yield* Effect.ignore(withLock(`${file}.lock`)(Effect.try(() => setAside(folder, keep, maxBytes)))).pipe(
          Effect.provideService(FileSystem.FileSystem, fs)
        )
      })

      return { record: (entry, settings) => settings === undefined ? Effect.void : record(entry, settings) }
    })
  )

const isMissing = ({ cause }: AuditFailed): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const lineFeed = 10

/**
 * Appends a line and gives the size of the file. One call of the system writes
 * all of it, at what is the end of the file by then.
 */
const append = (file: string, line: Uint8Array): number => {
  const handle = openSync(file, "a+", 0o600)
  try {
    const { size } = fstatSync(handle)
    const last = new Uint8Array(1)
    const broken = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== lineFeed
    const whole = broken ? Uint8Array.from([lineFeed, ...line]) : line
    const written = writeSync(handle, whole)
    if (written < whole.length) throw Object.assign(new Error("the line was cut off"), { code: "ENOSPC" })
    return size + written
  } finally {
    closeSync(handle)
  }
}

const setAside = (folder: string, keep: number, maxBytes: number): void => {
  // Whoever had the lock before may have done it.
  if (statSync(currentFile(folder)).size < maxBytes) return
  const numbers = fullNumbers(folder)
  renameSync(currentFile(folder), fullFile(folder, (numbers.at(-1) ?? 0) + 1))
  for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - keep))) rmSync(fullFile(folder, number))
}
