/**
 * Finds the files and folders that deny rules close, as a sandbox wants them:
 * one by one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Dirent, promises } from "node:fs"
import type { Place } from "../../domain/Place.ts"
import type { Rule } from "../../domain/Rule.ts"
import { ToolFailed } from "../../errors/ExecuteError.ts"
import { compilePath } from "../../permission/path/compilePath.ts"
import type { PathMatcher } from "../../permission/path/PathMatcher.ts"

/**
 * The paths that the deny rules of a tool name. A pattern with gaps is held
 * against what is on the disk.
 *
 * **Details**
 *
 * Fails for a pattern that would take too long to look for: a rule that can't be
 * kept is not passed over.
 *
 * @category searching
 * @since 0.1.0
 */
export const deniedPaths = Effect.fnUntraced(function*(
  rules: ReadonlyArray<Rule>,
  tool: "Read" | "Edit",
  place: Place
): Effect.fn.Return<ReadonlyArray<string>, ToolFailed> {
  const paths = new Set<string>()
  for (const rule of rules) {
    if (rule.behavior !== "deny" || rule.pattern.tool.length !== 1 || rule.pattern.tool[0] !== tool) continue
    const matcher = compilePath(rule, place)
    if (matcher === undefined) continue
    for (const folder of matcher.folders) {
      const found = yield* Effect.promise(() => under(folder, matcher))
      if (found === undefined) {
        return yield* new ToolFailed({
          reason: `the sandbox can't keep the rule \`${rule.text}\`: there are more than ${mostNames} files to look at`
        })
      }
      for (const path of found) paths.add(path)
    }
  }
  return [...paths]
})

const mostNames = 200_000

const under = async (folder: string, matcher: PathMatcher): Promise<ReadonlyArray<string> | undefined> => {
  const { matches, pattern, prefix = [] } = matcher
  const start = [folder === "/" ? "" : folder, ...prefix].join("/") || "/"
  if (pattern.split("/").length - 1 === prefix.length) return [start]

  const base = folder === "/" ? 1 : folder.length + 1
  const found: Array<string> = []
  const open = [start]
  let seen = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of await entriesOf(next)) {
      seen += 1
      if (seen > mostNames) return undefined
      const path = next === "/" ? `/${entry.name}` : `${next}/${entry.name}`
      if (matches(path.slice(base))) found.push(path)
      else if (entry.isDirectory()) open.push(path)
    }
  }
  return found
}

/** What we may not list, a command of ours may not either. */
const entriesOf = (folder: string): Promise<ReadonlyArray<Dirent>> =>
  promises.readdir(folder, { withFileTypes: true }).catch(() => [])
