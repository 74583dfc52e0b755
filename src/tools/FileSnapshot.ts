/**
 * What a session remembers of a file that it has seen, and whether the file is
 * still the same.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import type { Stats } from "node:fs"
import type { FileState } from "../domain/SessionState.ts"

/**
 * The largest file whose contents are remembered, and so the largest that can
 * be edited.
 *
 * @category constants
 * @since 0.1.0
 */
export const largestRemembered = 64 * 1024 * 1024

/**
 * The hash by which contents are compared.
 *
 * @category getters
 * @since 0.1.0
 */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/**
 * What is to be remembered of contents that were seen or written.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  stats: Stats,
  seen: { readonly hash: string; readonly size: number; readonly whole: boolean }
): FileState => ({
  mtimeMillis: stats.mtimeMs,
  size: seen.size,
  hash: seen.hash,
  whole: seen.whole
})
