/**
 * The tool that searches the contents of files.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Tool from "../domain/Tool.ts"
import type { ToolFailed } from "../errors/ExecuteError.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { absolutePath, validatePath } from "./absolutePath.ts"
import { grepContent } from "./grepContent.ts"
import { grepCount } from "./grepCount.ts"
import { grepFiles } from "./grepFiles.ts"
import { GrepInput, type GrepSearch, type GrepValue } from "./GrepSearch.ts"
import { listedName } from "./quoted.ts"
import * as ReadGuard from "./ReadGuard.ts"
import { searchRoot } from "./searchRoot.ts"

/**
 * Searches files with ripgrep.
 *
 * **Details**
 *
 * Ignored files and version control folders are not searched, hidden files are.
 * What the call may not read is left out, and the result says so. Long lines
 * are cut.
 *
 * @category tools
 * @since 0.1.0
 */
export const Grep: Tool.Tool<ChildProcessSpawner | PathResolver> = Tool.make({
  name: "Grep",
  origin: "builtin",
  description: "Searches the contents of files for a regular expression, with ripgrep. " +
    "Leaves out what `.gitignore` names.",
  input: GrepInput,
  maxResultSizeChars: 30_000,
  subject: ({ path }) => ({ _tag: "Search", path: path ?? "." }),
  concurrencySafe: () => true,
  validateInput: (input) => Effect.succeed(validate(input)),
  handler: Effect.fnUntraced(
    function*(input, context): Effect.fn.Return<GrepValue, ToolFailed, ChildProcessSpawner | PathResolver> {
      const { home } = yield* PathResolver
      const shown = input.path ?? "."
      const path = absolutePath(shown, { cwd: context.call.cwd, home })
      const root = yield* searchRoot({ path, shown, folderOnly: false, context })
      const guard = ReadGuard.make(root, context)
      const found = yield* searches[input.output_mode ?? "files_with_matches"](input, root, guard)
      return { ...found, notices: [...found.notices, ...ReadGuard.leftOutNotice(guard.leftOut())] }
    }
  ),
  render: (value: GrepValue) => {
    const body = value.mode === "files_with_matches" ? value.filenames.map(listedName).join("\n") : value.content ?? ""
    const none = value.appliedOffset === undefined
      ? "no matches found"
      : `no matches from offset ${value.appliedOffset} on`
    return [body === "" ? none : body, ...value.notices.map((notice) => `[${notice}]`)].join("\n")
  }
})

const searches: { readonly [Mode in GrepValue["mode"]]: GrepSearch } = {
  content: grepContent,
  files_with_matches: grepFiles,
  count: grepCount
}

const validate = (input: GrepInput): Tool.Validation => {
  if (input.pattern === "") return { _tag: "Refused", message: "`pattern` is empty", code: 1 }
  for (const field of ["pattern", "glob", "type"] as const) {
    const value = input[field]
    if (value?.includes("\0") === true || value?.isWellFormed() === false) {
      return { _tag: "Refused", message: `\`${field}\` holds a NUL or half a character`, code: 2 }
    }
  }
  return input.path === undefined ? { _tag: "Valid" } : validatePath("path", input.path)
}
