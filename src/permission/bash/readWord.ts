/**
 * Reads a word of the syntax tree as the shell would see it, and finds the
 * commands that its substitutions start.
 *
 * @since 0.1.0
 */
import type { DoubleQuotedChild, Word as Node, WordPart } from "unbash"
import type { Word } from "../../domain/ShellCommand.ts"
import { decodeAnsi } from "./decodeAnsi.ts"
import { expandBraces, mayExpand, type Unit } from "./expandBraces.ts"
import { inPart } from "./findNested.ts"
import { checkLiteral, noteQuoted } from "./guards.ts"
import { type Frame, misread } from "./Line.ts"
import type { Place } from "./Place.ts"
import { asReplaced } from "./replaced.ts"
import { anyWords, certainWord, gap, globGap, type Piece, splittingGap, wordOf } from "./WordDraft.ts"

/**
 * Returns the words that one word of the line becomes by brace expansion,
 * mostly one.
 *
 * @category reading
 * @since 0.1.0
 */
export const readWords = (node: Node, frame: Frame, place: Place): ReadonlyArray<Word> => {
  frame.words?.push([node.pos, node.end])
  if (!mayExpand(node.text)) return [readWord(node, frame, place)]
  const pieces = node.parts === undefined ? readBare(node, frame) : readPieces(node.parts, frame, place)
  if (!pieces.some((piece) => "text" in piece && piece.bare && piece.text.includes("{"))) {
    return [settled(finished(node.text, pieces, frame), frame)]
  }
  // Each word that the braces make may get its own home directory.
  if (node.text.includes("~")) return [anyWords(node.text)]
  const units = pieces.flatMap((piece): ReadonlyArray<Unit<Piece>> =>
    "text" in piece && piece.bare ? [...piece.text] : [piece]
  )
  const expanded = units.length > mostUnits ? undefined : expandBraces(units)
  if (expanded === undefined) return [anyWords(node.text)]
  return expanded.flatMap((each) => {
    const made = each.map((unit): Piece => typeof unit === "string" ? { text: unit, bare: true } : unit)
    // An unquoted word of no characters at all is no word.
    return made.length === 0 ? [] : [settled(wordOf(node.text, made, false), frame)]
  })
}

const mostUnits = 400

const isBraces = (part: WordPart): boolean => part.type === "BraceExpansion"

/**
 * Returns one word of the line; what brace expansion would make of it is left
 * unknown.
 *
 * @category reading
 * @since 0.1.0
 */
export const readWord = (node: Node, frame: Frame, place: Place): Word => {
  frame.words?.push([node.pos, node.end])
  if (node.parts === undefined) {
    return settled(frame.plain ? certainWord(node.text, node.value) : readPlain(node, frame), frame)
  }
  const pieces = readPieces(node.parts, frame, place)
  // Braces that are left here stand where the shell may or may not expand them.
  return node.parts.some(isBraces) ? anyWords(node.text) : settled(finished(node.text, pieces, frame), frame)
}

const settled = (word: Word, { shell: { replaced } }: Frame): Word =>
  replaced === undefined ? word : asReplaced(word, replaced)

const finished = (text: string, pieces: ReadonlyArray<Piece>, frame: Frame): Word => {
  if (frame.shell.reglobs && pieces.some((piece) => "glob" in piece && piece.glob)) return anyWords(text)
  if (text.charCodeAt(0) === tildeUnit) return withTilde(text, pieces, frame)
  const home = text.includes("~") ? valueHome.exec(text) : null
  return home === null
    ? wordOf(text, pieces, false)
    : wordOf(text, [{ text: home[1] ?? "", bare: true }, splittingGap], false)
}

const tildeUnit = 126

// In a word like an assignment a `~` right behind `=` or `:` is a home directory too.
const valueHome = /^([A-Za-z_]\w*\+?=)(?:[\s\S]*:)?~/

const readPlain = (node: Node, frame: Frame): Word => {
  const { text, value } = node
  if (ordinary.test(text)) return certainWord(text, value)
  checkLiteral(frame, text, "bare")
  if (text !== value) noteQuoted(frame, value)
  if (text.charCodeAt(0) === tildeUnit) return withTilde(text, [{ text: value, bare: true }], frame)
  const home = text.includes("~") ? valueHome.exec(text) : null
  if (home !== null) return wordOf(text, [{ text: home[1] ?? "", bare: true }, gap], false)
  if (!hasWildcard(text)) return certainWord(text, value)
  return frame.shell.reglobs ? anyWords(text) : wordOf(text, [globGap], false)
}

const readBare = ({ text, value }: Node, frame: Frame): ReadonlyArray<Piece> => {
  checkLiteral(frame, text, "bare")
  if (text !== value) noteQuoted(frame, value)
  return unescape(text)
}

// Most words hold nothing that any of what follows looks for.
const ordinary = /^[\w./:@%+,-]*$/

// The parser marks every wildcard that it knows; one that it left as text is not trusted to be text.
const hasWildcard = (text: string): boolean => /[*?]/.test(text) && /[*?]/.test(text.replace(/\\[\s\S]/g, ""))

