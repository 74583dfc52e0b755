/** What a command costs beside a bare spawn of Bash: the tool alone, and the way through all eight stages. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ToolContext } from "../src/domain/Tool.ts"
import * as ResultStoreLayers from "../src/layers/ResultStore.ts"
import * as TasksLayers from "../src/layers/Tasks.ts"
import { Pipeline } from "../src/pipeline.ts"
import * as Toolgate from "../src/toolgate.ts"
import { Bash } from "../src/tools/Bash.ts"
import type { Group } from "./Group.ts"

export const groups = async (): Promise<ReadonlyArray<Group>> => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
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
  const around = (outlived: boolean) =>
    ManagedRuntime.make(
      Layer.mergeAll(ResultStoreLayers.layerFiles(folder), TasksLayers.layerFiles(folder, { outlived })).pipe(
        Layer.provideMerge(NodeServices.layer)
      )
    )
  const [services, looked] = [around(false), around(true)]
  const gate = ManagedRuntime.make(
    Toolgate.layer({
      context: context.call,
      state: join(folder, "state"),
      home: folder,
      managedRoot: join(folder, "managed"),
      allowedTools: ["Bash"]
    })
  )
  const { run } = await gate.runPromise(Pipeline)
  const invocation = Result.getOrThrow(Bash.prepare({ command: "true" }))
  return [{
    title: "Bash `true`",
    tasks: {
      "bare spawn": () => bare(cwd),
      "the tool alone": () => services.runPromise(invocation.run(context)),
      "looked after by a shell": () => looked.runPromise(invocation.run(context)),
      "through all eight stages": () =>
        gate.runPromise(run({ type: "tool_use", id: "t", name: "Bash", input: { command: "true" } }))
    }
  }]
}

const bare = (cwd: string): Promise<void> =>
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
