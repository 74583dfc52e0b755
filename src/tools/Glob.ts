/**
 * The tool that finds files by name.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Schema from "effect/Schema"
import { lstat } from "node:fs/promises"
import { isAbsolute, join } from "node:path"
import * as Tool from "../domain/Tool.ts"
import type { ToolFailed } from "../errors/ExecuteError.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { absolutePath, validatePath } from "./absolutePath.ts"
import { fileStep } from "./fileStep.ts"
import * as NewestFirst from "./NewestFirst.ts"
import { listedName } from "./quoted.ts"
import * as ReadGuard from "./ReadGuard.ts"
import { ripgrep } from "./ripgrep.ts"
import { searchRoot } from "./searchRoot.ts"

const Input = Schema.Struct({
  pattern: Schema.String.annotate({
    description: "The glob that names have to match, such as `**/*.ts` or `src/**/*.{js,jsx}`; " +
      "without a slash it matches at any depth"
  }),
  path: Schema.optionalKey(
    Schema.String.annotate({ description: "The folder to search; the working directory when left out" })
  )
})

/**
 * What was found, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface GlobValue {
  readonly filenames: ReadonlyArray<string>
  readonly numFiles: number
  readonly totalFiles: number
  readonly truncated: boolean
  readonly durationMs: number
  readonly notices: ReadonlyArray<string>
}

/**
 * Finds files whose names match a glob, newest first, 100 at most.
 *
 * **Details**
 *
 * Hidden and ignored files are found too, but nothing inside `.git`. What the
 * call may not read is left out, and the result says so.
 *
 * @category tools
 * @since 0.1.0
 */
export const Glob: Tool.Tool<ChildProcessSpawner | PathResolver> = Tool.make({
  name: "Glob",
  origin: "builtin",
  description: "Finds files by a glob of their names, newest first, 100 at most. Also finds hidden and ignored files.",
  input: Input,
  subject: (input) => ({ _tag: "Search", path: placed(input).path }),
  concurrencySafe: () => true,
  validateInput: (input) => Effect.succeed(validate(input)),
  handler: Effect.fnUntraced(
    function*(input, context): Effect.fn.Return<GlobValue, ToolFailed, ChildProcessSpawner | PathResolver> {
      const started = yield* Clock.currentTimeMillis
      const { home } = yield* PathResolver
      const { path: shown, pattern } = placed(input)
      const path = absolutePath(shown, { cwd: context.call.cwd, home })
      const root = yield* searchRoot({ path, shown, folderOnly: true, context })
      const guard = ReadGuard.make(root, context)
      const newest = NewestFirst.make(limit)

      const { complete, notices } = yield* ripgrep({
        root,
        flags: ["--files", "--null", "--no-ignore", "--hidden", ...globs(pattern)],
        operands: [],
        separator: "\0",
        take: Effect.fnUntraced(function*(found: string): Effect.fn.Return<"more"> {
          if (!(yield* guard.open(found))) return "more"
          const stats = yield* Effect.option(fileStep(() => lstat(root.realOf(found))))
          // What is gone meanwhile is not found; what no text can name is there all the same.
          if (stats._tag === "Some" || found.includes("\ufffd")) {
            newest.add({ path: root.shownAs(found), mtimeMillis: stats._tag === "Some" ? stats.value.mtimeMs : 0 })
          }
          return "more"
        })
      })

      const filenames = newest.list().map((file) => file.path)
      const cut = newest.count() > filenames.length
      return {
        filenames,
        numFiles: filenames.length,
        totalFiles: newest.count(),
        truncated: cut || !complete,
        durationMs: (yield* Clock.currentTimeMillis) - started,
        notices: [
          ...(cut
            ? [`the newest ${limit} of ${newest.count()} files are shown; a narrower pattern shows others`]
            : []),
          ...ReadGuard.leftOutNotice(guard.leftOut()),
          ...notices
        ]
      }
    }
  ),
  render: (value: GlobValue) =>
    [
      ...(value.numFiles === 0 ? ["no files found"] : value.filenames.map(listedName)),
      ...value.notices.map((notice) => `[${notice}]`)
    ].join("\n")
})

const limit = 100

const validate = (input: typeof Input.Type): Tool.Validation => {
  if (input.pattern.trim() === "") return { _tag: "Refused", message: "`pattern` is empty", code: 1 }
  if (input.pattern.endsWith("/")) {
    return {
      _tag: "Refused",
      message: "`pattern` names a folder, and only files are found: add `**` to find those inside",
      code: 4
    }
  }
  if (/[*?[{\\].*\/\.\.(\/|$)/.test(input.pattern)) {
    return { _tag: "Refused", message: "`pattern` goes up by `..` behind a wildcard, where nothing can match", code: 5 }
  }
  const pattern = validatePath("pattern", input.pattern)
  return pattern._tag !== "Valid" || input.path === undefined ? pattern : validatePath("path", input.path)
}

/**
 * Where to search for what: an absolute pattern begins at the folder that it
 * names before its first wildcard.
 */
const placed = ({ path, pattern }: typeof Input.Type): { readonly path: string; readonly pattern: string } => {
  if (!pattern.startsWith("/") && !pattern.startsWith("~/") && !/(^|\/)\.\.?\//.test(pattern)) {
    return { path: path ?? ".", pattern }
  }
  const wild = pattern.search(/[*?[{\\]/)
  const fixed = wild === -1 ? pattern : pattern.slice(0, wild)
  const folder = fixed.slice(0, fixed.lastIndexOf("/") + 1)
  const base = isAbsolute(folder) || folder.startsWith("~/") ? folder : join(path ?? ".", folder)
  return { path: base === "/" ? base : base.replace(/\/$/, ""), pattern: `/${pattern.slice(folder.length)}` }
}

/** ripgrep takes a leading `!` for "not"; here it is a letter of a name. */
const globs = (pattern: string): ReadonlyArray<string> => [
  `--glob=${pattern.startsWith("!") ? `\\${pattern}` : pattern}`,
  ...(/(^|\/)\.git(\/|$)/.test(pattern) ? [] : ["--glob=!**/.git/**"])
]
