/**
 * Service boundary for where paths lead. Decisions are made on what it says, so
 * that they can be tried on paths that no disk has.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ResolvedPath } from "../domain/ResolvedPath.ts"

/**
 * One name in a folder.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry {
  readonly name: string
  readonly kind: "file" | "directory" | "link"
}

/**
 * Service that follows links and knows the machine's notion of paths.
 *
 * @category services
 * @since 0.1.0
 */
export class PathResolver extends Context.Service<PathResolver, {
  /** The home directory, absolute. */
  readonly home: string
  readonly platform: "linux" | "darwin" | "win32"
  /** Whether names that differ in case alone are the same file. */
  readonly caseInsensitive: boolean
  /** Folders that Toolgate keeps its own state and compiled code in: nobody's tool may change them. */
  readonly stateDirectories: ReadonlyArray<string>
  /**
   * What lies in a folder, or undefined for one that can't be listed or holds
   * more than 10,000 names.
   */
  readonly entries: (folder: string) => Effect.Effect<ReadonlyArray<Entry> | undefined>
  /** Follows an absolute path. */
  readonly resolve: (path: string) => Effect.Effect<ResolvedPath>
}>()("toolgate/services/PathResolver") {}
