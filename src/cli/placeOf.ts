/**
 * Names the place that a rule was written at.
 *
 * @since 0.1.0
 */
import { homedir } from "node:os"
import * as path from "node:path"
import type { Origin } from "../domain/Rule.ts"

/**
 * Names an origin: source, file and line, as far as they are known. A file is
 * named as one would name it from here.
 *
 * @category formatting
 * @since 0.1.0
 */
export const placeOf = ({ file, line, source }: Origin): string => {
  if (file === undefined) return source
  return `${source} ${shortened(file)}${line === undefined ? "" : `:${line}`}`
}

/**
 * Names the file of an origin, or its source where there is none.
 *
 * @category formatting
 * @since 0.1.0
 */
export const fileOf = ({ file, source }: Origin): string => file === undefined ? source : shortened(file)

const shortened = (file: string): string => {
  const below = (folder: string) => file.startsWith(folder + path.sep)
  if (below(process.cwd())) return path.relative(process.cwd(), file)
  const home = homedir()
  return below(home) ? `~${file.slice(home.length)}` : file
}
