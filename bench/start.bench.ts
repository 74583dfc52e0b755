/**
 * How long the built command takes as a process, beside an empty program. Build first: `npm run build && node
 * bench/start.bench.ts [ROUNDS]`.
 *
 * Each round starts every program once, in turn forwards and backwards, so that what else the machine does meets all of
 * them. Compare ratios: wall time is what somebody waits, processor time is what is left when others use the machine too.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const rounds = Number(process.argv[2] ?? 15)
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-bench-")))
const socket = join(folder, "t.sock")
const command = resolve("bin/toolgate.cjs")
const { HOME: _, ...inherited } = process.env
const environment = { ...inherited, HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), TOOLGATE_STATE_DIR: folder }

const input = "{\"command\":\"ls\"}"
const call = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  cwd: folder
})
const peer = resolve("bench/peers/node_modules/cc-safety-net/dist/bin/cc-safety-net.js")
const programs: Record<string, { readonly args: ReadonlyArray<string>; readonly stdin?: string }> = {
  "node -e 0": { args: ["-e", "0"] },
  "node -e 'require(\"net\")'": { args: ["-e", "require('net')"] },
  "toolgate-client check": { args: ["dist/cli/client.cjs", "--socket", socket, "check", "Bash", input] },
  "toolgate-client hook": { args: ["dist/cli/client.cjs", "--socket", socket, "hook"], stdin: call },
  "toolgate check": { args: [command, "check", "Bash", input] },
  "toolgate hook": { args: [command, "hook"], stdin: call },
  "toolgate check, with a flag": { args: [command, "check", "Bash", input, "--ask", "deny"] },
  "toolgate --version": { args: [command, "--version"] },
  ...(existsSync(peer) ? { "cc-safety-net hook": { args: [peer, "hook", "--claude-code"], stdin: call } } : {})
}

interface Took {
  readonly wall: number
  readonly processor: number
}

/** Processor time as `time -p` of the shell tells it, which is exact to 10 ms; means of many rounds are closer. */
const run = (args: ReadonlyArray<string>, stdin = ""): Promise<Took> =>
  new Promise((done, reject) => {
    const began = performance.now()
    const child = spawn("bash", [
      "-c",
      "TIMEFORMAT='%3U %3S'; time \"$@\" >/dev/null",
      "bash",
      process.execPath,
      ...args
    ], {
      env: environment,
      stdio: ["pipe", "ignore", "pipe"]
    })
    let told = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text))
    child.on("close", (code) => {
      const wall = performance.now() - began
      const [user, system] = (told.trim().split("\n").at(-1) ?? "").split(" ").map(Number)
      if (code !== 0 || user === undefined || system === undefined) {
        return reject(new Error(`${args.join(" ")}: ${told}`))
      }
      done({ wall, processor: (user + system) * 1000 })
    })
    child.stdin.end(stdin)
  })

const server = spawn(process.execPath, [command, "serve", "--socket", socket], {
  cwd: folder,
  env: environment,
  stdio: ["ignore", "ignore", "pipe"]
})
await new Promise((resolve) => server.stderr.once("data", resolve))

const times = new Map(Object.keys(programs).map((name) => [name, Array<Took>()]))
try {
  for (const { args, stdin } of Object.values(programs)) await run(args, stdin)
  for (let round = 0; round < rounds; round++) {
    const names = [...times.keys()]
    for (const name of round % 2 === 0 ? names : names.reverse()) {
      const program = programs[name]
      if (program !== undefined) times.get(name)?.push(await run(program.args, program.stdin))
    }
  }
} finally {
  server.kill("SIGTERM")
  await new Promise((resolve) => server.once("close", resolve))
  rmSync(folder, { recursive: true, force: true })
}

const at = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? Number.NaN
const of = (name: string, what: keyof Took, share: number) =>
  at((times.get(name) ?? []).map((took) => took[what]), share)
const rows = Object.keys(programs).map((name) => ({
  program: name,
  "median ms": of(name, "wall", 0.5),
  "to node -e 0": of(name, "wall", 0.5) / of("node -e 0", "wall", 0.5),
  "quartiles ms": [of(name, "wall", 0.25), of(name, "wall", 0.75)],
  "processor ms": of(name, "processor", 0.5),
  "processor to node -e 0": of(name, "processor", 0.5) / of("node -e 0", "processor", 0.5)
}))
const { version } = JSON.parse(readFileSync("package.json", "utf8"))
mkdirSync("build/bench", { recursive: true })
writeFileSync("build/bench/start.json", JSON.stringify({ version, node: process.version, rounds, rows }, null, 2))
console.table(Object.fromEntries(rows.map(({ program, ...row }) => [
  program,
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, [value].flat().map((one) => one.toFixed(2)).join(" – ")])
  )
])))
