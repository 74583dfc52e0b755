/**
 * How many files a batch of reads gets through, with the whole thing as it is wired for a machine.
 *
 * The first row reads the same files with nothing around it: compare ratios, not times.
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

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const batch = (session: string) =>
  Effect.gen(function*() {
    const pipeline = yield* Pipeline
    const uses = files.map((file, at) => ({
      type: "tool_use" as const,
      id: `t${at}`,
      name: "Read",
      input: { file_path: file }
    }))
    const results = yield* pipeline.runAll(uses, { context: { session, cwd: folder, directories: [] } })
    if (results.some((result) => result.is_error === true)) return yield* Effect.die("a read failed")
  })

const rows = await Effect.runPromise(
  Effect.gen(function*() {
    const context = yield* Effect.context<Pipeline>()
    const governed = (session: string) => timed(() => Effect.runPromiseWith(context)(batch(session)))
    yield* Effect.promise(() => governed("warm"))
    const bare: Array<number> = []
    const whole: Array<number> = []
    for (let round = 0; round < 5; round++) {
      bare.push(yield* Effect.promise(() => timed(plain)))
      whole.push(yield* Effect.promise(() => governed(`round-${round}`)))
    }
    return [["bare reads, 10 at once", median(bare)], [`a batch of ${count} reads`, median(whole)]] as const
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

const [, unit = Number.NaN] = rows[0] ?? []
console.table(rows.map(([name, millis]) => ({
  name,
  "ms (median)": millis.toFixed(0),
  "µs a file": (millis * 1_000 / count).toFixed(0),
  "× bare": (millis / unit).toFixed(1)
})))
