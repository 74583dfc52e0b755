/**
 * Variables that a command may be given without changing what it runs: they
 * say how it prints, in which language, and in which mode it calls itself.
 *
 * Left out on purpose is whatever names a program, a library, a file that is
 * read as code or configuration, or another account or machine (`PATH`,
 * `PAGER`, `NODE_OPTIONS`, `PYTHONPATH`, `GIT_*`, `LD_*`, `HOME`, `AWS_PROFILE`).
 *
 * @since 0.1.0
 */

/**
 * The names. `LC_` and whatever follows it is safe as well.
 *
 * @category tables
 * @since 0.1.0
 */
export const safeVariables: ReadonlySet<string> = new Set([
  "CI",
  "CLICOLOR",
  "CLICOLOR_FORCE",
  "COLORTERM",
  "COLUMNS",
  "FORCE_COLOR",
  "LANG",
  "LANGUAGE",
  "LINES",
  "NODE_ENV",
  "NO_COLOR",
  "PYTHONUNBUFFERED",
  "RUST_BACKTRACE",
  "TERM",
  "TZ"
])

/**
 * Says whether a variable can't change what a command runs.
 *
 * **Example** (Telling two variables apart)
 *
 * ```ts
 * import { isSafeVariable } from "toolgate/permission/bash/safeVariables"
 *
 * isSafeVariable("LC_ALL") // => true
 * isSafeVariable("PATH") // => false
 * ```
 *
 * @category reading
 * @since 0.1.0
 */
export const isSafeVariable = (name: string): boolean => safeVariables.has(name) || /^LC_[A-Z]+$/.test(name)

/**
 * Says whether nothing looks at a variable of that name. What programs and the
 * shell look at is upper case by custom; the lower-case names are those of
 * proxies, of npm's settings and two of bash's.
 *
 * @category reading
 * @since 0.1.0
 */
export const isPlainVariable = (name: string): boolean =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !/_proxy$|^npm_|^(?:auto_resume|histchars)$/.test(name)
