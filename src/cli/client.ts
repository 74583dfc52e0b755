#!/usr/bin/env node
/**
 * The program `toolgate-client`: asks a server that runs, and starts faster than
 * anything that decides by itself could, with nothing but Node's own modules.
 *
 * @since 0.1.0
 */
import { realpathSync, writeSync } from "node:fs"
import { createConnection } from "node:net"
import { dirname, resolve } from "node:path"
import { whyNotOwn } from "./ownFolder.ts"
import { readInput } from "./readInput.ts"
import { socketPath } from "./socketPath.ts"

const usage = "toolgate-client [--socket PATH] hook, or toolgate-client [--socket PATH] check TOOL INPUT [--json]"

const main = (): void => {
  const args = process.argv.slice(2)
  const given = args[0] === "--socket" ? args.splice(0, 2)[1] : socketPath()
  const [command, tool, input, form] = args
  if (command === "--help") return write(1, `${usage}\n`, () => process.exit(0))
  if (given === undefined || given === "") return end(2, `\`--socket\` needs a path: ${usage}`)
  const file = resolve(given)
  if (command === "hook" && args.length === 1) return withInput((text) => hook(file, text))
  if (command !== "check" || input === undefined || (args.length > 3 && form !== "--json") || args.length > 4) {
    return end(2, `that can't be used: ${usage}`)
  }
  const checked = (text: string) => check(file, { tool, text, asJson: form === "--json" })
  return input === "-" ? withInput(checked) : checked(input)
}

/**
 * INVARIANT: whoever asks goes on after most endings. Where no server decides a
 * person is asked, and what can't be used ends with 2, which blocks.
 */
const hook = (file: string, text: string): void => {
  const read = parsed(text)
  if (read === undefined) return end(2, "the hook's input is not JSON")
  const { CLAUDE_PROJECT_DIR: project = "" } = process.env
  const question = { hook: read.value, ...(project === "" ? {} : { project }) }
  ask(file, question, (answer) => {
    if ("problem" in answer) {
      const permissionDecisionReason = `toolgate: ${answer.problem}`
      const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason }
      return write(1, `${JSON.stringify({ hookSpecificOutput })}\n`, () => end(0, answer.problem))
    }
    const { error, hook } = answer.reply
    if (hook === undefined) return end(2, typeof error === "string" ? error : "the server's answer is not known here")
    write(1, `${JSON.stringify(hook)}\n`, () => process.exit(0))
  })
}

const codes: { readonly [verdict: string]: number } = { allow: 0, deny: 3, ask: 4 }

const check = (
  file: string,
  { asJson, text, tool }: { readonly tool: string | undefined; readonly text: string; readonly asJson: boolean }
): void => {
  const read = parsed(text)
  if (read === undefined) return end(2, "INPUT is not JSON")
  ask(file, { check: { tool, input: read.value, cwd: process.cwd(), text: !asJson } }, (answer) => {
    if ("problem" in answer) return end(69, answer.problem)
    const { decision, error, text, version } = answer.reply
    const code = isReply(decision) && typeof decision["verdict"] === "string" ? codes[decision["verdict"]] : undefined
    if (code === undefined) return end(2, typeof error === "string" ? error : "the server's answer is not known here")
    write(1, asJson ? `${JSON.stringify({ version, decision })}\n` : String(text), () => process.exit(code))
  })
}

type Reply = { readonly [field: string]: unknown }
type Answer = { readonly reply: Reply } | { readonly problem: string }

const isReply = (value: unknown): value is Reply => typeof value === "object" && value !== null

/** Asks one question. Who sits at the other end has to be this user, so that the folder is looked at first. */
const ask = (file: string, question: object, then: (answer: Answer) => void): void => {
  const folder = dirname(file)
  const nobody = `no server answers on \`${file}\`, start \`toolgate serve\``
  try {
    const why = whyNotOwn(realpathSync.native(folder))
    if (why !== undefined) return then({ problem: `no server is trusted in \`${folder}\`, which ${why}` })
  } catch {
    return then({ problem: nobody })
  }
  const parts: Array<Buffer> = []
  const fail = () => then({ problem: nobody })
  // Read without the stream that Node makes of it otherwise, which takes longer than the answer does.
  const callback = (length: number, bytes: Uint8Array): boolean => {
    parts.push(Buffer.from(bytes.subarray(0, length)))
    if (bytes[length - 1] !== 10) return true
    // It ends with the process: to end it here takes longer than to ask.
    connection.off("close", fail)
    const read = parsed(Buffer.concat(parts).toString())
    then(read !== undefined && isReply(read.value) ? { reply: read.value } : { problem: nobody })
    return false
  }
  const connection = createConnection({ path: file, onread: { buffer: Buffer.allocUnsafe(64 * 1024), callback } })
  connection.setTimeout(10_000, () => connection.destroy())
  connection.on("error", () => {})
  connection.on("close", fail)
  connection.write(`${JSON.stringify({ id: 1, ...question })}\n`)
}

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const withInput = (then: (text: string) => void): void => {
  const { bytes, ended } = readInput()
  if (ended) return then(bytes.toString())
  const parts = [bytes]
  const done = () => then(Buffer.concat(parts).toString())
  process.stdin.on("data", (part) => parts.push(part)).on("end", done).on("error", done)
}

const write = (descriptor: 1 | 2, text: string, then: () => void): void => {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    // An answer that can't be written is none; for one that nobody reads any more it makes no difference.
    if (descriptor === 1 && code !== "EAGAIN" && code !== "EPIPE") {
      return end(2, `standard output can't be written to (${String(code)})`)
    }
    // What does not take it at once takes it as a stream, and a reader that is gone takes nothing.
    const stream = descriptor === 1 ? process.stdout : process.stderr
    stream.on("error", then)
    return void stream.write(bytes.subarray(written), then)
  }
  then()
}

const end = (code: number, problem: string): void =>
  write(2, `toolgate: ${problem.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")}\n`, () => process.exit(code))

main()
