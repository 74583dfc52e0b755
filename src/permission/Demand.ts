/**
 * What a call demands: every command that it could start and every file that it
 * would open. Each is judged on its own, the call by the strictest verdict.
 *
 * @since 0.1.0
 */
import type { SimpleCommand, Word } from "../domain/ShellCommand.ts"

/**
 * One demand.
 *
 * **Details**
 *
 * - `Command`: one command of a shell line, with those that it starts in turn;
 *   `line` is the whole line as written. `understood` is false when the line could not be fully read.
 * - `File`: one file. `path` is absolute as written, or undefined where only
 *   running the line tells; then `word` holds what is known of it, and `dotted` says whether its globs may
 *   stand for a leading dot. `recursive`: what lies below it is meant too. `from` says
 *   whether a tool names it, a redirection opens it, or it is an argument of a
 *   command: then `command` is the one that opens it and `owner` the number of
 *   the `Command` demand that it belongs to.
 * - `Folder`: everything under a folder is read.
 * - `Address`, `Agent`, `Tool`: the call as a whole.
 *
 * @category models
 * @since 0.1.0
 */
export type Demand =
  | {
    readonly _tag: "Command"
    readonly label: string
    readonly command: SimpleCommand
    readonly line: string
    readonly understood: boolean
  }
  | {
    readonly _tag: "File"
    readonly label: string
    readonly access: "read" | "edit" | "remove"
    readonly path: string | undefined
    readonly word: Word | undefined
    readonly directory: string | undefined
    readonly recursive: boolean
    readonly dotted: boolean
    readonly from: "tool" | "redirect" | "argument"
    readonly owner: number | undefined
    readonly command: SimpleCommand | undefined
  }
  | { readonly _tag: "Folder"; readonly label: string; readonly path: string }
  | { readonly _tag: "Address"; readonly label: string; readonly url: string }
  | { readonly _tag: "Agent"; readonly label: string; readonly name: string }
  | { readonly _tag: "Tool"; readonly label: string }

/**
 * A demand of one kind.
 *
 * @category models
 * @since 0.1.0
 */
export type DemandOf<Tag extends Demand["_tag"]> = Extract<Demand, { readonly _tag: Tag }>
