/**
 * How many files reads get through, with the whole thing as it is wired for a machine: in one batch, and one after the
 * other.
 *
 * Beside each stands what reads the same files with nothing around it: compare ratios, not times.
 */
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pipeline } from "../src/pipeline.ts"
import { layer } from "../src/toolgate.ts"

const count = Number(process.env["COUNT"] ?? 1_000)
const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-"))
const files = Array.from({ length: count }, (_, at) => join(folder, `file-${at}.txt`))
for (const file of files) writeFileSync(file, "a line of text\n".repeat(40))

const plain = async () => {
  for (let at = 0; at < count; at += 10) {
    await Promise.all(files.slice(at, at + 10).map((file) => readFile(file, "utf8")))
  }
}

const plainInTurn = async () => {
  for (const file of files) await readFile(file, "utf8")
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const reads = (session: string, concurrency: number) =>
  Effect.gen(function*() {
    const pipeline = yield* Pipeline
    const uses = files.map((file, at) => ({
      type: "tool_use" as const,
      id: `t${at}`,
      name: "Read",
      input: { file_path: file }
    }))
    const context = { session, cwd: folder, directories: [] }
    const results = yield* pipeline.runAll(uses, { context, concurrency })
    if (results.some((result) => result.is_error === true)) return yield* Effect.die("a read failed")
  })

const rows = await Effect.runPromise(
  Effect.gen(function*() {
    const context = yield* Effect.context<Pipeline>()
    const governed = (session: string, concurrency: number) =>
      timed(() => Effect.runPromiseWith(context)(reads(session, concurrency)))
    yield* Effect.promise(() => governed("warm", 10))
    const rounds: Array<ReadonlyArray<number>> = []
    for (let round = 0; round < 5; round++) {
      rounds.push([
        yield* Effect.promise(() => timed(plain)),
        yield* Effect.promise(() => governed(`together-${round}`, 10)),
        yield* Effect.promise(() => timed(plainInTurn)),
        yield* Effect.promise(() => governed(`in-turn-${round}`, 1))
      ])
    }
    return ["bare reads, 10 at once", `a batch of ${count} reads`, "bare reads, one by one", "reads, one by one"].map(
      (name, at) => ({ name, millis: median(rounds.map((times) => times[at] ?? Number.NaN)) })
    )
  }).pipe(
    Effect.provide(layer({
      context: { session: "bench", cwd: folder, directories: [] },
      home: folder,
      state: join(folder, "state"),
      managedRoot: join(folder, "managed")
    }))
  )
)
rmSync(folder, { recursive: true })

console.table(rows.map(({ millis, name }, at) => ({
  name,
  "ms (median)": millis.toFixed(0),
  "µs a file": (millis * 1_000 / count).toFixed(0),
  "× bare": (millis / (rows[at - at % 2]?.millis ?? Number.NaN)).toFixed(1)
})))
