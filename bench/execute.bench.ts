/**
 * What a command costs beside a bare spawn of Bash: the tool alone, and the way
 * through all eight stages.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Bench } from "tinybench"
import type { ToolContext } from "../src/domain/Tool.ts"
import * as ResultStoreLayers from "../src/layers/ResultStore.ts"
import * as TasksLayers from "../src/layers/Tasks.ts"
import { Pipeline } from "../src/pipeline.ts"
import * as Toolgate from "../src/toolgate.ts"
import { Bash } from "../src/tools/Bash.ts"

const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-"))
const cwd = join(folder, "work")
mkdirSync(cwd)

const context: ToolContext = {
  call: { session: "bench", cwd, directories: [] },
  id: "toolu_bench",
  progress: () => Effect.void,
  seen: () => Effect.undefined,
  saw: () => Effect.void,
  mayRead: () => Effect.succeed(true),
  mayEdit: () => Effect.succeed(true),
  signal: new AbortController().signal
}

const bare = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["--norc", "--noprofile", "-c", "true"], {
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.resume()
    child.stderr.resume()
    child.once("error", reject).once("close", () => resolve())
  })

const program = Effect.gen(function*() {
  const services = yield* Layer.build(
    Layer.mergeAll(ResultStoreLayers.layerFiles(folder), TasksLayers.layerFiles(folder)).pipe(
      Layer.provideMerge(NodeServices.layer)
    )
  )
  const looked = yield* Layer.build(
    Layer.mergeAll(ResultStoreLayers.layerFiles(folder), TasksLayers.layerFiles(folder, { outlived: true })).pipe(
      Layer.provideMerge(NodeServices.layer)
    )
  )
  const gate = yield* Layer.build(
    Toolgate.layer({
      context: context.call,
      state: join(folder, "state"),
      home: folder,
      managedRoot: join(folder, "managed"),
      allowedTools: ["Bash"]
    })
  )
  const invocation = Result.getOrThrow(Bash.prepare({ command: "true" }))
  const alone = Effect.provideContext(invocation.run(context), services)
  const lookedAfter = Effect.provideContext(invocation.run(context), looked)
  const whole = Effect.provideContext(
    Effect.flatMap(Pipeline, ({ run }) => run({ type: "tool_use", id: "t", name: "Bash", input: { command: "true" } })),
    gate
  )
  const bench = new Bench({ time: 3_000, warmupTime: 500 })
  bench.add("bare spawn of `true`", bare)
  bench.add("Bash `true`, the tool alone", () => Effect.runPromise(alone))
  bench.add("Bash `true`, looked after by a shell", () => Effect.runPromise(lookedAfter))
  bench.add("Bash `true`, end to end", () => Effect.runPromise(whole))
  yield* Effect.promise(() => bench.run())
  console.table(bench.tasks.map(({ name, result }) =>
    result.state === "completed"
      ? { name, "median ms": result.latency.p50.toFixed(2), "least ms": result.latency.min.toFixed(2) }
      : { name, state: result.state }
  ))
})

await Effect.runPromise(Effect.scoped(program)).finally(() => rmSync(folder, { recursive: true, force: true }))
