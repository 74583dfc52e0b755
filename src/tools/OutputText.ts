/**
 * Turns the bytes that a command prints into text that a model can read.
 *
 * @since 0.1.0
 */
import { isAscii } from "node:buffer"
import { bufferOf, type Piece, textOf } from "./Piece.ts"

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
  readonly push: (bytes: Uint8Array) => Printed
  readonly end: () => Printed
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Printed {
  readonly live: Piece
  readonly settled: ReadonlyArray<Piece>
}

/**
 * Begins a text.
 *
 * **Details**
 *
 * Characters that are cut between two pieces are put together, and bytes that are
 * no UTF-8 become U+FFFD. Escape sequences of terminals are taken out. A line
 * that returns to its beginning is replaced by what follows, as on a terminal,
 * so that a progress bar leaves its last state alone. What needs none of that,
 * as most output, is handed on as the bytes that it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): OutputText => {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const escapes = withoutEscapes()
  const returns = withoutReturns()
  let cut = false
  return {
    push: (given) => {
      // What Node looks through a buffer with is ten times as fast as what an array has.
      const bytes = bufferOf(given)
      if (!cut && escapes.areOver() && isPlain(bytes)) return { live: bytes, settled: returns.pushPlain(bytes) }
      // Only what ends within ASCII surely ends with a whole character.
      cut = (bytes.at(-1) ?? 0) >= 0x80
      const live = escapes.push(decoder.decode(bytes, { stream: true }))
      return { live, settled: [returns.push(live)] }
    },
    end: () => {
      const live = escapes.push(decoder.decode()) + escapes.end()
      return { live, settled: [returns.push(live) + returns.end()] }
    }
  }
}

/**
 * Reads bytes that are all there: the text that is left of them in the end.
 *
 * **Example** (A progress bar in two pieces)
 *
 * ```ts
 * import { read } from "toolgate/tools/OutputText"
 *
 * read([Buffer.from("10%\r50"), Buffer.from("%\rdone\n")]) // => "done\n"
 * ```
 *
 * @category reading
 * @since 0.1.0
 */
export const read = (pieces: ReadonlyArray<Uint8Array>): string => {
  const text = make()
  const said = ({ settled }: Printed) => settled.map(textOf).join("")
  return pieces.map((piece) => said(text.push(piece))).join("") + said(text.end())
}

const isPlain = (bytes: Buffer): boolean => isAscii(bytes) && !bytes.includes(0x1b) && !bytes.includes(0x0d)

// CSI; the strings (OSC, DCS, SOS, PM, APC) on one line; sequences of two or three characters; an escape that
// begins nothing.
const sequence = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-OQ-WYZ\\`-~]|\x1b/g

const unfinished = /^\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/

const longestSequence = 8_192

const withoutEscapes = () => {
  let held = ""
  return {
    areOver: (): boolean => held === "",
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

/**
 * How many characters more than it was given bytes a text may hand on at once.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostHeld = longestLine + longestSequence

const withoutReturns = () => {
  let line: Piece = ""
  const memory = makeMemory()
  const push = (text: string): string => {
    const before = textOf(line)
    const end = text.lastIndexOf("\n") + 1
    const returned = before.includes("\r") || text.includes("\r")
    const lines = end === 0 ? "" : before + text.slice(0, end)
    const after = lastState(end === 0 ? before + text : text.slice(end))
    const settled = returned
      ? lines.replace(/[^\n]+/g, (line) => line.includes("\r") ? shown(line) : line)
      : lines
    line = after.length <= longestLine ? after : ""
    return after.length <= longestLine ? settled : settled + after
  }
  return {
    push,
    pushPlain: (bytes: Buffer): ReadonlyArray<Piece> => {
      const end = bytes.lastIndexOf(0x0a) + 1
      if (end === 0 || (typeof line === "string" && line.includes("\r"))) return [push(textOf(bytes))]
      const before = line
      line = end === bytes.length ? "" : memory.keep(bytes, end)
      return [before, end === bytes.length ? bytes : bytes.subarray(0, end)]
    },
    end: (): string => {
      const rest = shown(textOf(line))
      line = ""
      return rest
    }
  }
}

/** Keeps the end of a piece while what it kept before is still looked at: a copy of each would add up. */
const makeMemory = () => {
  let used = Buffer.alloc(0)
  let free = Buffer.alloc(0)
  return {
    keep: (bytes: Buffer, from: number): Buffer => {
      const length = bytes.length - from
      const into = free.length < length ? Buffer.allocUnsafeSlow(2 * length) : free
      free = used
      used = into
      bytes.copy(into, 0, from)
      return into.subarray(0, length)
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
