/**
 * A value cut down to a size that can be handed around, its shape kept.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"

/**
 * Where the whole of what was cut is.
 *
 * @category models
 * @since 0.1.0
 */
export interface Whole {
  readonly path: string
  readonly size: number
}

/**
 * Returns a value that makes no more than about `room` characters of JSON.
 *
 * **Details**
 *
 * A value that fits is given back as it is. Otherwise long texts are cut, then
 * lists, as evenly as it goes, so that a program finds the fields that it looks
 * for. An object tells where the `whole` is in `persistedOutputPath` and
 * `persistedOutputSize`, a text at its end.
 *
 * @category combining
 * @since 0.1.0
 */
export const capped = (value: unknown, room: number, whole?: Whole): unknown => {
  const cut = fits(value, room) ? value : cutDown(value, room)
  if (whole === undefined) return cut
  if (typeof cut === "string") return `${cut}\n… (the whole is in ${whole.path})`
  return isPlain(cut) ? { ...cut, persistedOutputPath: whole.path, persistedOutputSize: whole.size } : cut
}

const fits = (value: unknown, room: number): boolean => sizeOf(value, room, 0) <= room

/** Counts what a value would be as JSON, no further than `room`. */
const sizeOf = (value: unknown, room: number, depth: number): number => {
  if (typeof value === "string") return value.length + 2
  if (!Predicate.isObjectOrArray(value)) return 8
  // Nobody can tell how deep a circle is.
  if (depth > deepest) return room + 1
  let size = 2
  for (const [key, member] of membersOf(value)) {
    size += key.length + 4 + sizeOf(member, room - size, depth + 1)
    if (size > room) return size
  }
  return size
}

const deepest = 16

const membersOf = (value: object): Iterable<readonly [string, unknown]> =>
  Array.isArray(value) ? listed(value) : Object.entries(value)

function* listed(items: ReadonlyArray<unknown>): Iterable<readonly [string, unknown]> {
  for (const item of items) yield ["", item]
}

const cutDown = (value: unknown, room: number): unknown => {
  for (let scale = 1; scale <= 4_096; scale *= 2) {
    const limits = { chars: Math.floor(room / scale), items: Math.ceil(1_000 / scale) }
    const cut = shorten(value, limits, 0)
    if (fits(cut, room)) return cut
  }
  return leftOut
}

const leftOut = "(left out, since it is too long)"

interface Limits {
  readonly chars: number
  readonly items: number
}

const shorten = (value: unknown, limits: Limits, depth: number): unknown => {
  if (typeof value === "string") {
    return value.length <= limits.chars
      ? value
      : `${value.slice(0, limits.chars).toWellFormed()}… (${value.length - limits.chars} characters left out)`
  }
  if (!Predicate.isObjectOrArray(value)) return value
  if (depth > deepest / 2) return leftOut
  if (Array.isArray(value)) {
    const items = value.slice(0, limits.items).map((item: unknown) => shorten(item, limits, depth + 1))
    return items.length === value.length ? items : [...items, `(${value.length - items.length} more left out)`]
  }
  return Object.fromEntries(
    Object.entries(value).slice(0, limits.items).map(([key, member]) => [
      key.slice(0, Math.max(limits.chars, 100)),
      shorten(member, limits, depth + 1)
    ])
  )
}

const isPlain = (value: unknown): value is { readonly [key: string]: unknown } =>
  Predicate.isObject(value) && !Array.isArray(value)
