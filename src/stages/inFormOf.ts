/**
 * Whether a value could stand where another one does.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"

/**
 * Returns a value where it has the form of another one, else nothing.
 *
 * **Details**
 *
 * What values are is compared, not what they say: texts, numbers, lists and
 * objects, member by member. What an object has beyond the other one does no
 * harm. Numbers and truth values that it lacks are taken from there, in which
 * nothing can hide that was to be left out. What lacks none stays the same
 * value.
 *
 * @category comparing
 * @since 0.1.0
 */
export const inFormOf = (given: unknown, model: unknown): { readonly value: unknown } | undefined => {
  if (Array.isArray(model)) return Array.isArray(given) ? inList(given, model) : undefined
  if (!Predicate.isObject(model) || given === null) {
    return given === model || given !== null && typeof given === typeof model && model !== null
      ? { value: given }
      : undefined
  }
  if (!Predicate.isObject(given) || Array.isArray(given)) return undefined
  const changed: Array<readonly [string, unknown]> = []
  for (const [name, member] of Object.entries(model)) {
    if (member === undefined) continue
    const own = Object.hasOwn(given, name)
    if (!own && typeof member !== "number" && typeof member !== "boolean") return undefined
    const fitted = own ? inFormOf(given[name], member) : { value: member }
    if (fitted === undefined) return undefined
    if (!own || !Object.is(fitted.value, given[name])) changed.push([name, fitted.value])
  }
  return { value: changed.length === 0 ? given : Object.fromEntries([...Object.entries(given), ...changed]) }
}

/** Each item has the form of one that was there, best of one of which it lacks nothing. */
const inList = (given: ReadonlyArray<unknown>, model: ReadonlyArray<unknown>): ReturnType<typeof inFormOf> => {
  const items: Array<unknown> = []
  for (const item of given) {
    const fitted = bestOf(item, model)
    if (fitted === undefined) return undefined
    items.push(fitted.value)
  }
  return { value: items.every((item, at) => Object.is(item, given[at])) ? given : items }
}

const bestOf = (item: unknown, model: ReadonlyArray<unknown>): ReturnType<typeof inFormOf> => {
  let best: ReturnType<typeof inFormOf>
  for (const one of model) {
    const fitted = inFormOf(item, one)
    if (fitted !== undefined && Object.is(fitted.value, item)) return fitted
    best ??= fitted
  }
  return best
}
