/**
 * Variables of the environment in the configuration of a server.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/**
 * Puts values in place of `${NAME}` and `${NAME:-default}` wherever a server's
 * configuration may use them: `command`, `args`, `env`, `cwd`, `url`,
 * `headers` and `oauth`. Fails with what is wrong and where.
 *
 * **Example** (A token and a default)
 *
 * ```ts
 * import * as Option from "effect/Option"
 * import * as Result from "effect/Result"
 * import { expandVariables } from "toolgate/layers/mcp/expandVariables"
 *
 * const config = { command: "notes", args: ["--at", "${AT:-here}"], env: { KEY: "${KEY}" } }
 *
 * Result.getOrThrow(expandVariables(config, { KEY: "k1" }))
 * // => { command: "notes", args: ["--at", "here"], env: { KEY: "k1" } }
 * Result.getFailure(expandVariables(config, {}))
 * // => Option.some("`env.KEY` uses `${KEY}`, which is not set: set it, or write `${KEY:-default}`")
 * ```
 *
 * @category parsing
 * @since 0.1.0
 */
export const expandVariables = (
  config: unknown,
  environment: { readonly [name: string]: string | undefined }
): Result.Result<unknown, string> => {
  if (!Predicate.isObject(config)) return Result.succeed(config)
  const missing: Array<string> = []
  const expand = (value: unknown, where: string): unknown => {
    if (typeof value === "string") {
      return value.replace(variable, (written, name: string, or: string | undefined) => {
        const found = environment[name]
        // As in a shell: with `:-` an empty value is as good as none.
        if (found !== undefined && !(found === "" && or !== undefined)) return found
        if (or !== undefined) return or
        missing.push(`\`${where}\` uses \`${written}\`, which is not set: set it, or write \`\${${name}:-default}\``)
        return ""
      })
    }
    if (Array.isArray(value)) return value.map((item, index) => expand(item, `${where}[${index}]`))
    return Predicate.isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, `${where}.${key}`)]))
      : value
  }
  const expanded = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, expandable.has(key) ? expand(value, key) : value])
  )
  return missing[0] === undefined ? Result.succeed(expanded) : Result.fail(missing.join("; "))
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

const expandable: ReadonlySet<string> = new Set(["command", "args", "env", "cwd", "url", "headers", "oauth"])
