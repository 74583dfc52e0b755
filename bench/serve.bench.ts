/**
 * How long a question to `toolgate serve` takes at a steady 1,000 a second, over four connections, each answer measured
 * from the moment at which its question was due. Build first: `npm run build && node bench/serve.bench.ts [SECONDS]`.
 *
 * A row about a server that only echoes is measured in the same run: what the machine itself adds is in both.
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createConnection, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const seconds = Number(process.argv[2] ?? 10)
const rate = 1_000
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-bench-")))

interface Server {
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Processor time in milliseconds that a process has taken, in steps of 10, where the system tells it so. */
const processor = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const start = (file: string, args: ReadonlyArray<string>): Promise<Server> =>
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
const line = (id: number): string =>
  `${
    JSON.stringify({ id, check: { tool: "Bash", input: { command: commands[id % commands.length] }, cwd: folder } })
  }\n`

/** Asks at the rate that was asked for, whether or not answers come, and gives how long each took. */
const ask = async (file: string, count: number): Promise<ReadonlyArray<number>> => {
  const took: Array<number> = []
  const due: Array<number> = []
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
          took.push(performance.now() - (due[JSON.parse(line).id] ?? Number.NaN))
          if (took.length === count) done()
        }
      })
    }
  })
  const began = performance.now()
  for (let id = 0; id < count;) {
    for (const now = performance.now(); id < count && began + id * 1000 / rate <= now; id++) {
      due[id] = began + id * 1000 / rate
      sockets[id % sockets.length]?.write(line(id))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await all
  for (const socket of sockets) socket.destroy()
  return took
}

const at = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? Number.NaN

const servers: Record<string, (file: string) => ReadonlyArray<string>> = {
  "a server that echoes": (file) => ["-e", echo, file],
  "toolgate serve": (file) => [resolve("bin/toolgate.cjs"), "serve", "--socket", file]
}
const rows: Array<{ readonly server: string } & { readonly [what: string]: number | string }> = []
try {
  for (const [server, args] of Object.entries(servers)) {
    const file = join(folder, "t.sock")
    const { pid, stop } = await start(file, args(file))
    await ask(file, rate)
    const before = processor(pid)
    const took = await ask(file, rate * seconds)
    const each = (processor(pid) - before) / took.length
    await stop()
    rows.push({ server, p50: at(took, 0.5), p90: at(took, 0.9), p99: at(took, 0.99), "processor, each": each })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
mkdirSync("build/bench", { recursive: true })
writeFileSync("build/bench/serve.json", JSON.stringify({ node: process.version, rate, seconds, rows }, null, 2))
console.table(rows.map(({ server, ...times }) => ({
  server,
  ...Object.fromEntries(Object.entries(times).map(([key, ms]) => [`${key} ms`, Number(ms).toFixed(2)]))
})))
