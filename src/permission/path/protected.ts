/**
 * Files that make other programs run something, and Toolgate's own: no allow
 * rule opens them for writing.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import { below, folded, normalise } from "./normalise.ts"

/**
 * Names of folders whose content is protected wherever they lie. A name with a
 * slash is a folder in a folder.
 *
 * @category constants
 * @since 0.1.0
 */
export const protectedFolders: ReadonlyArray<string> = [
  ".cargo",
  ".claude",
  ".config/git",
  ".devcontainer",
  ".git",
  ".husky",
  ".idea",
  ".mvn",
  ".vscode",
  ".yarn"
]

/**
 * Names of files that are protected wherever they lie. A `*` at the end is any
 * ending.
 *
 * @category constants
 * @since 0.1.0
 */
export const protectedFiles: ReadonlyArray<string> = [
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".bazeliskrc",
  ".bazelrc",
  ".bazelversion",
  ".bunfig.toml",
  ".claude.json",
  ".cshrc",
  ".devcontainer.json",
  ".envrc",
  ".gitconfig",
  ".gitmodules",
  ".kshrc",
  ".lefthook.*",
  ".login",
  ".logout",
  ".mcp.json",
  ".mkshrc",
  ".npmrc",
  ".pnp.*",
  ".pnpmfile.cjs",
  ".pre-commit-config.yaml",
  ".profile",
  ".ripgreprc",
  ".tcshrc",
  ".yarnrc*",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "bunfig.toml",
  "config.fish",
  "gradle-wrapper.properties",
  "lefthook.*",
  "maven-wrapper.properties",
  "pyrightconfig.json"
]

/**
 * Says whether a path is protected. The path is in the form of `normalise`;
 * ask for the path as written and for everything that it leads to.
 *
 * **Details**
 *
 * Worktrees under `.claude/worktrees` are ordinary folders.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isProtected = (path: string, place: Place): boolean => {
  const text = folded(path, place)
  return isProtectedName(text.split("/")) || own(place).some((folder) => below(text, folder) !== undefined)
}

/**
 * Says whether something that the place protects lies below a folder, so that
 * removing or replacing the folder would change it.
 *
 * @category predicates
 * @since 0.1.0
 */
export const holdsProtected = (folder: string, place: Place): boolean => {
  const text = folded(folder, place)
  return own(place).some((path) => below(path, text) !== undefined)
}

const folders = new Set(protectedFolders)

const files = new Set(protectedFiles.filter((name) => !name.endsWith("*")))

const starts = protectedFiles.flatMap((name) => name.endsWith("*") ? [name.slice(0, -1)] : [])

const isProtectedName = (names: ReadonlyArray<string>): boolean => {
  const last = names.at(-1) ?? ""
  return files.has(last) || starts.some((start) => last.startsWith(start)) ||
    names.some((name, index) =>
      folders.has(`${name}/${names[index + 1]}`) ||
      (folders.has(name) && !(name === ".claude" && names[index + 1] === "worktrees" && index + 2 < names.length))
    )
}

const cache = new WeakMap<Place, ReadonlyArray<string>>()

const own = (place: Place): ReadonlyArray<string> => {
  const known = cache.get(place)
  if (known !== undefined) return known
  const paths = place.protectedPaths.flatMap((path) => {
    const normal = normalise(path, place)
    return normal === undefined ? [] : [folded(normal, place)]
  })
  cache.set(place, paths)
  return paths
}
