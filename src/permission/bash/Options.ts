/**
 * Tells a program's own options from what follows them.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import type { CarrierSpec } from "./carriers.ts"

/**
 * Where the options end. `certain` is false when one of them isn't known, so
 * that what follows may be its value. `texts` are the values that a shell runs.
 *
 * @category models
 * @since 0.1.0
 */
export interface Passed {
  readonly at: number
  readonly certain: boolean
  readonly texts: ReadonlyArray<Word>
}

/**
 * Passes over the options from a word on.
 *
 * @category reading
 * @since 0.1.0
 */
export const passOptions = (words: ReadonlyArray<Word>, from: number, spec: CarrierSpec): Passed => {
  const kinds = kindsOf(spec.options ?? "")
  const texts: Array<Word> = []
  let at = from
  while (at < words.length) {
    const word = words[at]
    if (word === undefined) break
    const text = word.known[0]
    if (word.value === undefined && (text === "" || word.splits)) return { at, certain: false, texts }
    if (text === "--") return { at: at + 1, certain: true, texts }
    if (!text.startsWith("-") || (text === "-" && !kinds.has("-"))) break
    const step = text.startsWith("--") ? long(text, kinds, spec) : short(text, kinds, spec)
    if (step === undefined) return { at: at + 1, certain: false, texts }
    at++
    if (step.value === "none") continue
    const value = step.glued === undefined ? words[at] : tail(word, step.glued)
    if (step.glued === undefined) at += step.value === "pair" ? 2 : 1
    if (value?.splits === true) return { at: at - 1, certain: false, texts }
    if (step.value === "text" && value !== undefined) texts.push(value)
  }
  return { at: Math.min(at, words.length), certain: true, texts }
}

/**
 * Returns the texts that options give after the first word that is no option,
 * for programs that take options anywhere.
 *
 * @category reading
 * @since 0.1.0
 */
export const laterTexts = (words: ReadonlyArray<Word>, from: number, spec: CarrierSpec): ReadonlyArray<Word> => {
  const kinds = kindsOf(spec.options ?? "")
  return words.slice(from).filter((_, index) => kinds.get(words[from + index - 1]?.value ?? "") === "text" && index > 0)
}

/**
 * Returns the texts that options give wherever they stand, for a program that
 * starts nothing but what its options name. No other option need be known: a
 * word too many is tried, and none is missed. `-h?=` gives one only when it is
 * glued on; `+=` is a word that begins with a plus, and `=` one without a sign.
 *
 * @category reading
 * @since 0.1.0
 */
export const textsOf = (words: ReadonlyArray<Word>, options: string): ReadonlyArray<Word> => {
  const kinds = kindsOf(options)
  return words.flatMap((word, at) => {
    const text = word.known[0]
    const found = text.startsWith("--")
      ? longText(text, kinds)
      : text.startsWith("-")
      ? shortText(text, kinds)
      : plainText(text, kinds)
    if (found === undefined) return []
    const glued = found.at < text.length || word.known.length > 1
    return glued ? [tail(word, found.at)] : found.kind === "gluedText" ? [] : words.slice(at + 1, at + 2)
  })
}

interface FoundText {
  readonly kind: Kind
  readonly at: number
}

const longText = (text: string, kinds: ReadonlyMap<string, Kind>): FoundText | undefined => {
  const { equals, kind } = named(text, kinds)
  return givesText(kind) ? { kind, at: equals < 0 ? text.length : equals + 1 } : undefined
}

// In a cluster any letter before it may be an option without a value; a name of several may stand behind one dash.
const shortText = (text: string, kinds: ReadonlyMap<string, Kind>): FoundText | undefined => {
  const whole = longText(text, kinds)
  if (whole !== undefined) return whole
  const two = kinds.get(text.slice(0, 3))
  if (givesText(two)) return { kind: two, at: 3 }
  const at = [...text].findIndex((letter, index) => index > 0 && givesText(kinds.get(`-${letter}`)))
  const kind = at < 0 ? undefined : kinds.get(`-${text.charAt(at)}`)
  return kind === undefined ? undefined : { kind, at: at + 1 }
}

