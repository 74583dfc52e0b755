/**
 * The git checkout that a folder lies in, found without running git: a
 * repository's own configuration could make git run programs.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { exists, type View } from "./watch.ts"

/**
 * A checkout's root, and the index that lists what git tracks there.
 *
 * @category models
 * @since 0.1.0
 */
export interface Checkout {
  readonly root: string
  readonly index: string
}

/**
 * Finds the checkout that a folder lies in; for a linked worktree, the main one.
 *
 * **Details**
 *
 * A `.git` file may point anywhere. It counts as a worktree of another checkout
 * only when that checkout points back at it, since otherwise a repository could
 * borrow the settings of any other.
 *
 * @category searching
 * @since 0.1.0
 */
export const findCheckout = Effect.fnUntraced(function*(
  fs: FileSystem.FileSystem,
  path: Path.Path,
  text: (path: string) => Effect.Effect<View<string>>,
  directory: string
): Effect.fn.Return<Checkout | undefined> {
  for (let folder = directory;; folder = path.dirname(folder)) {
    const git = path.join(folder, ".git")
    const kind = (yield* exists(fs, git)) ? yield* kindOf(fs, git) : undefined
    if (kind === "Directory") return { root: folder, index: path.join(git, "index") }
    if (kind === "File") return yield* readPointer(fs, path, text, folder, git)
    if (path.dirname(folder) === folder) return undefined
  }
})

const kindOf = (fs: FileSystem.FileSystem, file: string): Effect.Effect<FileSystem.File.Type | undefined> =>
  fs.stat(file).pipe(
    Effect.map((info) => info.type),
    Effect.catchTag("PlatformError", () => Effect.undefined)
  )

const readPointer = Effect.fnUntraced(function*(
  fs: FileSystem.FileSystem,
  path: Path.Path,
  text: (path: string) => Effect.Effect<View<string>>,
  folder: string,
  git: string
): Effect.fn.Return<Checkout> {
  const line = (file: string): Effect.Effect<string | undefined> =>
    Effect.map(text(file), (view) => view._tag === "Read" ? view.value.split(/\r?\n/, 1)[0]?.trim() : undefined)

  const pointer = /^gitdir:\s*(.+)$/.exec((yield* line(git)) ?? "")?.[1]
  if (pointer === undefined) return { root: folder, index: path.join(git, "index") }
  const directory = path.resolve(folder, pointer)
  const itself = { root: folder, index: path.join(directory, "index") }

  const common = yield* line(path.join(directory, "commondir"))
  const back = yield* line(path.join(directory, "gitdir"))
  if (common === undefined || back === undefined) return itself
  const real = (file: string): Effect.Effect<string> =>
    Effect.catchTag(fs.realPath(file), "PlatformError", () => Effect.succeed(""))
  const here = yield* real(git)
  if (here === "" || (yield* real(path.resolve(directory, back))) !== here) return itself

  const repository = path.resolve(directory, common)
  // A bare repository has worktrees and no checkout of its own.
  if (path.basename(repository) !== ".git") return itself
  return { root: path.dirname(repository), index: path.join(repository, "index") }
})
