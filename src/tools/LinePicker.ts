/**
 * Picks a range of lines out of a text that comes in pieces, holding no more of
 * it than is asked for.
 *
 * @since 0.1.0
 */

/**
 * What was picked.
 *
 * **Details**
 *
 * - `lines`: the lines of the range, long ones cut.
 * - `total`: how many lines the text has as far as it was read.
 * - `cutLines`: the numbers of the lines that are not shown to their end.
 * - `full`: the range ended early because it held too many characters.
 *
 * @category models
 * @since 0.1.0
 */
export interface Picked {
  readonly lines: ReadonlyArray<string>
  readonly total: number
  readonly cutLines: ReadonlyArray<number>
  readonly full: boolean
}

/**
 * Takes a text in pieces.
 *
 * @category models
 * @since 0.1.0
 */
export interface LinePicker {
  readonly push: (text: string) => void
  /** Whether nothing more can come into the range. */
  readonly done: () => boolean
  readonly end: () => Picked
}

/**
 * Begins picking: `count` lines from line `first` on, each of `lineChars`
 * characters at most, `totalChars` in all.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (range: {
  readonly first: number
  readonly count: number
  readonly lineChars: number
  readonly totalChars: number
}): LinePicker => {
  const lines: Array<string> = []
  const cutLines: Array<number> = []
  let number = 1
  let kept = ""
  let length = 0
  let chars = 0
  let full = false
  let ended = false

  const wanted = () => !full && number >= range.first && number < range.first + range.count

  const add = (text: string) => {
    length += text.length
    if (wanted() && kept.length <= range.lineChars) kept += text.slice(0, range.lineChars + 1 - kept.length)
  }

  const close = () => {
    if (wanted()) {
      const line = kept.endsWith("\r") && kept.length === length ? kept.slice(0, -1) : kept
      const over = line.length > range.lineChars
      const shown = over ? withoutHalf(line.slice(0, range.lineChars)) : line
      if (lines.length > 0 && chars + shown.length > range.totalChars) {
        full = true
      } else {
        chars += shown.length + 1
        lines.push(over ? `${shown}… [${length - shown.length} more characters]` : shown)
        if (over) cutLines.push(number)
      }
    }
    number += 1
    kept = ""
    length = 0
  }

  return {
    push: (text) => {
      let from = 0
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
        add(text.slice(from, at))
        close()
        from = at + 1
      }
      add(text.slice(from))
    },
    done: () => full || number >= range.first + range.count,
    end: () => {
      if (!ended && length > 0) close()
      ended = true
      return { lines, total: number - 1, cutLines, full }
    }
  }
}

const withoutHalf = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, "")
