/**
 * Layers that provide `PathResolver`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { type Dirent, lstatSync, opendirSync, readlinkSync } from "node:fs"
import { homedir } from "node:os"
import { type Entry, PathResolver } from "../services/PathResolver.ts"
import { cacheDirectory } from "./cacheDirectory.ts"
import { followPath, type Found } from "./files/followPath.ts"
import { whyFailed } from "./files/whyFailed.ts"
import { stateDirectory } from "./stateDirectory.ts"

/**
 * What a resolver is told instead of finding it out.
 *
 * @category options
 * @since 0.1.0
 */
export interface ResolverOptions {
  readonly home?: string
  readonly platform?: PathResolver["Service"]["platform"]
  readonly caseInsensitive?: boolean
  readonly stateDirectories?: ReadonlyArray<string>
}

/**
 * Layer that looks at the machine's own file system.
 *
 * **Details**
 *
 * Whether names ignore case is taken from the platform: macOS and Windows do
 * unless the options say otherwise. Files are looked at without leaving the
 * thread: a decision needs many short looks, and each would cost tenfold.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNode = (options: ResolverOptions = {}): Layer.Layer<PathResolver> =>
  Layer.sync(PathResolver, () =>
    make(
      {
        home: options.home ?? homedir(),
        platform: options.platform ??
          (process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux"),
        stateDirectories: options.stateDirectories ?? [stateDirectory(), cacheDirectory()],
        ...(options.caseInsensitive === undefined ? {} : { caseInsensitive: options.caseInsensitive })
      },
      lookAt,
      listIn
    ))

/**
 * A file system for tests: by absolute path `"dir"`, `"file"`, `"-> target"` for
 * a link, or a text, which is a file as well. Folders above are there by
 * themselves.
 *
 * @category models
 * @since 0.1.0
 */
export interface VirtualFiles {
  readonly [path: string]: string
}

/**
 * Layer that resolves paths on no disk at all. The home directory is
 * `/home/user`, the platform Linux, unless the options say otherwise.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerVirtual = (files: VirtualFiles, options: ResolverOptions = {}): Layer.Layer<PathResolver> =>
  Layer.succeed(
    PathResolver,
    make(
      {
        home: options.home ?? "/home/user",
        platform: options.platform ?? "linux",
        stateDirectories: options.stateDirectories ?? [`${options.home ?? "/home/user"}/.local/state/toolgate`],
        ...(options.caseInsensitive === undefined ? {} : { caseInsensitive: options.caseInsensitive })
      },
      lookIn(files),
      namesIn(files)
    )
  )

const make = (
  known: Required<Omit<ResolverOptions, "caseInsensitive">> & Pick<ResolverOptions, "caseInsensitive">,
  look: (path: string) => Found,
  list: (folder: string) => ReadonlyArray<Entry> | undefined
): PathResolver["Service"] =>
  PathResolver.of({
    ...known,
    caseInsensitive: known.caseInsensitive ?? known.platform !== "linux",
    entries: (folder) => Effect.sync(() => list(folder)),
    resolve: (path) => Effect.sync(() => followPath(path, look))
  })

const mostEntries = 10_000

const listIn = (folder: string): ReadonlyArray<Entry> | undefined => {
  const entries: Array<Entry> = []
  try {
    const open = opendirSync(folder)
    try {
      for (let next = open.readSync(); next !== null; next = open.readSync()) {
        if (entries.length === mostEntries) return undefined
        entries.push({ name: next.name, kind: kindOf(next) })
      }
    } finally {
      open.closeSync()
    }
    return entries
  } catch {
    return undefined
  }
}

const kindOf = (entry: Dirent): Entry["kind"] =>
  entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "directory" : "file"

const lookAt = (path: string): Found => {
  try {
    const info = lstatSync(path, { throwIfNoEntry: false })
    if (info === undefined) return { _tag: "Missing" }
    if (info.isSymbolicLink()) return { _tag: "Link", target: readlinkSync(path) }
    return { _tag: info.isDirectory() ? "Directory" : info.isFile() ? "File" : "Other" }
  } catch (error) {
    // What became a file or went away since the last look has nothing below.
    const code = Predicate.hasProperty(error, "code") ? error.code : undefined
    return code === "ENOENT" || code === "ENOTDIR"
      ? { _tag: "Missing" }
      : { _tag: "Refused", reason: whyFailed(error) }
  }
}

const namesIn = (files: VirtualFiles) => {
  const look = lookIn(files)
  return (folder: string): ReadonlyArray<Entry> | undefined => {
    if (look(folder)._tag !== "Directory") return undefined
    const start = folder.endsWith("/") ? folder : `${folder}/`
    const names = new Set(
      Object.keys(files).flatMap((path) =>
        path.startsWith(start) ? [path.slice(start.length).split("/", 1)[0] ?? ""] : []
      )
    )
    return [...names].map((name) => {
      const found = look(`${start}${name}`)._tag
      return { name, kind: found === "Link" ? "link" : found === "Directory" ? "directory" : "file" }
    })
  }
}

const lookIn = (files: VirtualFiles) => {
  const folders = new Set<string>(["/"])
  for (const path of Object.keys(files)) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) folders.add(path.slice(0, end))
  }
  return (path: string): Found => {
    const entry = Object.hasOwn(files, path) ? files[path] : undefined
    if (entry === undefined) return { _tag: folders.has(path) ? "Directory" : "Missing" }
    if (entry.startsWith("-> ")) return { _tag: "Link", target: entry.slice(3) }
    return { _tag: entry === "dir" ? "Directory" : "File" }
  }
}
