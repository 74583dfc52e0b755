/**
 * A thread for a session: an endless loop in it holds up nobody else, and it can
 * be ended from outside whatever it does.
 *
 * @since 0.1.0
 */
import { Worker } from "node:worker_threads"
import type { FromThread, ToThread } from "./messages.ts"

/**
 * A running thread.
 *
 * **Details**
 *
 * `listen` names who hears what it tells, one at a time; `broken` comes when it
 * ended by itself. Between two listeners nothing keeps the process alive for it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Thread {
  readonly tell: (message: ToThread) => void
  readonly listen: (listener: { readonly heard: (message: FromThread) => void; readonly broken: () => void }) => void
  readonly leave: () => void
  readonly end: () => Promise<unknown>
}

/**
 * Starts a thread, with nothing of the process's environment.
 *
 * @category constructors
 * @since 0.1.0
 */
export const startThread = (): Thread => {
  const worker = new Worker(threadFile, {
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    // Room enough that the machine notices its own deep recursion before this thread's stack is full.
    resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 16 }
  })
  let ended = false
  let listener: Parameters<Thread["listen"]>[0] | undefined
  const broken = (): void => {
    ended = true
    listener?.broken()
  }
  worker.on("message", (message: FromThread) => listener?.heard(message))
  worker.on("error", broken)
  worker.on("exit", broken)
  worker.unref()
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    tell: (message) => worker.postMessage(message),
    listen: (next) => {
      listener = next
      worker.ref()
      if (ended) next.broken()
    },
    leave: () => {
      listener = undefined
      worker.unref()
    },
    end: () => worker.terminate()
  }
}

// Beside this file as source and as a package; the bundled command stands in the folder next to it.
const threadFile = new URL(`../repl/thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)
