/**
 * Runs a program in a pseudo-terminal, of 80 columns where nothing else is said, and talks to it as a person would.
 */
import { spawn } from "@lydell/node-pty"

export interface Session {
  /** Waits until the screen says a text that no wait before was for, and gives what it has said up to there. */
  readonly sees: (text: string) => Promise<string>
  readonly types: (keys: string) => void
  /** Everything that was written to the terminal, with its escape sequences. */
  readonly raw: () => string
  readonly exit: Promise<number>
  readonly kill: (signal: string) => void
}

export const keys = { down: "\u001B[B", enter: "\r", escape: "\u001B", ctrlC: "\u0003", ctrlD: "\u0004" }

export const inTerminal = (
  command: string,
  args: ReadonlyArray<string>,
  options: {
    readonly cwd: string
    readonly env: Record<string, string>
    readonly rows?: number
    readonly columns?: number
  }
): Session => {
  let raw = ""
  let from = 0
  let check = () => {}
  const { columns: cols = 80, cwd, env, rows = 40 } = options
  const terminal = spawn(command, [...args], { cols, rows, cwd, env })
  terminal.onData((data) => {
    raw += data
    check()
  })
  const exit = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => resolve(signal === undefined || signal === 0 ? exitCode : 128 + signal))
  })
  const sees = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const never = () => reject(new Error(`\`${text}\` never came, but ${JSON.stringify(plain(raw).slice(from))}`))
      void exit.then(never)
      // Sooner than the limit of a test, which would end it without a word.
      const late = setTimeout(never, 400_000)
      check = () => {
        const screen = plain(raw)
        const at = screen.indexOf(text, from)
        if (at < 0) return
        clearTimeout(late)
        check = () => {}
        const said = screen.slice(from, at + text.length)
        // What came with it is for the next wait.
        from = at + text.length
        resolve(said)
      }
      check()
    })
  return {
    sees,
    types: (text) => terminal.write(text),
    raw: () => raw,
    exit,
    kill: (signal) => terminal.kill(signal)
  }
}

/** What is left when a terminal has acted upon its escape sequences. */
const plain = (text: string): string => text.replace(/\u001B\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "")
