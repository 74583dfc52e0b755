/**
 * A file system whose paths are those of a case, for whoever reads settings.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { Root } from "./Root.ts"

/**
 * Layer that reads in the folder of a case and writes nowhere.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (root: Root): Layer.Layer<FileSystem.FileSystem, never, FileSystem.FileSystem> =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs) =>
      FileSystem.makeNoop({
        access: (path, options) => fs.access(root.real(path), options),
        exists: (path) => fs.exists(root.real(path)),
        stat: (path) => fs.stat(root.real(path)),
        lstat: (path) => fs.lstat(root.real(path)),
        readFile: (path) => fs.readFile(root.real(path)),
        readDirectory: (path, options) => fs.readDirectory(root.real(path), options),
        readLink: (path) => Effect.map(fs.readLink(root.real(path)), root.told),
        realPath: (path) => Effect.map(fs.realPath(root.real(path)), root.told)
      }))
  )
