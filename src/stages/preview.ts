/**
 * What a model gets to see of a text too long to hand over.
 *
 * @since 0.1.0
 */

/**
 * Returns the beginning of a text, its size, where the whole is and how to read
 * on, within the limit.
 *
 * **Details**
 *
 * The cut falls on the end of a line where one is near, and never inside a
 * character. Without a `path` the text says that the rest is lost, and why. A
 * `tail` is shown after the cut.
 *
 * @category rendering
 * @since 0.1.0
 */
export const preview = (options: {
  readonly head: string
  readonly tail?: string
  readonly size: number
  readonly path: string | undefined
  readonly limit: number
  readonly problem?: string
}): string => {
  const shown = `the output has ${options.size} bytes; ${
    options.tail === undefined ? "this is its beginning" : "these are its beginning and its end"
  }`
  const where = options.path === undefined
    ? `[${shown}; ${options.problem ?? "the full output could not be kept"}]`
    : `[${shown}; the whole is in ${options.path}, ` +
      "read on with Read and its offset and limit, or search it with Grep]"
  // A text that is kept needs no more than a taste; one that is lost is shown as far as it goes.
  const room = Math.max(
    0,
    (options.path === undefined ? options.limit : Math.min(options.limit, 2_000)) - where.length - 10
  )
  const tail = options.tail === undefined ? "" : lastLines(options.tail, Math.floor(room / 4))
  const head = firstLines(options.head, room - tail.length)
  return tail === "" ? `${head}\n…\n${where}` : `${head}\n…\n${tail}\n${where}`
}

const firstLines = (text: string, room: number): string => {
  if (text.length <= room) return text
  const cut = text.slice(0, room)
  const line = cut.lastIndexOf("\n")
  return whole(line > room / 2 ? cut.slice(0, line) : cut)
}

const lastLines = (text: string, room: number): string => {
  if (text.length <= room) return text
  const cut = text.slice(text.length - room)
  const line = cut.indexOf("\n")
  return whole(line >= 0 && line < room / 2 ? cut.slice(line + 1) : cut)
}

/** Takes off the half of a character that a cut may have left at either end. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
