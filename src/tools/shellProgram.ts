/**
 * What is started to run a command line.
 *
 * @since 0.1.0
 */
import type { Program } from "../services/Sandbox.ts"

/**
 * Bash that reads no start-up file.
 *
 * **Example** (A command line)
 *
 * ```ts
 * import { bashProgram } from "toolgate/tools/shellProgram"
 *
 * bashProgram("make") // => ["bash", "--norc", "--noprofile", "-c", "make"]
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const bashProgram = (command: string): Program => ["bash", "--norc", "--noprofile", "-c", command]

/**
 * A small shell that runs a program and writes its exit code to the file `code`
 * in a folder, if the folder is there by then.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lookedAfter = (
  program: Program,
  folder: string
): Program => ["sh", "-c", looking, "sh", folder, ...program]

// What the shell itself has to say of how its child ended is not the command's, so it says it to nobody.
const looking = "folder=$1; shift; exec 3>&2 2>/dev/null; \"$@\" 2>&3 3>&-; code=$?; " +
  "if [ -d \"$folder\" ]; then echo $code > \"$folder/code.part\" && mv \"$folder/code.part\" \"$folder/code\"; fi; " +
  "exit $code"
