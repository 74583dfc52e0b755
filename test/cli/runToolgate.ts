/**
 * Runs the command from source as a process of its own, without a terminal, in a home and a folder of its own.
 */
import { spawn } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

/** From source, or the built command where that is what is tested. */
export const main = fileURLToPath(
  new URL(
    process.env["TOOLGATE_BUILT"] === undefined ? "../../src/cli/main.ts" : "../../bin/toolgate.cjs",
    import.meta.url
  )
)

export interface Place {
  readonly home: string
  readonly cwd: string
  readonly env: Record<string, string>
  readonly remove: () => void
}

/** A home, a working directory and a state directory that nobody else uses; `owner` may use them where that is given. */
export const makePlace = (owner?: number): Place => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "toolgate-cli-")))
  const home = path.join(root, "home")
  const cwd = path.join(root, "work")
  mkdirSync(home)
  mkdirSync(cwd)
  if (owner !== undefined) { for (const folder of [root, home, cwd]) chownSync(folder, owner, owner) }
  const { PATH = "" } = process.env
  return {
    home,
    cwd,
    env: {
      PATH,
      HOME: home,
      TOOLGATE_STATE_DIR: path.join(root, "state"),
      LANG: "C.UTF-8",
      TERM: "xterm-256color"
    },
    remove: () => rmSync(root, { recursive: true, force: true })
  }
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array
  readonly env?: Record<string, string>
  readonly uid?: number | undefined
  /** Another program of ours than `toolgate` itself. */
  readonly program?: string
  /** Called with everything on standard output so far, each time more comes. */
  readonly onStdout?: (text: string, kill: (signal: NodeJS.Signals) => void) => void
  /** The same with what is on standard error. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void
}

export const runToolgate = (place: Place, args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    // In a session of its own, so that no terminal of whoever runs the tests is asked anything.
    const child = spawn(process.execPath, [options.program ?? main, ...args], {
      cwd: place.cwd,
      env: { ...place.env, ...options.env },
      detached: true,
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid })
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
      options.onStdout?.(stdout, (signal) => void child.kill(signal))
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
      options.onStderr?.(stderr, (signal) => void child.kill(signal))
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
    // Reading may end before everything is written, as it should with too long an input.
    child.stdin.on("error", () => {})
    child.stdin.end(options.stdin ?? "")
  })
