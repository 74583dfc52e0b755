/**
 * Searches for files that hold a match.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { lstat } from "node:fs/promises"
import { fileStep } from "./fileStep.ts"
import { applied, type GrepSearch, moreNotice, pageOf, searching } from "./GrepSearch.ts"
import * as NewestFirst from "./NewestFirst.ts"
import { ripgrep } from "./ripgrep.ts"

/**
 * Shows the paths of files that match, newest first.
 *
 * @category searching
 * @since 0.1.0
 */
export const grepFiles: GrepSearch = Effect.fnUntraced(function*(input, root, guard) {
  const page = pageOf(input)
  const newest = NewestFirst.make(page.offset + page.limit)
  const { notices } = yield* ripgrep({
    ...searching(input, root, ["--files-with-matches", "--null"]),
    separator: "\0",
    take: Effect.fnUntraced(function*(path: string): Effect.fn.Return<"more"> {
      if (!(yield* guard.open(path))) return "more"
      const stats = yield* Effect.option(fileStep(() => lstat(root.realOf(path))))
      newest.add({ path: root.shownAs(path), mtimeMillis: stats._tag === "Some" ? stats.value.mtimeMs : 0 })
      return "more"
    })
  })
  const filenames = newest.list().slice(page.offset).map((file) => file.path)
  const cut = newest.count() > page.offset + filenames.length
  return {
    mode: "files_with_matches",
    filenames,
    numFiles: filenames.length,
    ...applied(page, cut),
    notices: [...moreNotice(filenames.length, newest.count(), page.offset, cut), ...notices]
  }
})
