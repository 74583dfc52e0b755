/**
 * Runs ten thousand calls of all kinds in one process, and shows what that leaves
 * behind: memory, descriptors, processes, temporary files. Start it with
 * `--expose-gc` to see memory without what is only waiting to be collected.
 */
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pipeline } from "../src/pipeline.ts"
import * as Toolgate from "../src/toolgate.ts"

const calls = Number(process.argv[2] ?? 10_000)
const folder = mkdtempSync(join(tmpdir(), "toolgate-soak-"))
const cwd = join(folder, "work")
const temporary = join(folder, "tmp")
for (const path of [cwd, temporary]) mkdirSync(path)
process.env["TMPDIR"] = temporary
for (let at = 0; at < 50; at += 1) writeFileSync(join(cwd, `file-${at}.txt`), `line of file ${at}\n`.repeat(50))

/** One of each kind in turn; an edit needs what was read before it. */
const inputOf = (at: number): readonly [name: string, input: object] => {
  const file = `file-${at % 50}.txt`
  switch (at % 12) {
    case 0:
      return ["Bash", { command: "echo out; echo err >&2" }]
    case 1:
      return ["Read", { file_path: file }]
    case 2:
      return ["Edit", {
        file_path: `file-${(at - 1) % 50}.txt`,
        old_string: "line",
        new_string: "row",
        replace_all: true
      }]
    case 3:
      return ["Glob", { pattern: "*.txt" }]
    case 4:
      return ["Grep", { pattern: "of file" }]
    case 5:
      return ["Bash", { command: "exit 3" }]
    case 6:
      return ["Write", { file_path: `new-${at % 500}-${at}.md`, content: "a\n" }]
    case 7:
      return ["Nothing", {}]
    case 8:
      return ["Read", { file_path: 5 }]
    case 9:
      return at % 120 === 9
        ? ["Bash", { command: "head -c 100000 /dev/zero | tr '\\0' a" }]
        : ["Read", { file_path: "none" }]
    case 10:
      return at % 240 === 10 ? ["Bash", { command: "sleep 9", timeout: 50 }] : ["Glob", { pattern: "*.md" }]
    default:
      return ["Bash", { command: "rm -f ./new-*.md" }]
  }
}

const count = (path: string): number => readdirSync(path).length
const children = (): number =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === process.pid
    } catch {
      return false
    }
  }).length

const rows: Array<object> = []
const sample = (done: number): void => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024 * 10) / 10
  rows.push({
    calls: done,
    "resident MiB": mebibytes(rss),
    "heap MiB": mebibytes(heapUsed),
    descriptors: count("/proc/self/fd"),
    processes: children(),
    "temporary files": count(temporary)
  })
}

const program = Effect.gen(function*() {
  const { run } = yield* Pipeline
  sample(0)
  for (let at = 0; at < calls; at += 1) {
    const [name, input] = inputOf(at)
    const result = yield* run({ type: "tool_use", id: `t${at}`, name, input })
    if (result.tool_use_id !== `t${at}`) throw new Error("a call got the result of another")
    if ((at + 1) % (calls / 10) === 0) sample(at + 1)
  }
})

const started = performance.now()
await Effect.runPromise(
  Effect.provide(
    program,
    Toolgate.layer({
      context: { session: "soak", cwd, directories: [], mode: "acceptEdits" },
      state: join(folder, "state"),
      home: folder,
      managedRoot: join(folder, "managed"),
      allowedTools: ["Bash", "Edit", "Write"]
    })
  )
).finally(() => rmSync(folder, { recursive: true, force: true }))
console.table(rows)
console.log(`${Math.round((performance.now() - started) / 1000)} s`)
