/**
 * The configuration of an MCP server without what may be secret in it.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"

/**
 * Puts stars in place of secrets.
 *
 * **Details**
 *
 * Variables stay. Starred out are values of `env` and `headers`, wherever they
 * stand; a client's secret; of an address a password, a query, and a part of the
 * path that looks like a key; arguments that follow a word for a secret or look
 * like one; and whatever nobody here knows.
 *
 * @category converting
 * @since 0.1.0
 */
export const masked = (config: unknown): unknown => {
  if (!Predicate.isObject(config)) return config
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      if (key === "oauth") return [key, values(secrets(value), secrets, /^idp$/)]
      if (key === "args") return [key, Array.isArray(value) ? value.map(argument) : starred(value)]
      if (key === "url" || key === "command" || key === "headersHelper") return [key, text(value)]
      return [key, plain.has(key) ? value : starred(value)]
    })
  )
}

const plain: ReadonlySet<string> = new Set(["type", "cwd", "timeout", "disabled", "enabled"])

const stars = "***"

const starred = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(starred)
  if (Predicate.isObject(value)) return values(value, starred)
  return typeof value === "string" && value.replace(/\$\{[A-Za-z_]\w*\}|^Bearer |^Basic /g, "") !== "" ? stars : value
}

const values = (value: unknown, mask: (value: unknown) => unknown, of = /(?:)/): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, of.test(key) ? mask(item) : item]))
    : value

const secrets = (value: unknown): unknown => values(value, starred, /secret|^privateKey$|^idToken$/i)

const secretWord = "[\\w-]*(?:key|token|secret|passw|pwd|auth|credential|cookie)[\\w-]*"
const secretFlag = new RegExp(`^--?${secretWord}$`, "i")
const secretPair = new RegExp(`(${secretWord}["']?\\s*[=:]\\s*["']?)(?!\\$\\{)(?:(?:Bearer|Basic) +)?[^\\s"'&]+`, "gi")
const secretOption = new RegExp(`(--?${secretWord} +)(?!-|\\$\\{)[^\\s"']+`, "gi")
const scheme = /\b(Bearer|Basic) +(?!\$\{)[^\s"']+/gi
const keyLike = /\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|sk-|AKIA|AIza|eyJ)[\w.-]{8,}/g
const address = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']*)([^\s?#"']*)([?#][^\s"']*)?/gi

/** A text in which secrets may stand anywhere. */
const text = (value: unknown): unknown =>
  typeof value !== "string" ? starred(value) : value
    .replace(address, (whole, scheme: string, host: string, path: string, more: string | undefined) => {
      const user = whole.slice(scheme.length).startsWith(`${host}${path}`) ? "" : `${stars}@`
      return `${scheme}${user}${host}${path.replace(keyInPath, stars)}${more === undefined ? "" : `${more[0]}${stars}`}`
    })
    .replace(secretPair, `$1${stars}`)
    .replace(secretOption, `$1${stars}`)
    .replace(scheme, `$1 ${stars}`)
    .replace(keyLike, stars)

const keyInPath = /(?<=\/)(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}(?=\/|$)/gi

/** Where what follows is a variable's or a header's value, whatever it is called. */
const pairFlag = /^(?:-e|--env|-H|--header)$/

const argument = (value: unknown, index: number, all: ReadonlyArray<unknown>): unknown => {
  if (typeof value !== "string") return starred(value)
  const before: unknown = all[index - 1]
  if (typeof before === "string" && secretFlag.test(before) && !value.startsWith("-")) return starred(value)
  const [, flag = "", given = value] = /^(--(?:env|header)=)(.*)$/s.exec(value) ?? []
  if (flag !== "" || typeof before === "string" && pairFlag.test(before)) {
    const [, name = "", rest = ""] = /^([\w-]+(?:=|: *))(.+)$/s.exec(given) ?? []
    if (name !== "") return `${flag}${name}${String(starred(rest))}`
  }
  return text(value)
}
