/**
 * Turns the bytes that a command prints into text that a model can read.
 *
 * @since 0.1.0
 */

/**
 * Takes bytes as they come.
 *
 * **Details**
 *
 * Each method gives two texts: `live` is what was just printed, for those who
 * watch; `settled` are the lines that nothing can overwrite any more.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputText {
  readonly push: (bytes: Uint8Array) => { readonly live: string; readonly settled: string }
  readonly end: () => { readonly live: string; readonly settled: string }
}

/**
 * Begins a text.
 *
 * **Details**
 *
 * Characters that are cut between two pieces are put together, and bytes that are
 * no UTF-8 become U+FFFD. Escape sequences of terminals are taken out. A line
 * that returns to its beginning is replaced by what follows, as on a terminal,
 * so that a progress bar leaves its last state alone.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): OutputText => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const escapes = withoutEscapes()
  const returns = withoutReturns()
  return {
    push: (bytes) => {
      const live = escapes.push(decoder.decode(bytes, { stream: true }))
      return { live, settled: returns.push(live) }
    },
    end: () => {
      const live = escapes.push(decoder.decode()) + escapes.end()
      return { live, settled: returns.push(live) + returns.end() }
    }
  }
}

// CSI; the strings (OSC, DCS, SOS, PM, APC) on one line; sequences of two or three characters; an escape that
// begins nothing.
const sequence = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-OQ-WYZ\\`-~]|\x1b/g

const unfinished = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/

const longestSequence = 8_192

const withoutEscapes = () => {
  let held = ""
  return {
    push: (text: string): string => {
      const whole = held + text
      const end = endOfFinished(whole)
      held = whole.slice(end)
      const finished = held === "" ? whole : whole.slice(0, end)
      return finished.includes("\x1b") ? finished.replace(sequence, "") : finished
    },
    end: (): string => {
      const rest = held
      held = ""
      return /^\x1b[\]PX^_]/.test(rest) ? rest.replaceAll("\x1b", "") : ""
    }
  }
}

/** Where a sequence begins that the text does not hold whole, or the end. What does not end soon is none. */
const endOfFinished = (text: string): number => {
  const last = text.lastIndexOf("\x1b")
  if (last === -1) return text.length
  // The last escape may be the first half of what ends a string.
  const before = last === text.length - 1 && last > 0 ? text.lastIndexOf("\x1b", last - 1) : -1
  const start = [before, last].find((at) =>
    at !== -1 && text.length - at <= longestSequence && unfinished.test(text.slice(at))
  )
  return start ?? text.length
}

/** A line longer than this is not held back until it ends. */
const longestLine = 65_536

const withoutReturns = () => {
  let line = ""
  return {
    push: (text: string): string => {
      const end = text.lastIndexOf("\n") + 1
      const returned = line.includes("\r") || text.includes("\r")
      const lines = end === 0 ? "" : line + text.slice(0, end)
      line = lastState(end === 0 ? line + text : text.slice(end))
      const settled = returned
        ? lines.replace(/[^\n]+/g, (line) => line.includes("\r") ? shown(line) : line)
        : lines
      if (line.length <= longestLine) return settled
      const long = line
      line = ""
      return settled + long
    },
    end: (): string => {
      const rest = shown(line)
      line = ""
      return rest
    }
  }
}

/** What is left of a line once everything was printed. */
const shown = (line: string): string => {
  const end = endWithoutReturns(line)
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end)
}

/** The same of a line that goes on: whether it has returned is not forgotten. */
const lastState = (line: string): string => line.includes("\r") ? shown(line) + (line.endsWith("\r") ? "\r" : "") : line

const endWithoutReturns = (line: string): number => {
  let end = line.length
  while (end > 0 && line[end - 1] === "\r") end -= 1
  return end
}
