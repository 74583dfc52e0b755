/**
 * Speaks to a server that is a program of this machine.
 *
 * The library's own transport ends only the program that it started. Servers are
 * often started through others (`npx`, `uv`, a shell), so that this one gives
 * them a process group and ends all of it.
 *
 * @since 0.1.0
 */
import {
  deserializeMessage,
  INTERNAL_ERROR,
  type JSONRPCMessage,
  serializeMessage,
  type Transport
} from "@modelcontextprotocol/client"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { endGroup } from "./endGroup.ts"

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
 * - A line that is no message is passed to `onerror`, and the next one is read. One
 *   that can only be an answer fails the request that waits for it.
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
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined
  #pieces: Array<Buffer> = []
  #size = 0
  #stderr = ""
  #ended: string | undefined
  #closing: Promise<void> | undefined

  constructor(program: StdioProgram) {
    this.#program = program
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
        const ours = this.#closing !== undefined && (signal === "SIGTERM" || signal === "SIGKILL")
        if (!ours) {
          this.#ended ??= code === null ? `its program was ended by ${signal}` : `its program ended with code ${code}`
        }
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
      stdin.write(serializeMessage(message), (error) => {
        if (!error) return resolve()
        // A program that has ended is found out by what can't be written, before its end is told.
        void this.close().then(() => reject(new Error(this.#ended ?? "its program reads nothing of what it is sent")))
      })
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const child = this.#child
    if (child !== undefined) await endGroup(child)
    child?.stdout.destroy()
    child?.stderr.destroy()
    this.#pieces = []
    this.onclose?.()
  }

  // The library's own buffer copies and searches all of a long message again for each piece of it.
  #take(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#pieces.push(chunk.subarray(from, end))
      from = end + 1
      const line = Buffer.concat(this.#pieces).toString("utf8").trim()
      this.#pieces = []
      this.#size = 0
      if (line !== "") this.#read(line)
    }
    this.#pieces.push(chunk.subarray(from))
    this.#size += chunk.length - from
    if (this.#size <= this.#program.maxMessageBytes || this.#closing !== undefined) return
    this.#ended = `it sent a message of more than ${this.#program.maxMessageBytes} bytes`
    this.#child?.stdout.destroy()
    void this.close()
  }

  #read(line: string): void {
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch (error) {
      const id = answeredBy(line)
      if (id === undefined) this.onerror?.(error instanceof Error ? error : new Error("it sent what is no message"))
      else this.onmessage?.({ jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message: noAnswer } })
      return
    }
    this.onmessage?.(message)
  }
}

const noAnswer = "it answered with neither a result nor an error that can be read"

/** Which request a line answers that is no message: nobody else will. */
const answeredBy = (line: string): string | number | undefined => {
  const value = Result.getOrUndefined(Result.try((): unknown => JSON.parse(line)))
  if (!Predicate.hasProperty(value, "id") || Predicate.hasProperty(value, "method")) return undefined
  return Predicate.isString(value.id) || Predicate.isNumber(value.id) ? value.id : undefined
}

const newline = 10
const maxStderrChars = 4_000
