/**
 * What a shell line could do: the simple commands it could start and the files
 * it would open through redirections, wherever they hide.
 *
 * @since 0.1.0
 */

/**
 * One word as the shell would see it once quotes are gone.
 *
 * **Details**
 *
 * `known` is the text that is certain, with what only running the line tells
 * standing between the pieces: `a$x` is `["a", ""]`, `*.ts` is `["", ".ts"]`,
 * `$(date)` is `["", ""]`, and a plain word has one piece. `value` is that one
 * piece, or undefined. `splits`: what is unknown may become several words or
 * none (an unquoted expansion, a glob, a brace that could not be expanded).
 * `tilde`: the text begins with an unquoted `~` that stands for the home
 * directory (`~` or `~/x`); it is kept as written. `written`: the text of a path
 * that may lead elsewhere by the time the command runs, so that no piece tells
 * where it ends.
 *
 * @category models
 * @since 0.1.0
 */
export interface Word {
  readonly source: string
  readonly known: readonly [string, ...ReadonlyArray<string>]
  readonly value: string | undefined
  readonly splits: boolean
  readonly glob: boolean
  readonly tilde?: boolean
  readonly written?: string
}

/**
 * One assignment before a command (`NAME=value cmd`), or alone.
 *
 * @category models
 * @since 0.1.0
 */
export interface Assignment {
  readonly name: string
  readonly value: Word
}

/**
 * One file that a redirection opens. `/dev/null` and descriptor copies are no
 * files and are left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Redirect {
  readonly access: "read" | "write" | "readwrite"
  readonly target: Word
}

/**
 * What makes a command start another: `wrapper` (`timeout 5 cmd`, `env cmd`,
 * `sudo cmd`), `interpreter` (`bash -c '…'`, `eval '…'`, a here-document or
 * pipe into a shell), `delegate` (`find -exec`, `xargs`, `git -c alias…`).
 *
 * @category models
 * @since 0.1.0
 */
export type Carrier = "wrapper" | "interpreter" | "delegate"

/**
 * One simple command that the line could start.
 *
 * **Details**
 *
 * - `words[0]` is the program; without words only assignments and redirections
 *   happen.
 * - `directory` is where `cd` before it left the shell: a path relative to the
 *   call's directory (`"."` when no `cd` came before), an absolute one, or
 *   undefined where it can't be known. `elsewhere` has the other directories
 *   that it may run in: a `cd` that fails leaves the shell where it was.
 * - `carrier` says that this command starts `inner`; commands in its
 *   substitutions are not `inner`, they stand beside it in the line's list.
 * - `transparent`: running this is running `inner` and nothing else, so that an
 *   allow rule may judge it by `inner` alone.
 * - `exactOnly`: no allow rule with a gap covers it (`find -delete`, `watch`),
 *   only one that spells it out.
 *
 * @category models
 * @since 0.1.0
 */
export interface SimpleCommand {
  readonly words: ReadonlyArray<Word>
  readonly assignments: ReadonlyArray<Assignment>
  readonly redirects: ReadonlyArray<Redirect>
  readonly source: string
  readonly directory: string | undefined
  readonly elsewhere?: ReadonlyArray<string> | undefined
  readonly carrier: Carrier | undefined
  readonly inner: ReadonlyArray<SimpleCommand>
  readonly transparent: boolean
  readonly exactOnly: boolean
}

/**
 * A shell line, read.
 *
 * **Details**
 *
 * `commands` has every command that the line itself could start, each holding
 * those it would start in turn. When `refused` is there the line is not fully
 * understood, for the reason it gives: `commands` is then what a tolerant look
 * found, good enough to deny and never to allow.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShellLine {
  readonly source: string
  readonly commands: ReadonlyArray<SimpleCommand>
  readonly refused: string | undefined
}
