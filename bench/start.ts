/**
 * How long the built command takes as a process, beside an empty program. Build first.
 *
 * Each round starts every program once, in turn forwards and backwards, so that what else the machine does meets all of
 * them. Wall time is what somebody waits, processor time is what is left when others use the machine too.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { rolldown } from "rolldown"
import type { Measured } from "./alternate.ts"
import { built } from "./built.ts"
import type { Told } from "./Group.ts"

const rounds = 16

// The shell tells milliseconds: a round starts a program several times, so that they are small beside it.
const times = 5

interface Program {
  readonly args: ReadonlyArray<string>
  readonly cwd?: string
  readonly stdin?: string
}

interface Took {
  readonly wall: number
  readonly processor: number
}

export const groups = async (): Promise<ReadonlyArray<Told>> => {
  const command = built()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-bench-")))
  const socket = join(folder, "t.sock")
  const { HOME: _, ...inherited } = process.env
  const env = { ...inherited, HOME: folder, TOOLGATE_STATE_DIR: folder }
  const server = spawn(process.execPath, [command, "serve", "--socket", socket], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"]
  })
  try {
    await new Promise((resolve) => server.stderr.once("data", resolve))
    const programs = { ...await floors(folder), ...ours(command, folder, socket) }
    const took = await turns(programs, folder, env)
    const rows = (what: keyof Took): ReadonlyArray<Measured> =>
      Object.keys(programs).map((name) => quartiles(name, (took.get(name) ?? []).map((one) => one[what])))
    return [
      { title: "a process, processor time", rows: rows("processor") },
      { title: "a process, wall time", rows: rows("wall") }
    ]
  } finally {
    server.kill("SIGTERM")
    await new Promise((resolve) => server.once("close", resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

const input = "{\"command\":\"ls\"}"

/** A project as people have them: a checkout with rules of its own. */
const project = (folder: string): string => {
  const root = join(folder, "project")
  mkdirSync(join(root, ".git"), { recursive: true })
  mkdirSync(join(root, ".claude"))
  const allow = ["npm run *", "git diff *", "git log *", "make *"].map((words) => `Bash(${words})`)
  const deny = ["Bash(curl *)", "Read(./.env)", "Read(./secrets/**)", "WebFetch"]
  const permissions = { allow: [...allow, "Edit(src/**)", "mcp__github__get_issue"], deny, ask: ["Bash(git push *)"] }
  writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ permissions }))
  return root
}

const ours = (command: string, folder: string, socket: string): { readonly [name: string]: Program } => {
  const call = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" }, cwd: folder }
  const stdin = JSON.stringify(call)
  const client = resolve("dist/cli/client.cjs")
  const peer = resolve("bench/peers/node_modules/cc-safety-net/dist/bin/cc-safety-net.js")
  return {
    "toolgate-client check": { args: [client, "--socket", socket, "check", "Bash", input] },
    "toolgate-client hook": { args: [client, "--socket", socket, "hook"], stdin },
    "toolgate check": { args: [command, "check", "Bash", input] },
    "toolgate hook": { args: [command, "hook"], stdin },
    "toolgate check, three commands, eleven rules": {
      args: [command, "check", "Bash", "{\"command\":\"git diff HEAD | grep x && ls\"}"],
      cwd: project(folder)
    },
    "toolgate check, with a flag": { args: [command, "check", "Bash", input, "--ask", "deny"] },
    "toolgate --version": { args: [command, "--version"] },
    ...(existsSync(peer) ? { "cc-safety-net hook": { args: [peer, "hook", "--claude-code"], stdin } } : {})
  }
}

/** What nothing of ours can be faster than: an empty program, a connection, and ten lines of `effect/cli`. */
const floors = async (folder: string): Promise<{ readonly [name: string]: Program }> => {
  const bundle = await rolldown({ input: "bench/effectCli.ts", platform: "node" })
  await bundle.write({ file: join(folder, "effectCli.cjs"), format: "cjs", codeSplitting: false, minify: true })
  const cached = `require('module').enableCompileCache('${join(folder, "compiled")}')`
  return {
    "node -e 0": { args: ["-e", "0"] },
    "node -e 'require(\"net\")'": { args: ["-e", "require('net')"] },
    "ten lines of `effect/cli`, bundled": {
      args: ["-e", `${cached}; require('${join(folder, "effectCli.cjs")}')`, "greet", "you"]
    }
  }
}

const turns = async (
  programs: { readonly [name: string]: Program },
  cwd: string,
  env: NodeJS.ProcessEnv
): Promise<ReadonlyMap<string, ReadonlyArray<Took>>> => {
  const all = Object.entries(programs).map(([name, program], at) => {
    // Each has a cache of its own: what it learns is what it is asked for.
    const own = { ...env, XDG_CACHE_HOME: join(cwd, `cache-${at}`) }
    return { name, took: Array<Took>(), once: () => run(program, cwd, own) }
  })
  // What a command learns from its first runs is there from the ninth on.
  for (let warm = 0; warm < 2; warm++) for (const { once } of all) await once()
  for (let round = 0; round < rounds; round++) {
    for (const { once, took } of round % 2 === 0 ? all : all.toReversed()) took.push(await once())
  }
  return new Map(all.map(({ name, took }) => [name, took]))
}

/**
 * Runs a program, with a pipe as its output, and tells how many µs it took; `time` of the shell knows what the children of
 * a process used.
 */
const run = ({ args, cwd, stdin = "" }: Program, elsewhere: string, env: NodeJS.ProcessEnv): Promise<Took> =>
  new Promise((done, reject) => {
    const began = performance.now()
    const script = `TIMEFORMAT='%3U %3S'; time for _ in {1..${times}}; do printf '%s' "$INPUT" | "$@" || exit; done`
    const child = spawn("bash", ["-c", script, "bash", process.execPath, ...args], {
      cwd: cwd ?? elsewhere,
      env: { ...env, INPUT: stdin },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let told = ""
    child.stdout.resume()
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text))
    child.on("close", (code) => {
      const wall = performance.now() - began
      const [user, system] = (told.trim().split("\n").at(-1) ?? "").split(" ").map(Number)
      if (code !== 0 || user === undefined || system === undefined) {
        return reject(new Error(`${args.join(" ")}: ${told}`))
      }
      done({ wall: wall * 1_000 / times, processor: (user + system) * 1_000_000 / times })
    })
  })

const quartiles = (name: string, values: ReadonlyArray<number>): Measured => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  return { name, micros: at(0.5), spread: [at(0.25), at(0.75)] }
}
