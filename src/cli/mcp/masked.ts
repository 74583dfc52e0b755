/**
 * The configuration of an MCP server without what may be secret in it.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"

/**
 * Puts stars in place of secrets: values of `env` and `headers` that are no
 * variables, a client's secret, what an address says after its path, and
 * arguments that follow a word for a secret.
 *
 * @category formatting
 * @since 0.1.0
 */
export const masked = (config: unknown): unknown => {
  if (!Predicate.isObject(config)) return config
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      if (key === "env" || key === "headers") return [key, values(value, starred)]
      if (key === "oauth") return [key, values(secrets(value), secrets, /^idp$/)]
      if (key === "url") return [key, typeof value === "string" ? withoutQuery(value) : value]
      if (key === "args") return [key, Array.isArray(value) ? value.map(argument) : value]
      return [key, value]
    })
  )
}

const stars = "***"

const starred = (value: unknown): unknown =>
  typeof value === "string" && value.replace(/\$\{[A-Za-z_]\w*\}|^Bearer |^Basic /g, "") !== "" ? stars : value

const values = (value: unknown, mask: (value: unknown) => unknown, of = /(?:)/): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, of.test(key) ? mask(item) : item]))
    : value

const withoutQuery = (url: string): string => {
  const end = url.search(/[?#]/)
  return (end < 0 ? url : `${url.slice(0, end + 1)}${stars}`).replace(/\/\/[^/@]*@/, `//${stars}@`)
}

const secrets = (value: unknown): unknown => values(value, starred, /secret|^privateKey$|^idToken$/i)

const secretWord = /^--?[\w-]*(?:key|token|secret|password|passwd|auth)[\w-]*$/i

const argument = (value: unknown, index: number, all: ReadonlyArray<unknown>): unknown => {
  if (typeof value !== "string") return value
  const before: unknown = all[index - 1]
  if (typeof before === "string" && secretWord.test(before)) return starred(value)
  const [word = "", ...rest] = value.split("=")
  if (rest.length > 0 && secretWord.test(word)) return `${word}=${stars}`
  return /^https?:/.test(value) ? withoutQuery(value) : value
}
