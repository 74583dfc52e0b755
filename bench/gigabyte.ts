/**
 * Runs a command that prints a gigabyte, and says how much memory that took,
 * beside a bare process of Node that reads the same. The first argument is what
 * listens: `nobody`, or `stream` for somebody who takes every piece.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ToolUse } from "../src/domain/ToolUse.ts"
import { Pipeline } from "../src/pipeline.ts"
import * as Toolgate from "../src/toolgate.ts"

const folder = mkdtempSync(join(tmpdir(), "toolgate-gigabyte-"))
const cwd = join(folder, "work")
mkdirSync(cwd)

const command = "yes 'sixty-three characters of text that somebody would like to read' | head -c 1000000000"

/** What Node itself takes to read it: a process that counts and forgets. */
const bare = "const child = require('node:child_process').spawn('bash', ['-c', process.argv[1]]); let bytes = 0; " +
  "child.stdout.on('data', (piece) => { bytes += piece.length }); " +
  "child.on('close', () => console.log(bytes, Math.round(process.resourceUsage().maxRSS / 1024)))"

const use: ToolUse = {
  type: "tool_use",
  id: "toolu_gigabyte",
  name: "Bash",
  input: { command }
}

let mostBytes = 0
let heardChars = 0
const timer = setInterval(() => {
  mostBytes = Math.max(mostBytes, process.memoryUsage().rss)
}, 20)

const program = Effect.gen(function*() {
  const pipeline = yield* Pipeline
  const before = process.memoryUsage().rss
  const started = performance.now()
  if (process.argv[2] === "stream") {
    yield* Stream.runForEach(pipeline.stream(use), (event) =>
      Effect.sync(() => {
        if (event._tag === "Progress") heardChars += event.text.length
      }))
  } else {
    yield* pipeline.run(use)
  }
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
  return {
    listening: process.argv[2] ?? "nobody",
    seconds: Number(((performance.now() - started) / 1000).toFixed(2)),
    beforeMiB: mebibytes(before),
    mostMiB: mebibytes(Math.max(mostBytes, process.resourceUsage().maxRSS * 1024)),
    bareNodeMiB: Number(spawnSync(process.execPath, ["-e", bare, command], { encoding: "utf8" }).stdout.split(" ")[1]),
    heardChars
  }
})

const measured = await Effect.runPromise(
  Effect.provide(
    program,
    Toolgate.layer({
      context: { session: "gigabyte", cwd, directories: [] },
      state: join(folder, "state"),
      home: folder,
      managedRoot: join(folder, "managed"),
      allowedTools: ["Bash"]
    })
  )
).finally(() => {
  clearInterval(timer)
  rmSync(folder, { recursive: true, force: true })
})
console.log(JSON.stringify(measured))
