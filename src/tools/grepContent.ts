/**
 * Searches for lines, and shows them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { applied, type GrepSearch, pageOf, searching } from "./GrepSearch.ts"
import { listedName, quoted } from "./quoted.ts"
import { ripgrep } from "./ripgrep.ts"

/**
 * Shows the lines that match, with those around them that are asked for.
 *
 * @category searching
 * @since 0.1.0
 */
export const grepContent: GrepSearch = Effect.fnUntraced(function*(input, root, guard) {
  const page = pageOf(input)
  const lines: Array<string> = []
  const files = new Set<string>()
  const binary: Array<string> = []
  let binaries = 0
  let seen = 0
  let chars = 0
  let cut = false
  let pending = ""
  let separated = false

  const { notices } = yield* ripgrep({
    ...searching(input, root, [
      "--with-filename",
      "--no-heading",
      "--null",
      "--line-number",
      `--max-columns=${lineChars}`,
      "--max-columns-preview",
      ...(input["-o"] === true ? ["--only-matching"] : []),
      ...around("after-context", input["-A"]),
      ...around("before-context", input["-B"]),
      ...around("context", input["-C"] ?? input.context)
    ]),
    separator: "\n",
    take: Effect.fnUntraced(function*(record: string): Effect.fn.Return<"more" | "enough"> {
      const whole = pending + record
      const end = whole.indexOf("\0")
      if (end === -1) {
        // A separator, a word about a binary file, or the beginning of a name with a line end in it.
        const [, file] = aboutBinary.exec(whole) ?? []
        if (whole === "--") separated = lines.length > 0
        else if (file === undefined) pending = `${whole}\n`
        else if (yield* guard.open(file)) {
          binaries += 1
          if (binary.length < 5) binary.push(root.shownAs(file))
        }
        return "more"
      }
      pending = ""
      const path = whole.slice(0, end)
      if (!(yield* guard.open(path))) return "more"
      seen += 1
      if (seen <= page.offset) return "more"
      const line = shownLine(listedName(root.shownAs(path)), whole.slice(end + 1), input["-n"] ?? true)
      if (lines.length >= page.limit || chars + line.length > mostChars) {
        cut = true
        return "enough"
      }
      if (separated) lines.push("--")
      separated = false
      lines.push(line)
      chars += line.length + 1
      files.add(root.shownAs(path))
      return "more"
    })
  })

  const numLines = lines.filter((line) => line !== "--").length
  return {
    mode: "content",
    filenames: [...files],
    numFiles: files.size,
    content: lines.join("\n"),
    numLines,
    ...applied(page, cut),
    notices: [
      ...(cut ? [`${numLines} lines are shown and there are more; read on with offset ${page.offset + numLines}`] : []),
      ...binary.map((path) => `${quoted(path)} is binary and matches; its lines from there on are not shown`),
      ...notices
    ]
  }
})

const mostChars = 28_000

const lineChars = 500

const around = (name: string, lines: number | undefined): ReadonlyArray<string> =>
  lines === undefined ? [] : [`--${name}=${Math.min(lines, 1_000)}`]

const aboutBinary = /^([^]+): (?:binary file matches|WARNING: stopped searching binary file) /

/** A match is `path:12:text`, a line around one `path-12-text`. */
const shownLine = (path: string, rest: string, numbered: boolean): string => {
  const [, number = "", mark = ":", line = rest] = /^(\d+)([:-])([^]*)$/.exec(rest) ?? []
  return numbered ? `${path}${mark}${number}${mark}${line}` : `${path}${mark}${line}`
}
