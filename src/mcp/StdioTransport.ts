/**
 * Speaks to a server that is a program of this machine.
 *
 * The library's own transport ends only the program that it started. Servers are
 * often started through others (`npx`, `uv`, a shell), so that this one gives
 * them a process group and ends all of it.
 *
 * @since 0.1.0
 */
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from "@modelcontextprotocol/client"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"

/**
 * The program to start.
 *
 * @category models
 * @since 0.1.0
 */
export interface StdioProgram {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly maxMessageBytes: number
}

/**
 * Transport over the standard input and output of a program.
 *
 * **Details**
 *
 * - A line that is no message is passed to `onerror`, and the next one is read.
 * - A message longer than `maxMessageBytes` ends the connection.
 * - `close` ends the whole process group and waits until it is gone: standard
 *   input first, then politely, then by force.
 *
 * @category transports
 * @since 0.1.0
 */
export class StdioTransport implements Transport {
  declare onclose?: () => void
  declare onerror?: (error: Error) => void
  declare onmessage?: Transport["onmessage"]

  readonly #program: StdioProgram
  readonly #buffer: ReadBuffer
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined
  #stderr = ""
  #ended: string | undefined
  #closing: Promise<void> | undefined

  constructor(program: StdioProgram) {
    this.#program = program
    this.#buffer = new ReadBuffer({ maxBufferSize: program.maxMessageBytes })
  }

  /** The end of what the program wrote to standard error. */
  get stderr(): string {
    return this.#stderr.trim()
  }

  /** Why the connection ended, where it was not us who ended it. */
  get ended(): string | undefined {
    return this.#ended
  }

  start(): Promise<void> {
    const { args, command, cwd, env } = this.#program
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...args], {
        cwd,
        env,
        stdio: ["pipe", "pipe", "pipe"],
        // A group and a session of its own: one signal reaches all of it, and no terminal.
        detached: process.platform !== "win32",
        windowsHide: true
      })
      this.#child = child
      child.once("spawn", resolve)
      child.once("error", (error) => {
        reject(error)
        this.#child = undefined
      })
      child.once("exit", (code, signal) => {
        this.#ended ??= code === null ? `its program was ended by ${signal}` : `its program ended with code ${code}`
        // What it left running holds the pipes, and is of no use without it.
        if (this.#closing === undefined) void this.close()
      })
      child.stdin.on("error", (error) => this.onerror?.(error))
      child.stdout.on("data", (chunk: Buffer) => this.#take(chunk))
      child.stderr.on("data", (chunk: Buffer) => {
        this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-maxStderrChars)
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || !stdin.writable) return Promise.reject(new Error(this.#ended ?? "not connected"))
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => error ? reject(error) : resolve())
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const child = this.#child
    if (child?.pid !== undefined) await endGroup(child, child.pid)
    child?.stdout.destroy()
    child?.stderr.destroy()
    this.#buffer.clear()
    this.onclose?.()
  }

  #take(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch {
      this.#ended = `it sent a message of more than ${this.#program.maxMessageBytes} bytes`
      void this.close()
      return
    }
    while (true) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error("it sent something that is no message"))
      }
    }
  }
}

const maxStderrChars = 4_000
const quietMillis = 300
const politeMillis = 1_000
const pollMillis = 20

const endGroup = async (
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  pid: number
): Promise<void> => {
  const isGone = () => (child.exitCode !== null || child.signalCode !== null) && !signal(child, pid, 0)
  const goneWithin = async (millis: number) => {
    for (let waited = 0; waited < millis && !isGone(); waited += pollMillis) {
      await new Promise((resolve) => setTimeout(resolve, pollMillis))
    }
    return isGone()
  }
  child.stdin.destroy()
  if (await goneWithin(quietMillis)) return
  signal(child, pid, "SIGTERM")
  if (await goneWithin(politeMillis)) return
  signal(child, pid, "SIGKILL")
  await goneWithin(politeMillis)
}

const signal = (child: ChildProcessByStdio<Writable, Readable, Readable>, pid: number, name: NodeJS.Signals | 0) => {
  try {
    return process.platform === "win32" ? name !== 0 && child.kill(name) : process.kill(-pid, name)
  } catch {
    return false
  }
}
