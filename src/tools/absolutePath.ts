/**
 * Where a path leads that a model wrote.
 *
 * @since 0.1.0
 */
import { resolve } from "node:path"
import type { Validation } from "../domain/Tool.ts"
import { quoted } from "./quoted.ts"

/**
 * Returns the absolute path: `~` is the home directory, what is relative starts
 * at the working directory, `.` and `..` are taken out by name alone.
 *
 * **Example** (A path from home)
 *
 * ```ts
 * import { absolutePath } from "toolgate/tools/absolutePath"
 *
 * absolutePath("~/notes/../todo", { cwd: "/work", home: "/home/ann" }) // => "/home/ann/todo"
 * ```
 *
 * @category paths
 * @since 0.1.0
 */
export const absolutePath = (path: string, at: { readonly cwd: string; readonly home: string }): string =>
  path === "~" ? at.home : path.startsWith("~/") ? resolve(at.home, `./${path.slice(2)}`) : resolve(at.cwd, path)

/**
 * Refuses what can be no path, before anybody is asked about it.
 *
 * @category validation
 * @since 0.1.0
 */
export const validatePath = (field: string, path: string): Validation => {
  if (path.trim() === "") return { _tag: "Refused", message: `\`${field}\` is empty`, code: 1 }
  if (path.includes("\0")) {
    return { _tag: "Refused", message: `\`${field}\` holds a NUL character: ${quoted(path)}`, code: 2 }
  }
  if (!path.isWellFormed()) {
    return { _tag: "Refused", message: `\`${field}\` holds half a character: ${quoted(path)}`, code: 3 }
  }
  if (/^file:\/\//i.test(path)) {
    return {
      _tag: "Refused",
      message: `\`${field}\` is an address: give the path alone in place of ${quoted(path)}`,
      code: 9
    }
  }
  return { _tag: "Valid" }
}

/**
 * The same for a file that is to be written, which no folder's name can be.
 *
 * @category validation
 * @since 0.1.0
 */
export const validateTarget = (field: string, path: string): Validation =>
  path.endsWith("/")
    ? { _tag: "Refused", message: `\`${field}\` names a folder by its last slash: ${quoted(path)}`, code: 10 }
    : validatePath(field, path)
