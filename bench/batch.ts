/**
 * How long a thousand reads of small files take, with the whole thing as it is wired for a machine: in one batch, and one
 * after the other, each beside what reads the same files with nothing around it.
 */
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pipeline } from "../src/pipeline.ts"
import { layer } from "../src/toolgate.ts"
import type { Task } from "./alternate.ts"
import type { Group } from "./Group.ts"

const count = 1_000

export const groups = async (): Promise<ReadonlyArray<Group>> => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true }))
  const files = Array.from({ length: count }, (_, at) => join(folder, `file-${at}.txt`))
  for (const file of files) writeFileSync(file, "a line of text\n".repeat(40))

  const bare = (atOnce: number): Task => async () => {
    for (let at = 0; at < count; at += atOnce) {
      await Promise.all(files.slice(at, at + atOnce).map((file) => readFile(file, "utf8")))
    }
  }

  const runtime = ManagedRuntime.make(layer({
    context: { session: "bench", cwd: folder, directories: [] },
    home: folder,
    state: join(folder, "state"),
    managedRoot: join(folder, "managed")
  }))
  const { runAll } = await runtime.runPromise(Pipeline)
  const uses = files.map((file_path, at) => ({
    type: "tool_use" as const,
    id: `t${at}`,
    name: "Read",
    input: { file_path }
  }))
  let sessions = 0
  // A session that has seen the files would have less to do.
  const governed = (concurrency: number): Task => async () => {
    const context = { session: `bench-${++sessions}`, cwd: folder, directories: [] }
    const results = await Effect.runPromise(runAll(uses, { context, concurrency }))
    if (results.some((result) => result.is_error === true)) throw new Error("a read failed")
  }
  return [
    {
      title: "a thousand reads, 10 at once",
      tasks: { "bare reads": bare(10), "a batch": governed(10) },
      rounds: 12
    },
    {
      title: "a thousand reads, one after the other",
      tasks: { "bare reads": bare(1), "a batch": governed(1) },
      rounds: 12
    }
  ]
}
