/**
 * The surroundings that give a path its meaning: a rule or a call that names
 * `src/a.ts` says nothing until one knows where it stands.
 *
 * @since 0.1.0
 */

/**
 * Whose notion of paths is meant. Paths of every platform are handled as text.
 *
 * @category models
 * @since 0.1.0
 */
export type Platform = "linux" | "darwin" | "win32"

/**
 * Where a call stands.
 *
 * **Details**
 *
 * Every path is absolute, in the platform's own form or in the one that rules
 * use (`C:\x` and `/c/x` are the same).
 *
 * - `cwd` anchors relative paths and patterns, `home` those with a tilde.
 * - `directories` are working directories beside `cwd`.
 * - `caseInsensitive`: names that differ in case alone are one file.
 * - `protectedPaths` are files and folders that no rule opens for writing:
 *   Toolgate's own state and every settings file in force.
 * - `links` are folders known to lead elsewhere, as pairs of name and target.
 *   A deny or ask rule that names the link then reaches the target as well; an
 *   allow rule never does, since whoever may write could make the link.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place {
  readonly cwd: string
  readonly projectRoot: string
  readonly home: string
  readonly directories: ReadonlyArray<string>
  readonly platform: Platform
  readonly caseInsensitive: boolean
  readonly protectedPaths: ReadonlyArray<string>
  readonly links?: ReadonlyArray<readonly [link: string, target: string]>
}
