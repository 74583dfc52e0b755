/**
 * The environment that commands run in, rid of all that would make a shell do
 * something else than what was judged.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Variables by name.
 *
 * @category models
 * @since 0.1.0
 */
export interface Variables {
  readonly [name: string]: string | undefined
}

/**
 * Reference for the environment that commands inherit: the process's own, unless
 * another is provided. It is scrubbed in any case.
 *
 * @category references
 * @since 0.1.0
 */
export const ShellEnvironment = Context.Reference<Variables>("toolgate/tools/ShellEnvironment", {
  defaultValue: () => process.env
})

/**
 * Takes out what Bash itself reads or runs when it starts: start-up files,
 * functions, options, traces and prompts.
 *
 * **Example** (A start-up file is not read)
 *
 * ```ts
 * import { scrubbed } from "toolgate/tools/ShellEnvironment"
 *
 * scrubbed({ PATH: "/bin", BASH_ENV: "/tmp/evil", "BASH_FUNC_git%%": "() { rm x; }" }) // => { PATH: "/bin" }
 * ```
 *
 * @category combining
 * @since 0.1.0
 */
export const scrubbed = (variables: Variables): { readonly [name: string]: string } => {
  const kept: { [name: string]: string } = {}
  // Node asks the system for each name and each value of its own environment: no more often than needed.
  for (const name of Object.getOwnPropertyNames(variables)) {
    const value = variables[name]
    if (value === undefined || refused.has(name) || name.startsWith("BASH_FUNC_") || value.startsWith("() {")) continue
    kept[name] = value
  }
  return kept
}

const refused: ReadonlySet<string> = new Set([
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASHOPTS",
  "BASH_COMPAT",
  "BASH_LOADABLES_PATH",
  "BASH_XTRACEFD",
  "POSIXLY_CORRECT",
  "PROMPT_COMMAND",
  "PS0",
  "PS1",
  "PS2",
  "PS3",
  "PS4",
  "GLOBIGNORE",
  "IFS",
  "CDPATH",
  "OLDPWD",
  "EXECIGNORE"
])
