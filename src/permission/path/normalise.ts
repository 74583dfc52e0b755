/**
 * Brings paths into the one form that they are compared in.
 *
 * @since 0.1.0
 */
import type { Place, Platform } from "../../domain/Place.ts"

/**
 * Returns a path as an absolute one with `/` between names and without `.`,
 * `..`, doubled and trailing slashes; undefined where no file can bear it.
 *
 * **Details**
 *
 * A tilde alone or before a slash is the home directory. For Windows, `C:\x` is
 * `/c/x`, `\\server\share` is `//server/share`, a path with one slash in front
 * is on the drive of the working directory, and what Windows ignores of a name
 * (blanks and dots at its end, a stream after a colon) is left out. Links are
 * not followed.
 *
 * **Example** (Bringing paths into one form)
 *
 * ```ts
 * import { normalise } from "toolgate/permission/path/normalise"
 *
 * const place = { cwd: "/repo", home: "/home/dev", platform: "linux" } as const
 * normalise("src/../.env", place) // => "/repo/.env"
 * ```
 *
 * @category converting
 * @since 0.1.0
 */
export const normalise = (
  path: string,
  { cwd, home, platform }: Pick<Place, "cwd" | "home" | "platform">
): string | undefined => {
  if (path.includes("\u0000")) return undefined
  const text = slashed(path, platform)
  const place = slashed(cwd, platform)
  if (text === "~") return tidied(slashed(home, platform), platform)
  if (text.startsWith("~/")) return tidied(`${slashed(home, platform)}/${text.slice(2)}`, platform)
  if (!text.startsWith("/")) return tidied(`${place}/${text}`, platform)
  return tidied(platform === "win32" ? onDrive(text, place) : text, platform)
}

/**
 * Returns the form of a path in which two that are one file are equal.
 *
 * @category converting
 * @since 0.1.0
 */
export const folded = (
  path: string,
  { caseInsensitive, platform }: Pick<Place, "caseInsensitive" | "platform">
): string => {
  const composed = platform === "darwin" && !ascii.test(path) ? path.normalize("NFC") : path
  return caseInsensitive ? composed.toUpperCase().toLowerCase() : composed
}

/**
 * Returns what of a path lies below a folder: empty for the folder itself,
 * undefined when it lies elsewhere. Both are in the form of `normalise`.
 *
 * @category getters
 * @since 0.1.0
 */
export const below = (path: string, folder: string): string | undefined => {
  if (path === folder) return ""
  const start = folder.endsWith("/") ? folder : `${folder}/`
  return path.startsWith(start) ? path.slice(start.length) : undefined
}

const ascii = /^[\x00-\x7f]*$/

const slashed = (path: string, platform: Platform): string => {
  if (platform !== "win32") return path
  const text = path.replaceAll("\\", "/").replace(/^\/\/[?.]\/(?:UNC\/)?/i, (device) => /unc/i.test(device) ? "//" : "")
  return text.replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}/`).replace(
    /^\/([A-Za-z])(?=\/|$)/,
    (_, drive: string) => `/${drive.toLowerCase()}`
  )
}

const onDrive = (path: string, cwd: string): string =>
  path.startsWith("//") || /^\/[a-z](?:\/|$)/.test(path) ? path : `${/^\/[a-z](?=\/|$)/.exec(cwd)?.[0] ?? ""}${path}`

const plain = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/

const tidied = (path: string, platform: Platform): string => {
  if (platform !== "win32" && plain.test(path)) return path
  const network = platform === "win32" && path.startsWith("//")
  // Above a drive or a share there is nothing.
  const fixed = network ? 2 : platform === "win32" ? 1 : 0
  const names: Array<string> = []
  for (const part of path.split("/")) {
    const name = platform === "win32" ? windowsName(part) : part
    if (name === "..") names.length = Math.max(Math.min(fixed, names.length), names.length - 1)
    else if (name !== "" && name !== ".") names.push(name)
  }
  return `${network ? "//" : "/"}${names.join("/")}`
}

const windowsName = (part: string): string => {
  if (part === "." || part === "..") return part
  const name = part.replace(/:.*$/s, "")
  let end = name.length
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--
  return name.slice(0, end)
}
