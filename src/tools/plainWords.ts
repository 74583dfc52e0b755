/**
 * The words of a page, for one that can't be walked as a tree.
 *
 * @since 0.1.0
 */

/**
 * Whether a page is nested no deeper than any page that somebody wrote, and no
 * longer than what can be walked in a moment. Pages that are take for ever to
 * turn into anything, so that one could stop everything else.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isWalkable = (html: string): boolean => {
  if (html.length > longest) return false
  let depth = 0
  for (const [, closing, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (unclosed.has(name.toLowerCase())) continue
    depth = Math.max(0, depth + (closing === "/" ? -1 : 1))
    if (depth > deepest) return false
  }
  return true
}

/**
 * Takes out all tags, and scripts and styles with what they hold.
 *
 * **Example** (Words alone)
 *
 * ```ts
 * import { plainWords } from "toolgate/tools/plainWords"
 *
 * plainWords("<p>One <b>two</b><script>x</script></p>") // => "One two"
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const plainWords = (html: string): string => {
  const lower = html.toLowerCase()
  const words: Array<string> = []
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf("<", at)
    words.push(html.slice(at, tag === -1 ? undefined : tag))
    if (tag === -1) break
    const held = ["script", "style"].find((name) => lower.startsWith(name, tag + 1))
    const end = held === undefined ? tag : lower.indexOf(`</${held}`, tag)
    const close = end === -1 ? -1 : html.indexOf(">", end)
    if (close === -1) break
    at = close + 1
  }
  return words.join(" ").replace(/[^\S\n]+/g, " ").replace(/\s*\n\s*/g, "\n").trim()
}

const longest = 2_000_000
const deepest = 1_000

/** Their end may be left out, so that they would only seem to nest. */
const unclosed: ReadonlySet<string> = new Set([
  "area",
  "base",
  "br",
  "col",
  "dd",
  "dt",
  "embed",
  "hr",
  "img",
  "input",
  "li",
  "link",
  "meta",
  "option",
  "p",
  "source",
  "td",
  "th",
  "tr",
  "track",
  "wbr"
])
