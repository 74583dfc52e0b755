/**
 * Names for errors that are safe to send anywhere: few, stable, and without a
 * word of the user's.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/**
 * Returns the name of an error for telemetry.
 *
 * **Details**
 *
 * In this order: the message of a `TelemetrySafeError`; `Error:` and the errno
 * code, which is looked for through causes; the error's own `name` when it is
 * longer than three characters, as no minifier's is; `Error`; and `UnknownError`
 * for what is no error at all. A name that does not look like an identifier, and
 * a message that does not look like a fixed phrase, become `Error`.
 *
 * **Example** (Naming errors)
 *
 * ```ts
 * import { classify } from "toolgate/errors/classify"
 *
 * classify(Object.assign(new Error("open '/home/ann/plan.txt'"), { code: "ENOENT" })) // => "Error:ENOENT"
 * classify(new TypeError("ann's plan is undefined")) // => "TypeError"
 * classify("ann's plan") // => "UnknownError"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const classify = (error: unknown): string => {
  if (!isError(error)) return "UnknownError"
  const message = read(error, "message")
  if (read(error, "_tag") === "TelemetrySafeError") return isPhrase(message) ? message : "Error"
  const code = errno(error)
  if (code !== undefined) return `Error:${code}`
  const name = read(error, "name")
  return isIdentifier(name) ? name : "Error"
}

// An error from another realm, as of a worker or a test's sandbox, is none by `instanceof`.
const isError = (error: unknown): error is object =>
  error instanceof Error || Object.prototype.toString.call(error) === "[object Error]"

/** Fields may be getters, and getters may throw. */
const read = (from: object, field: string): unknown =>
  Result.getOrUndefined(Result.try(() => Predicate.hasProperty(from, field) ? from[field] : undefined))

const deepest = 16

const errno = (error: object): string | undefined => {
  let current: unknown = error
  for (let depth = 0; depth < deepest && Predicate.isObject(current); depth++) {
    const code = read(current, "code")
    if (typeof code === "string" && /^E(?:[A-Z]{2,14}|2BIG|L2[A-Z]{2,4}|AI_[A-Z]{2,12})$/.test(code)) return code
    current = read(current, "cause")
  }
  return undefined
}

// What is drawn by chance has digits in it; what people name has few.
const isIdentifier = (name: unknown): name is string =>
  typeof name === "string" && /^[A-Za-z_$][A-Za-z0-9_$]{3,63}$/.test(name) && name.replace(/[^0-9]/g, "").length <= 3

const isPhrase = (message: unknown): message is string =>
  isIdentifier(message) ||
  typeof message === "string" && message.length <= 80 && /^[A-Za-z][a-z'-]*(?: [A-Za-z][a-z'-]*){1,11}$/.test(message)
