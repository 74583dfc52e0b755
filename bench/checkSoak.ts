/**
 * Decides a million times in one process, and shows what that leaves behind: `node --expose-gc bench/checkSoak.ts
 * [DECISIONS]`. Commands and files differ from one to the next, so that whatever is kept for each would show.
 */
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pipeline } from "../src/pipeline.ts"
import * as Toolgate from "../src/toolgate.ts"

const decisions = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), "toolgate-soak-"))
const cwd = join(folder, "work")
mkdirSync(join(cwd, ".claude"), { recursive: true })
writeFileSync(join(cwd, ".claude/settings.json"), "{\"permissions\":{\"deny\":[\"Bash(curl *)\",\"Read(secret/**)\"]}}")

const inputOf = (at: number): readonly [name: string, input: object] =>
  at % 4 === 0
    ? ["Read", { file_path: join(cwd, `file-${at}.txt`) }]
    : ["Bash", {
      command: [`ls dir-${at}`, `curl https://host-${at}.example`, `npm run task-${at} > out-${at}`][at % 3]
    }]

const rows: Array<object> = []
const began = performance.now()
const sample = (done: number): void => {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024 * 10) / 10
  const descriptors = readdirSync("/proc/self/fd").length
  rows.push({ decisions: done, "resident MiB": mebibytes(rss), "heap MiB": mebibytes(heapUsed), descriptors })
  console.error(`${done} decisions, ${Math.round((performance.now() - began) / 1000)} s`)
}

const program = Effect.gen(function*() {
  const { check } = yield* Pipeline
  for (let at = 0; at < decisions; at += 1) {
    if (at % (decisions / 10) === 0) sample(at)
    const [name, input] = inputOf(at)
    yield* check({ type: "tool_use", id: `t${at}`, name, input })
  }
  sample(decisions)
})

await Effect.runPromise(
  Effect.provide(
    program,
    Toolgate.layer({
      context: { session: "soak", cwd, directories: [] },
      state: join(folder, "state"),
      home: folder,
      managedRoot: join(folder, "managed")
    })
  )
).finally(() => rmSync(folder, { recursive: true, force: true }))
console.table(rows)