const plainText = (text: string, kinds: ReadonlyMap<string, Kind>): FoundText | undefined => {
  const sign = text.startsWith("+") ? "+" : ""
  const kind = kinds.get(sign)
  return kind === undefined ? undefined : { kind: "gluedText", at: sign.length }
}

const givesText = (kind: Kind | undefined): kind is "text" | "gluedText" => kind === "text" || kind === "gluedText"

type Kind = "alone" | "value" | "pair" | "glued" | "gluedText" | "text"

interface Step {
  readonly value: "none" | "some" | "pair" | "text"
  readonly glued: number | undefined
}

const alone: Step = { value: "none", glued: undefined }

const kinds = new Map<string, ReadonlyMap<string, Kind>>()

const kindsOf = (options: string): ReadonlyMap<string, Kind> => {
  const known = kinds.get(options)
  if (known !== undefined) return known
  const made = new Map(
    options.split(" ").filter((option) => option !== "").map((option): [string, Kind] => {
      const mark = option.at(-1)
      if (option.endsWith("::")) return [option.slice(0, -2), "pair"]
      if (option.endsWith("?=")) return [option.slice(0, -2), "gluedText"]
      if (mark === ":") return [option.slice(0, -1), "value"]
      if (mark === "?") return [option.slice(0, -1), "glued"]
      return mark === "=" ? [option.slice(0, -1), "text"] : [option, "alone"]
    })
  )
  kinds.set(options, made)
  return made
}

const long = (text: string, kinds: ReadonlyMap<string, Kind>, spec: CarrierSpec): Step | undefined => {
  const { equals, kind } = named(text, kinds)
  if (kind === undefined && spec.unknownTakesValue !== true) return undefined
  if (kind === "alone" || kind === "glued") return alone
  if (kind === "pair") return { value: "pair", glued: undefined }
  return { value: kind === "text" ? "text" : "some", glued: equals < 0 ? undefined : equals + 1 }
}

/** What kind the option of a word is, and where the sign before its value stands, or -1. */
const named = (text: string, kinds: ReadonlyMap<string, Kind>) => {
  const equals = text.indexOf("=")
  const name = equals < 0 ? text : text.slice(0, equals)
  return { equals, kind: kinds.get(name) ?? abbreviated(name, kinds) }
}

// Most programs take the beginning of a long option for the whole when only one begins like it.
const abbreviated = (name: string, kinds: ReadonlyMap<string, Kind>): Kind | undefined => {
  if (name.length <= 3) return undefined
  let found: Kind | undefined
  for (const [option, kind] of kinds) {
    if (!option.startsWith(name)) continue
    if (found !== undefined && found !== kind) return undefined
    found = kind
  }
  return found
}

const short = (text: string, kinds: ReadonlyMap<string, Kind>, spec: CarrierSpec): Step | undefined => {
  const whole = kinds.get(text)
  if (whole === "alone" || whole === "glued") return alone
  if (kinds.has("#") && /^-\d+$/.test(text)) return alone
  for (let index = 1; index < text.length; index++) {
    const kind = kinds.get(`-${text.charAt(index)}`)
    if (kind === "alone") continue
    if (kind === "glued") return alone
    if (kind === undefined && spec.unknownTakesValue !== true) return undefined
    const last = index === text.length - 1
    if (kind === undefined) return { value: "some", glued: text.length > 2 ? text.length : undefined }
    return { value: kind === "text" ? "text" : "some", glued: last ? undefined : index + 1 }
  }
  return alone
}

const tail = (word: Word, from: number): Word => {
  const [first, ...rest] = word.known
  const known: Word["known"] = [first.slice(from), ...rest]
  return { ...word, known, value: word.value?.slice(from), tilde: false }
}
