/**
 * What every kind of search in the contents of files has in common.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Schema from "effect/Schema"
import type { ToolFailed } from "../errors/ExecuteError.ts"
import type * as ReadGuard from "./ReadGuard.ts"
import type { SearchRoot } from "./searchRoot.ts"

const natural = (description: string) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description })

const flag = (description: string) => Schema.Boolean.annotate({ description })

const text = (description: string) => Schema.String.annotate({ description })

/**
 * Schema for what a search is asked for.
 *
 * @category models
 * @since 0.1.0
 */
export const GrepInput = Schema.Struct({
  pattern: text("The regular expression to search for, in ripgrep's syntax"),
  path: Schema.optionalKey(text("The file or folder to search; the working directory when left out")),
  glob: Schema.optionalKey(text("Search only files whose names match this glob, such as `*.ts` or `!**/test/**`")),
  type: Schema.optionalKey(text("Search only files of this type, such as `js`, `py` or `rust`")),
  output_mode: Schema.optionalKey(
    Schema.Literals(["content", "files_with_matches", "count"]).annotate({
      description: "`content` shows the lines, `files_with_matches` the paths (this when left out), " +
        "`count` how many lines match in each file"
    })
  ),
  "-i": Schema.optionalKey(flag("Whether upper and lower case are the same")),
  "-n": Schema.optionalKey(flag("Whether lines are shown with their numbers; true when left out")),
  "-o": Schema.optionalKey(flag("Whether only the matching parts of lines are shown")),
  "-A": Schema.optionalKey(natural("How many lines after each match are shown")),
  "-B": Schema.optionalKey(natural("How many lines before each match are shown")),
  "-C": Schema.optionalKey(natural("How many lines around each match are shown")),
  context: Schema.optionalKey(natural("The same as `-C`")),
  head_limit: Schema.optionalKey(
    natural("How many lines or paths are shown; 250 when left out, and 0 for as many as fit")
  ),
  offset: Schema.optionalKey(natural("How many lines or paths are skipped first")),
  multiline: Schema.optionalKey(flag("Whether a match may go over several lines, and `.` matches a line end"))
})

/**
 * @category models
 * @since 0.1.0
 */
export type GrepInput = typeof GrepInput.Type

/**
 * What was found, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface GrepValue {
  readonly mode: "content" | "files_with_matches" | "count"
  readonly filenames: ReadonlyArray<string>
  readonly numFiles: number
  readonly content?: string
  readonly numLines?: number
  readonly numMatches?: number
  readonly appliedLimit?: number
  readonly appliedOffset?: number
  readonly notices: ReadonlyArray<string>
}

/**
 * One way to search, from a place on, with a guard over what is found.
 *
 * @category models
 * @since 0.1.0
 */
export type GrepSearch = (
  input: GrepInput,
  root: SearchRoot,
  guard: ReadGuard.ReadGuard
) => Effect.Effect<GrepValue, ToolFailed, ChildProcessSpawner>

/**
 * Which part of what is found is shown.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/**
 * Returns the part that is asked for, or the one that is shown when nothing is.
 *
 * @category getters
 * @since 0.1.0
 */
export const pageOf = (input: GrepInput): Page => ({
  offset: Math.min(input.offset ?? 0, 1_000_000),
  limit: input.head_limit === 0 ? mostRecords : Math.min(input.head_limit ?? defaultLimit, mostRecords)
})

/**
 * What every search gives to ripgrep.
 *
 * @category getters
 * @since 0.1.0
 */
export const searching = (input: GrepInput, root: SearchRoot, flags: ReadonlyArray<string>) => ({
  root,
  flags: [
    ...flags,
    "--hidden",
    ...(input["-i"] === true ? ["--ignore-case"] : []),
    ...(input.multiline === true ? ["--multiline", "--multiline-dotall"] : []),
    ...(input.type === undefined ? [] : [`--type=${input.type}`]),
    ...(input.glob === undefined ? [] : [`--glob=${input.glob}`]),
    ...versionControl.map((folder) => `--glob=!**/${folder}/**`)
  ],
  operands: [input.pattern]
})

/**
 * What a value says of the part that was shown.
 *
 * @category getters
 * @since 0.1.0
 */
export const applied = (page: Page, cut: boolean) => ({
  ...(cut ? { appliedLimit: page.limit } : {}),
  ...(page.offset > 0 ? { appliedOffset: page.offset } : {})
})

/**
 * Says that more was found than is shown, if so.
 *
 * @category rendering
 * @since 0.1.0
 */
export const moreNotice = (shown: number, all: number, offset: number, cut: boolean): ReadonlyArray<string> =>
  cut ? [`${shown} of ${all} files are shown; read on with offset ${offset + shown}`] : []

const defaultLimit = 250

const mostRecords = 10_000

const versionControl = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"]
