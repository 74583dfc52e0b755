/**
 * A hook as a process: started in a group of its own, fed, listened to, and
 * ended with everything in its group.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { type ChildProcess, spawn } from "node:child_process"
import { HookOutput } from "./HookOutput.ts"

/**
 * What is to be started, and what it is told.
 *
 * @category models
 * @since 0.1.0
 */
export interface HookCommand {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdin: string
}

/**
 * How it ended, and what it had written by then.
 *
 * @category models
 * @since 0.1.0
 */
export interface HookEnd {
  readonly ending:
    | { readonly _tag: "Exited"; readonly code: number }
    | { readonly _tag: "Killed"; readonly signal: string }
    | { readonly _tag: "NotStarted"; readonly reason: string }
  readonly stdout: HookOutput
  readonly stderr: HookOutput
}

/**
 * Runs a hook until it exits.
 *
 * **Details**
 *
 * - Interruption ends the whole group, first politely, half a second later for
 *   good, and waits until the hook is gone.
 * - What a hook that exited by itself leaves in the background lives on, as it
 *   would in a shell; should it hold the pipes, they are closed on it.
 * - Input that is not read and output beyond the first megabyte are dropped.
 *
 * @category running
 * @since 0.1.0
 */
export const runHook = (command: HookCommand): Effect.Effect<HookEnd> =>
  Effect.callback<HookEnd>((resume) => {
    const stdout = new HookOutput()
    const stderr = new HookOutput()
    const end = (ending: HookEnd["ending"]) => resume(Effect.succeed({ ending, stdout, stderr }))

    const child = start(command)
    if (!("pid" in child) || child.pid === undefined) {
      if ("once" in child) child.once("error", (error) => end({ _tag: "NotStarted", reason: whyNot(error, command) }))
      else end({ _tag: "NotStarted", reason: child.reason })
      return
    }

    // Some programs never read what they are told: a closed pipe is no fault.
    child.stdin?.on("error", () => {})
    child.stdin?.end(command.stdin)
    child.stdout?.on("data", (bytes: Buffer) => stdout.add(bytes))
    child.stderr?.on("data", (bytes: Buffer) => stderr.add(bytes))
    child.on("error", () => {})
    child.once("exit", (code, signal) => {
      whenQuiet(child, () => {
        letGo(child)
        end(code === null ? { _tag: "Killed", signal: signal ?? "a signal" } : { _tag: "Exited", code })
      })
    })

    return Effect.andThen(terminate(child), Effect.sync(() => letGo(child)))
  })

const start = (command: HookCommand): ChildProcess | { readonly reason: string } => {
  try {
    return spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: "pipe",
      // A group and a session of its own: one signal reaches all of it, and no terminal.
      detached: process.platform !== "win32",
      windowsHide: true
    })
  } catch (error) {
    return { reason: whyNot(error, command) }
  }
}

const whyNot = (error: unknown, command: HookCommand): string => {
  const code = Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : "an unknown error"
  if (code === "ENOENT") {
    return `could not start: there is no program \`${command.file}\`, or no folder \`${command.cwd}\``
  }
  if (code === "EACCES") return `could not start: \`${command.file}\` may not be run`
  if (code === "E2BIG") return "could not start: its arguments are too long"
  return `could not start: ${code}`
}

// All that was written is in the pipes by now. They close once it is read, unless
// a child of the hook holds them: then silence has to do.
const whenQuiet = (child: ChildProcess, then: () => void): void => {
  const deadline = performance.now() + 2_000
  let timer: NodeJS.Timeout | undefined
  const settle = () => {
    clearTimeout(timer)
    child.removeListener("close", settle)
    child.stdout?.removeListener("data", wait)
    child.stderr?.removeListener("data", wait)
    then()
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(settle, Math.max(0, Math.min(200, deadline - performance.now())))
  }
  child.once("close", settle)
  child.stdout?.on("data", wait)
  child.stderr?.on("data", wait)
  wait()
}

const letGo = (child: ChildProcess): void => {
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.stderr?.destroy()
}

const politeMillis = 500

const terminate = (child: ChildProcess): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const deadline = performance.now() + politeMillis
    const finish = () => {
      signal(child, "SIGKILL")
      if (hasExited(child)) resume(Effect.void)
      else child.once("exit", () => resume(Effect.void))
    }
    const poll = () => {
      // Whoever is left in the group after its leader gets a moment, not the whole time.
      if (hasExited(child)) setTimeout(finish, signal(child, 0) ? 50 : 0)
      else if (performance.now() > deadline) finish()
      else setTimeout(poll, 10)
    }
    signal(child, "SIGTERM")
    poll()
  })

const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const signal = (child: ChildProcess, name: NodeJS.Signals | 0): boolean => {
  if (child.pid === undefined) return false
  try {
    return process.platform === "win32" ? child.kill(name) : process.kill(-child.pid, name)
  } catch {
    return false
  }
}
