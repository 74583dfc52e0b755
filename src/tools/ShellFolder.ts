/**
 * The folder that a session's shell stands in, from one command to the next.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdtemp, readFile, realpath, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import { fileStep } from "./fileStep.ts"
import { quoted } from "./quoted.ts"

/**
 * A command that also says where it stands when it ends. `where` gives nothing
 * when it did not say so; `folder` is where it writes that.
 *
 * @category models
 * @since 0.1.0
 */
export interface Followed {
  readonly command: string
  readonly folder?: string
  readonly where: Effect.Effect<string | undefined>
}

/**
 * Has a command tell where it stands when it ends. One that goes nowhere is left
 * as it is.
 *
 * **Details**
 *
 * What goes before the command stands on its first line and ends before it
 * begins, so that the command is read as it would be alone.
 *
 * @category constructors
 * @since 0.1.0
 */
export const follow = Effect.fnUntraced(function*(command: string): Effect.fn.Return<Followed, never, Scope.Scope> {
  const folder = moves.test(command) ? yield* Effect.option(temporary) : undefined
  if (folder?._tag !== "Some") return { command, where: Effect.undefined }
  const file = join(folder.value, "folder")
  return {
    folder: folder.value,
    command: `trap ${word(`{ builtin pwd -P >| ${word(file)}; } 2>/dev/null`)} EXIT; ${command}`,
    where: Effect.map(
      Effect.option(fileStep(() => readFile(file, "utf8"))),
      (text) => text._tag === "Some" && /^\/[^\0]*\n$/.test(text.value) ? text.value.slice(0, -1) : undefined
    )
  }
})

/**
 * Whether a folder is there, and inside the working directories.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isInside = Effect.fnUntraced(function*(
  folder: string,
  { cwd, directories }: CallContext
): Effect.fn.Return<boolean> {
  const found = yield* Effect.option(fileStep(() => stat(folder)))
  if (found._tag === "None" || !found.value.isDirectory()) return false
  const roots = yield* Effect.forEach([cwd, ...directories], (root) => Effect.option(fileStep(() => realpath(root))))
  return roots.some((root) =>
    root._tag === "Some" && (folder === root.value || folder.startsWith(`${root.value.replace(/\/$/, "")}/`))
  )
})

/**
 * Says that a shell is back where it began.
 *
 * @category rendering
 * @since 0.1.0
 */
export const backNotice = (folder: string, cwd: string): string =>
  `the shell is back in ${quoted(cwd)}, since ${quoted(folder)} is outside of the working directories`

/**
 * Says that nobody knows where a command ended.
 *
 * @category rendering
 * @since 0.1.0
 */
export const unknownNotice = (next: string): string =>
  `where the shell ended is not known, since its \`EXIT\` trap was replaced or never ran; the next command begins in ${
    quoted(next)
  }`

const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const moves = /(?<![\w-])(?:cd|pushd|popd)(?![\w-])/

const temporary = Effect.acquireRelease(
  fileStep(() => mkdtemp(join(tmpdir(), "toolgate-folder-"))),
  (folder) => Effect.ignore(fileStep(() => rm(folder, { recursive: true, force: true })))
)
