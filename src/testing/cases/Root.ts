/**
 * The folder that a case's world is moved into: `/repo` of a case is `repo` in
 * it, and so with every other absolute path.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import type { Case } from "./Case.ts"

/**
 * A moved world.
 *
 * **Details**
 *
 * - `real`: where an absolute path of the case really is; others stay.
 * - `told`: the text with every real path as the case would write it.
 * - `moved`: a command line whose paths below the folders that the case speaks
 *   of are real ones.
 * - `marker`: a variable that every process of this case has, to find them by.
 *
 * @category models
 * @since 0.1.0
 */
export interface Root {
  readonly path: string
  readonly cwd: string
  readonly home: string
  readonly state: string
  readonly marker: string
  readonly real: (path: string) => string
  readonly told: (text: string) => string
  readonly moved: (command: string) => string
}

/**
 * Makes the folder of a case, with its files and links. It is gone with the
 * scope. With `gone` the working directory is not there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  { given }: Case,
  options: { readonly gone: boolean }
): Effect.Effect<Root, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => realpathSync(mkdtempSync(`${tmpdir()}/toolgate-case-`))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
    ),
    (path) => {
      const real = (text: string) =>
        isAbsolute(text) && !text.startsWith(`${path}/`) ? `${path}/${text.replace(/^\//, "")}` : text
      const home = given.home ?? "/home/dev"
      const places = [given.cwd, home, ...given.settings?.additionalDirectories ?? [], ...topFolders(given.fs ?? {})]
      const root: Root = {
        path,
        cwd: real(given.cwd),
        home: real(home),
        state: `${path}/.state`,
        marker: path.slice(path.lastIndexOf("-") + 1),
        real,
        told: (text) => text.replaceAll(path, ""),
        moved: mover(path, places)
      }
      mkdirSync(root.home, { recursive: true })
      for (const [name, entry] of Object.entries(given.fs ?? {})) {
        if (typeof entry === "string") put(root, name, entry)
      }
      if (!options.gone) mkdirSync(root.cwd, { recursive: true })
      return root
    }
  )

/**
 * Writes a file of the case's world.
 *
 * @category writing
 * @since 0.1.0
 */
export const write = (root: Root, path: string, text: string, mode = 0o644): void => {
  const file = root.real(path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
}

const isAbsolute = (path: string): boolean => path.startsWith("/") || /^[A-Za-z]:[\\/]|^\\\\/.test(path)

const topFolders = (files: { readonly [path: string]: unknown }): ReadonlyArray<string> =>
  Object.keys(files).flatMap((path) => /^\/[^/]+/.exec(path) ?? [])

const put = (root: Root, name: string, entry: string): void => {
  const path = root.real(name)
  if (entry === "dir") {
    mkdirSync(path, { recursive: true })
    return
  }
  if (entry.startsWith("-> ")) {
    mkdirSync(dirname(path), { recursive: true })
    // A folder that was made for a file below it has no room for a link.
    rmSync(path, { recursive: true, force: true })
    symlinkSync(root.real(entry.slice(3)), path)
    return
  }
  write(root, name, entry === "file" ? "" : entry)
}

const mover = (root: string, places: ReadonlyArray<string>) => {
  const names = [...new Set(places)].filter((place) => place !== "/").sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(?<![\\w/.~-])(?:${names.map(literally).join("|")})(?![\\w.-])`, "g")
  return (command: string): string => command.replace(pattern, (place) => `${root}${place}`)
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
