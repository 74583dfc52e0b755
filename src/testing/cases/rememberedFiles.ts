/**
 * What a session knows when a case begins.
 *
 * @since 0.1.0
 */
import { appendFileSync, readFileSync, realpathSync, statSync, utimesSync } from "node:fs"
import type { FileState } from "../../domain/SessionState.ts"
import * as FileSnapshot from "../../tools/FileSnapshot.ts"
import type { Case } from "./Case.ts"
import type { Root } from "./Root.ts"

/**
 * The files that a case says were read, by their real paths. What it says
 * happened to them since is done.
 *
 * @category constructors
 * @since 0.1.0
 */
export const rememberedFiles = (
  { given: { settings = {} } }: Case,
  root: Root
): { readonly [path: string]: FileState } => {
  const files: { [path: string]: FileState } = {}
  for (const path of settings.readFiles ?? []) {
    try {
      const real = realpathSync(root.real(path))
      const bytes = readFileSync(real)
      files[real] = FileSnapshot.make(statSync(real), {
        hash: FileSnapshot.hashOf(bytes),
        size: bytes.length,
        whole: true
      })
    } catch {
      // A file that is not there was not read.
    }
  }
  for (const path of settings.changedSinceRead ?? []) appendFileSync(root.real(path), "changed\n")
  const later = new Date(Date.now() + 60_000)
  for (const path of settings.touchedSinceRead ?? []) utimesSync(root.real(path), later, later)
  return files
}
