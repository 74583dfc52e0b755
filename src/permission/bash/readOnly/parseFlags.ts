/**
 * The notation in which flags are written down: names parted by spaces, each
 * followed by what its values are.
 *
 * @since 0.1.0
 */
import type { Program } from "./Program.ts"

/**
 * One flag of a program.
 *
 * **Details**
 *
 * `values` has one sign for each value that the flag takes: `:` text, `<` a
 * file that is read, `>` a file that is written. `optional` values only come
 * attached (`--color=auto`, `-i.bak`). `danger` says what it does that is more
 * than looking.
 *
 * @category models
 * @since 0.1.0
 */
export interface Flag {
  readonly values: string
  readonly optional: boolean
  readonly danger: string | undefined
}

/**
 * Reads flag notation: `-a --all` are switches, `-n:` takes text, `-f<` a file
 * to read, `-o>` a file to write, `--arg::` two texts, `--color?` an optional
 * text, `-i>?` an optional file.
 *
 * **Example** (A switch and a flag with a value)
 *
 * ```ts
 * import { parseFlags } from "toolgate/permission/bash/readOnly/parseFlags"
 *
 * parseFlags("-l -n:").get("-n")?.values // => ":"
 * ```
 *
 * @category parsing
 * @since 0.1.0
 */
export const parseFlags = (notation: string, danger?: string): Map<string, Flag> => {
  const flags = new Map<string, Flag>()
  for (const token of notation.split(/\s+/)) {
    if (token === "") continue
    const end = token.search(/[:<>?]*$/)
    const signs = token.slice(end)
    const optional = signs.endsWith("?")
    const values = signs === "?" ? ":" : optional ? signs.slice(0, -1) : signs
    flags.set(token.slice(0, end), { values, optional, danger })
  }
  return flags
}

/**
 * Every flag of a program, harmless and dangerous, by name. Read once for each
 * program, when it is first asked for.
 *
 * @category parsing
 * @since 0.1.0
 */
export const flagsOf = (program: Program): ReadonlyMap<string, Flag> => {
  const known = read.get(program)
  if (known !== undefined) return known
  const flags = parseFlags(program.flags ?? "")
  for (const [notation, does] of program.dangers ?? []) {
    for (const [name, flag] of parseFlags(notation, does)) flags.set(name, flag)
  }
  read.set(program, flags)
  return flags
}

const read = new WeakMap<Program, ReadonlyMap<string, Flag>>()
