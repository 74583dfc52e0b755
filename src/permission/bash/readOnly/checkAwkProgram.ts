/**
 * Looks at an `awk` program for what would run, write or read more than it was
 * given.
 *
 * @since 0.1.0
 */

/**
 * Says what a program may do that is more than printing, or nothing.
 *
 * **Details**
 *
 * Output goes elsewhere only by `>` or `|` after a `print`, so neither may stand
 * anywhere behind the first one, not even inside text. `system`, `getline`,
 * `@include` and its like, and changes to the list of files are refused
 * wherever their names stand.
 *
 * @category checks
 * @since 0.1.0
 */
export const checkAwkProgram = (program: string): string | undefined => {
  if (program.includes("system")) return "`system` runs a command"
  if (program.includes("getline")) return "`getline` may read a file or run a command"
  if (program.includes("@")) return "`@` may load other code"
  if (/ARG[VC]|ENVIRON|PROCINFO|SYMTAB|FUNCTAB/.test(program)) return "may change what it reads or runs"
  const print = program.indexOf("print")
  if (print < 0) return undefined
  const after = program.slice(print).replaceAll("||", "")
  if (after.includes(">")) return "may write what it prints to a file"
  return after.includes("|") ? "may pipe what it prints into a command" : undefined
}
