/**
 * How long results may be, where the environment says so.
 *
 * @since 0.1.0
 */
import type { Options } from "../toolgate.ts"

/**
 * What `BASH_MAX_OUTPUT_LENGTH` says: how many characters of a command's output
 * are handed over whole, from 500 to 150,000. What is no such number counts for
 * nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const resultLimits = (
  { BASH_MAX_OUTPUT_LENGTH: text = "" }: { readonly [name: string]: string | undefined }
): Pick<Options, "maxResultSizeChars"> => {
  const chars = /^\d{3,9}$/.test(text.trim()) ? Math.min(Number(text), 150_000) : 0
  return chars < 500 ? {} : { maxResultSizeChars: { Bash: chars, TaskOutput: chars } }
}
