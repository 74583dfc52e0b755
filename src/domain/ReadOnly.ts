/**
 * The answer of the analysis that tells commands that only look.
 *
 * @since 0.1.0
 */
import type { Word } from "./ShellCommand.ts"

/**
 * Whether a command only looks, the files that it looks at, or why not.
 *
 * @category models
 * @since 0.1.0
 */
export type ReadOnly =
  | { readonly readOnly: true; readonly reads: ReadonlyArray<Word> }
  | { readonly readOnly: false; readonly why: string }