// `~` and `~/x` are the home directory; `~user`, `~+` and `~1` depend on who and when. A line that sets HOME means another place.
const withTilde = (text: string, pieces: ReadonlyArray<Piece>, frame: Frame): Word => {
  const home = /^~(?:\/|$)/.test(text) && !frame.shell.rehomes
  const [first, ...rest] = pieces
  if (home || first === undefined || !("text" in first)) return wordOf(text, pieces, home)
  const slash = first.text.indexOf("/")
  const kept: Piece = { text: slash < 0 ? "" : first.text.slice(slash), bare: true }
  return wordOf(text, [gap, kept, ...rest], false)
}

const readPieces = (parts: ReadonlyArray<WordPart>, frame: Frame, place: Place): Array<Piece> => {
  const pieces: Array<Piece> = []
  for (const part of parts) readPart(part, parts, frame, place, pieces)
  return pieces
}

const readPart = (
  part: WordPart,
  parts: ReadonlyArray<WordPart>,
  frame: Frame,
  place: Place,
  pieces: Array<Piece>
): void => {
  inPart(part, frame, place, "bare")
  switch (part.type) {
    case "Literal":
      if (part.value === part.text) pieces.push({ text: part.value, bare: true })
      else pieces.push(...unescape(part.text))
      return
    case "SingleQuoted":
      pieces.push({ text: part.value, bare: false })
      return
    case "AnsiCQuoted": {
      const text = decodeAnsi(part.text.slice(2, -1))
      pieces.push(text === undefined ? gap : { text, bare: false })
      return
    }
    case "DoubleQuoted":
      if (part.parts.length === 0) pieces.push({ text: "", bare: false })
      for (const child of part.parts) pieces.push(readQuoted(child))
      return
    case "LocaleString":
      pieces.push(gap)
      return
    case "ProcessSubstitution":
      checkAlone(part.pos, part.end, parts, frame)
      pieces.push(gap)
      return
    case "Glob":
      pieces.push(globGap)
      return
    case "BraceExpansion":
      readBraces(part, pieces)
      return
    case "SimpleExpansion":
      // These are numbers, so that they stay one word.
      pieces.push(/^\$[?#$]$/.test(part.text) ? gap : splittingGap)
      return
    default:
      pieces.push(splittingGap)
  }
}

// Inside quotes only the list of all elements becomes several words.
const readQuoted = (part: DoubleQuotedChild): Piece => {
  if (part.type === "Literal") return { text: part.value, bare: false }
  if (part.type === "SimpleExpansion") return part.text === "$@" ? splittingGap : gap
  if (part.type !== "ParameterExpansion") return gap
  return /@/.test(part.text) ? splittingGap : gap
}

const readBraces = (part: Extract<WordPart, { type: "BraceExpansion" }>, pieces: Array<Piece>): void => {
  if (part.parts === undefined) {
    if (/[\\*?[]/.test(part.text)) pieces.push(...unescape(part.text))
    else pieces.push({ text: part.text, bare: true })
    return
  }
  // The parts leave out the braces themselves; only quoted text and plain text can be put back between them.
  pieces.push({ text: "{", bare: true })
  for (const child of part.parts) {
    if (child.type === "Literal") pieces.push(...unescape(child.text))
    else if (child.type === "SingleQuoted") pieces.push({ text: child.value, bare: false })
    else if (child.type === "DoubleQuoted") {
      if (child.parts.length === 0) pieces.push({ text: "", bare: false })
      for (const inner of child.parts) pieces.push(readQuoted(inner))
    } else if (child.type === "AnsiCQuoted") {
      const text = decodeAnsi(child.text.slice(2, -1))
      pieces.push(text === undefined ? gap : { text, bare: false })
    } else if (child.type === "BraceExpansion") readBraces(child, pieces)
    else pieces.push(child.type === "Glob" || child.type === "ExtendedGlob" ? globGap : splittingGap)
  }
  pieces.push({ text: "}", bare: true })
}

// Text with escapes and wildcards still in it, as it stands between braces.
const unescape = (text: string): Array<Piece> =>
  (text.match(/\\[\s\S]|[^\\]/gu) ?? []).map((unit): Piece =>
    unit.startsWith("\\") && unit.length > 1
      ? { text: unit.slice(1), bare: false }
      : /^[*?[]$/.test(unit)
      ? globGap
      : { text: unit, bare: true }
  )

// The parser cuts `a<(b)c` into several words where the shell sees one.
const checkAlone = (start: number, end: number, parts: ReadonlyArray<WordPart>, frame: Frame): void => {
  const before = start === 0 ? " " : frame.source.charAt(start - 1)
  const after = end >= frame.source.length ? " " : frame.source.charAt(end)
  const alone = parts.length === 1 && /[\s;&|(]/.test(before) && frame.source.charAt(start - 2) !== "\\" &&
    /[\s;&|)`]/.test(after)
  if (!alone) misread(frame.line, "a process substitution inside a word")
}
