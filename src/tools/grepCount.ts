/**
 * Counts the lines that match.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { applied, type GrepSearch, moreNotice, pageOf, searching } from "./GrepSearch.ts"
import { listedName } from "./quoted.ts"
import { ripgrep } from "./ripgrep.ts"

/**
 * Shows how many lines match in each file.
 *
 * @category searching
 * @since 0.1.0
 */
export const grepCount: GrepSearch = Effect.fnUntraced(function*(input, root, guard) {
  const page = pageOf(input)
  const lines: Array<string> = []
  const filenames: Array<string> = []
  let files = 0
  let numMatches = 0
  let pending = ""
  const { notices } = yield* ripgrep({
    ...searching(input, root, ["--count", "--with-filename", "--null"]),
    separator: "\n",
    take: Effect.fnUntraced(function*(record: string): Effect.fn.Return<"more"> {
      const whole = pending + record
      const end = whole.indexOf("\0")
      pending = end === -1 ? `${whole}\n` : ""
      if (end === -1) return "more"
      const path = whole.slice(0, end)
      if (!(yield* guard.open(path))) return "more"
      files += 1
      numMatches += Number(whole.slice(end + 1))
      if (files > page.offset && lines.length < page.limit) {
        filenames.push(root.shownAs(path))
        lines.push(`${listedName(root.shownAs(path))}:${whole.slice(end + 1)}`)
      }
      return "more"
    })
  })
  const cut = files > page.offset + lines.length
  return {
    mode: "count",
    filenames,
    numFiles: lines.length,
    content: lines.join("\n"),
    numMatches,
    ...applied(page, cut),
    notices: [
      ...(files > 1 ? [`${numMatches} matching lines in ${files} files`] : []),
      ...moreNotice(lines.length, files, page.offset, cut),
      ...notices
    ]
  }
})
