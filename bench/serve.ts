/**
 * How long a question to `toolgate serve` takes at a steady 1,000 a second, over four connections. Build first.
 *
 * Questions are sent when they are due, whether or not answers come: a slow answer makes those behind it slow, too. Rows
 * about a server that only echoes are measured in the same run: what the machine itself adds is in both.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { createConnection, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { built } from "./built.ts"
import type { Told } from "./Group.ts"

const seconds = 10
const rate = 1_000

interface Server {
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Processor time in µs that a process has taken, in steps of 10,000, where the system tells it so. */
const processor = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

const start = (folder: string, file: string, args: ReadonlyArray<string>): Promise<Server> =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, HOME: folder, TOOLGATE_STATE_DIR: folder },
      stdio: ["ignore", "ignore", "pipe"]
    })
    child.stderr.once("data", () =>
      done({
        pid: child.pid ?? 0,
        stop: async () => {
          const closed = new Promise((resolve) => child.once("close", resolve))
          child.kill("SIGTERM")
          await closed
          rmSync(file, { force: true })
        }
      }))
  })

const echo = "const file = process.argv[1]; require('net').createServer((s) => s.on('error', () => {}).pipe(s))" +
  ".listen(file, () => console.error('listening')); process.on('SIGTERM', () => process.exit())"

const commands = ["ls -la src", "git status && npm test", "rm -rf build > out.txt", "cat README.md | grep x"]
const line = (id: number, cwd: string): string => {
  const command = commands[id % commands.length]
  return `${JSON.stringify({ id, check: { tool: "Bash", input: { command }, cwd } })}\n`
}

/** Asks at the rate that was asked for, whether or not answers come, and gives how many µs each took, shortest first. */
const ask = async (folder: string, file: string, count: number): Promise<ReadonlyArray<number>> => {
  const took: Array<number> = []
  const sent: Array<number> = []
  const sockets = await Promise.all(Array.from({ length: 4 }, () =>
    new Promise<Socket>((done) => {
      const socket = createConnection(file, () => done(socket))
    })))
  const all = new Promise<void>((done) => {
    for (const socket of sockets) {
      let rest = ""
      socket.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines) {
          took.push((performance.now() - (sent[JSON.parse(line).id] ?? Number.NaN)) * 1_000)
          if (took.length === count) done()
        }
      })
    }
  })
  const began = performance.now()
  for (let id = 0; id < count;) {
    for (const now = performance.now(); id < count && began + id * 1000 / rate <= now; id++) {
      sent[id] = performance.now()
      sockets[id % sockets.length]?.write(line(id, folder))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await all
  for (const socket of sockets) socket.destroy()
  return took.sort((one, other) => one - other)
}

export const groups = async (): Promise<ReadonlyArray<Told>> => {
  const command = built()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-bench-")))
  const file = join(folder, "t.sock")
  const servers = {
    "a server that echoes": ["-e", echo, file],
    "toolgate serve": [command, "serve", "--socket", file]
  }
  const all: Array<{ readonly name: string; readonly p50: number; readonly p99: number; readonly each: number }> = []
  try {
    for (const [name, args] of Object.entries(servers)) {
      const { pid, stop } = await start(folder, file, args)
      await ask(folder, file, rate)
      const before = processor(pid)
      const took = await ask(folder, file, rate * seconds)
      const each = (processor(pid) - before) / took.length
      await stop()
      const at = (share: number): number => took[Math.floor((took.length - 1) * share)] ?? Number.NaN
      all.push({ name, p50: at(0.5), p99: at(0.99), each })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const told = (title: string, what: "p50" | "p99" | "each"): Told => ({
    title: `a question to a server, ${rate} a second: ${title}`,
    rows: all.map((one) => ({ name: one.name, micros: one[what] }))
  })
  return [told("half take up to", "p50"), told("99 of 100 take up to", "p99"), told("processor time of one", "each")]
}
