/**
 * Splits bytes into lines, in bounded memory.
 *
 * @since 0.1.0
 */

/**
 * A line as it came, or that one was too long. What was too long is left out up
 * to its end, so that the lines after it are whole.
 *
 * @category models
 * @since 0.1.0
 */
export type Line =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "TooLong" }
  | { readonly _tag: "NoText" }

/**
 * Makes a splitter for lines of at most `limit` bytes. `push` gives the lines
 * that are complete with these bytes, `end` the last one if it came without its
 * end; empty ones are left out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLineSplitter = (
  limit: number
): {
  readonly push: (bytes: Uint8Array) => ReadonlyArray<Line>
  readonly end: () => ReadonlyArray<Line>
} => {
  let parts: Array<Uint8Array> = []
  let size = 0

  const add = (bytes: Uint8Array): void => {
    size += bytes.length
    if (size > limit) parts = []
    else if (bytes.length > 0) parts.push(bytes)
  }
  const take = (): ReadonlyArray<Line> => {
    const line: Line | undefined = size > limit ? { _tag: "TooLong" } : read(Buffer.concat(parts))
    parts = []
    size = 0
    return line === undefined ? [] : [line]
  }

  return {
    push: (bytes) => {
      const lines: Array<Line> = []
      let start = 0
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
        add(bytes.subarray(start, end))
        lines.push(...take())
        start = end + 1
      }
      add(bytes.subarray(start))
      return lines
    },
    end: take
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const read = (bytes: Uint8Array): Line | undefined => {
  try {
    const text = decoder.decode(bytes)
    return text.trim() === "" ? undefined : { _tag: "Line", text }
  } catch {
    return { _tag: "NoText" }
  }
}
