/**
 * What is started to run a command line.
 *
 * @since 0.1.0
 */

/**
 * The program and its arguments: Bash that reads no start-up file. With a
 * `folder` a small shell looks after it, which writes the exit code to the file
 * `code` there, if the folder is there by then.
 *
 * **Example** (A command line)
 *
 * ```ts
 * import { shellProgram } from "toolgate/tools/shellProgram"
 *
 * shellProgram("make") // => ["bash", "--norc", "--noprofile", "-c", "make"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const shellProgram = (
  command: string,
  folder?: string
): readonly [file: string, ...args: ReadonlyArray<string>] => {
  const bash = ["bash", "--norc", "--noprofile", "-c", command] as const
  return folder === undefined ? bash : ["sh", "-c", looking, "sh", folder, ...bash]
}

// What the shell itself has to say of how its child ended is not the command's, so it says it to nobody.
const looking = "folder=$1; shift; exec 3>&2 2>/dev/null; \"$@\" 2>&3 3>&-; code=$?; " +
  "if [ -d \"$folder\" ]; then echo $code > \"$folder/code.part\" && mv \"$folder/code.part\" \"$folder/code\"; fi; " +
  "exit $code"
