/**
 * The files of an audit log: the one that is written to, and full ones beside
 * it with rising numbers.
 *
 * @since 0.1.0
 */
import { readdirSync } from "node:fs"

/**
 * The folder of the audit log within the state directory.
 *
 * @category naming
 * @since 0.1.0
 */
export const auditFolder = (stateDirectory: string): string => `${stateDirectory.replace(/\/+$/, "")}/audit`

/**
 * The file that is written to.
 *
 * @category naming
 * @since 0.1.0
 */
export const currentFile = (folder: string): string => `${folder}/audit.ndjson`

/**
 * A full file by its number.
 *
 * @category naming
 * @since 0.1.0
 */
export const fullFile = (folder: string, number: number): string =>
  `${folder}/audit-${String(number).padStart(6, "0")}.ndjson`

/**
 * The numbers of the full files that are there, oldest first. A folder that is
 * not there has none.
 *
 * @category reading
 * @since 0.1.0
 */
export const fullNumbers = (folder: string): ReadonlyArray<number> => {
  try {
    return readdirSync(folder)
      .flatMap((name) => {
        const number = /^audit-(\d{6,15})\.ndjson$/.exec(name)?.[1]
        return number === undefined ? [] : [Number(number)]
      })
      .sort((one, other) => one - other)
  } catch {
    return []
  }
}
