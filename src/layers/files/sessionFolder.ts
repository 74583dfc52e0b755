/**
 * Where a session's files are: one folder a session, for the user alone.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { createHash } from "node:crypto"

/**
 * The name of a session's folder.
 *
 * **Details**
 *
 * Plain ids are kept, so that people find them. Any other gets what can be kept
 * of it and a hash: two ids never share a folder, not even where file names
 * ignore case, and none leads out of it.
 *
 * @category naming
 * @since 0.1.0
 */
export const safeName = (id: string): string => {
  if (/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9_-])?$/.test(id) && !reserved.test(id)) return id
  const kept = id.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 32)
  // In UTF-8 all halves of characters would be the same.
  return `${kept}~${createHash("sha256").update(id, "utf16le").digest("hex").slice(0, 32)}`
}

// Windows opens devices under these names, with any extension.
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/

/**
 * The folder of a session within the state directory.
 *
 * @category naming
 * @since 0.1.0
 */
export const sessionFolder = (stateDirectory: string, session: string): string =>
  `${stateDirectory.replace(/\/+$/, "")}/sessions/${safeName(session)}`

/**
 * Makes a folder that only the user may enter, with whatever is missing above.
 *
 * @category writing
 * @since 0.1.0
 */
export const privateFolder = (fs: FileSystem.FileSystem, folder: string): Effect.Effect<void, PlatformError> =>
  fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
