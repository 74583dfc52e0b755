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
 * nothing can hide that was to be left out.
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
  const members: Array<readonly [string, unknown]> = Object.entries(given)
  for (const [name, member] of Object.entries(model)) {
    if (member === undefined) continue
    const own = Object.hasOwn(given, name)
    if (!own && typeof member !== "number" && typeof member !== "boolean") return undefined
    const fitted = own ? inFormOf(given[name], member) : { value: member }
    if (fitted === undefined) return undefined
    members.push([name, fitted.value])
  }
  return { value: Object.fromEntries(members) }
}

/** Each item has the form of one that was there. */
const inList = (given: ReadonlyArray<unknown>, model: ReadonlyArray<unknown>): ReturnType<typeof inFormOf> => {
  const items: Array<unknown> = []
  for (const item of given) {
    const fitted = firstOf(model, (one) => inFormOf(item, one))
    if (fitted === undefined) return undefined
    items.push(fitted.value)
  }
  return { value: items }
}

const firstOf = <A, B>(items: ReadonlyArray<A>, find: (item: A) => B | undefined): B | undefined => {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
