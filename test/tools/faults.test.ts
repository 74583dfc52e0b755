import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Bash, type BashValue } from "../../src/tools/Bash.ts"
import { BashLimits } from "../../src/tools/BashLimits.ts"
import { Edit } from "../../src/tools/Edit.ts"
import { Glob } from "../../src/tools/Glob.ts"
import { Grep } from "../../src/tools/Grep.ts"
import { Read } from "../../src/tools/Read.ts"
import { TaskStop } from "../../src/tools/TaskStop.ts"
import { WebFetch } from "../../src/tools/WebFetch.ts"
import { WebLimits } from "../../src/tools/WebLimits.ts"
import { Write } from "../../src/tools/Write.ts"
import { mark, running } from "../support/processes.ts"
import { until } from "../support/until.ts"
import { bench, textOf } from "./runTool.ts"

const linux = process.platform === "linux"

function mountsIn(folder: string): boolean {
  const done = spawnSync("mount", ["-t", "tmpfs", "none", folder]).status === 0
  if (done) spawnSync("umount", ["-l", folder])
  rmdirSync(folder)
  return done
}

/** Only who may mount can have a disk that is small enough to be full. */
const mounts = linux && process.getuid?.() === 0 && mountsIn(mkdtempSync(join(tmpdir(), "toolgate-mount-")))

const smallDisk = (path: string, bytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      mkdirSync(path, { recursive: true })
      assert.strictEqual(spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "none", path]).status, 0)
    }),
    () => Effect.sync(() => void spawnSync("umount", ["-l", path]))
  )

const open = Effect.updateService(BashLimits, (before) => ({ ...before, graceMillis: 100 }))

/** A server that takes a question and never answers. */
const silentServer = Effect.acquireRelease(
  Effect.callback<{ readonly server: Server; readonly host: string }>((resume) => {
    const server = createServer(() => {})
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ server, host: `127.0.0.1:${port}` }))
    })
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
).pipe(Effect.map(({ host }) => host))

describe("faults", () => {
  it.live.skipIf(!linux)(
    "a shell killed in the middle is told by its signal, and what it left is known and ended",
    () =>
      Effect.gen(function*() {
        const own = mark()
        const { cwd, failure, run } = yield* bench()
        const command = `echo begun; echo $$ > pid; sleep ${own} & wait`
        const fiber = yield* Effect.forkChild(failure(Bash, { command }))
        yield* until(() => running(own).length > 0)
        yield* Effect.sync(() => process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")), "SIGKILL"))
        const failed = yield* Fiber.join(fiber)
        assert.include(failed.message, "SIGKILL")
        const output = failed._tag === "ToolFailed" ? failed.output ?? "" : ""
        assert.match(output, /^begun\n\[still running in the background: `sleep`/)
        yield* run(TaskStop, { task_id: /task `([0-9a-f]{8})`/.exec(output)?.[1] })
        assert.deepStrictEqual(running(own), [])
      })
  )

  it.live.skipIf(!linux)(
    "a daemon that holds the pipe and answers to no signal but one is a task that can be ended",
    () =>
      Effect.gen(function*() {
        const own = mark()
        const { run, text } = yield* bench()
        const output = yield* run(Bash, {
          command: `setsid bash -c "trap '' TERM HUP INT; sleep ${own}; sleep ${own}" & echo done`
        })
        assert.match(textOf(output), /^done\n/)
        // The pipeline knows nothing of a value's type; this tool gives no other.
        yield* open(text(TaskStop, { task_id: (output.value as BashValue).backgroundTaskId }))
        assert.deepStrictEqual(running(own), [])
      })
  )

  it.live.skipIf(!mounts)(
    "a full disk costs neither the old file nor leaves a piece of the new one",
    () =>
      Effect.gen(function*() {
        const { cwd, failure, text } = yield* bench()
        const disk = join(cwd, "disk")
        yield* smallDisk(disk, 64 * 1024)
        yield* text(Write, { file_path: "disk/a.txt", content: "before\n" })
        yield* text(Read, { file_path: "disk/a.txt" })
        const big = "x".repeat(200 * 1024)
        assert.include((yield* failure(Write, { file_path: "disk/a.txt", content: big })).message, "the disk is full")
        assert.include(
          (yield* failure(Edit, { file_path: "disk/a.txt", old_string: "before", new_string: big })).message,
          "the disk is full"
        )
        assert.include((yield* failure(Write, { file_path: "disk/b.txt", content: big })).message, "the disk is full")
        assert.deepStrictEqual(readdirSync(disk), ["a.txt"])
        assert.strictEqual(readFileSync(join(disk, "a.txt"), "utf8"), "before\n")
      })
  )

  it.live.skipIf(!mounts)(
    "a result that fits on no disk is shown in part, and a task goes on without being kept whole",
    () =>
      Effect.gen(function*() {
        const { cwd, run, text } = yield* bench()
        yield* smallDisk(join(cwd, "..", "state"), 64 * 1024)
        const long = yield* run(Bash, { command: "yes 0123456789 | head -c 1000000; echo; echo end" })
        assert.match(textOf(long), /^0123456789\n[^]*\nend\n\[[^\n]*space[^\n]*\]/)
        assert.strictEqual(yield* text(Bash, { command: "echo short" }), "short")
      })
  )

  it.live(
    "interruption at any moment of any tool leaves no process, no descriptor and no temporary file",
    () =>
      Effect.gen(function*() {
        const own = mark()
        const { cwd, run } = yield* bench()
        const silent = yield* silentServer
        writeFileSync(join(cwd, "a.txt"), "text\n".repeat(1_000))
        const before = process.env["TMPDIR"]
        const temporary = join(cwd, "..", "tmp")
        mkdirSync(temporary)
        process.env["TMPDIR"] = temporary
        const calls = [
          () => run(Bash, { command: `cd .; sleep ${own} & sleep ${own}` }),
          () => run(Bash, { command: `sleep ${own}`, timeout: 20 }),
          () => run(Write, { file_path: "new.txt", content: "x".repeat(100_000) }),
          () => run(Read, { file_path: "a.txt" }),
          () => run(Glob, { pattern: "**/*.txt" }),
          () => run(Grep, { pattern: "text", output_mode: "content" }),
          () =>
            run(WebFetch, { url: `http://${silent}/` }).pipe(
              Effect.updateService(WebLimits, (before) => ({ ...before, privateHosts: [silent] }))
            )
        ]
        // What is made once and kept, pipes and loaded programs, is made by then.
        for (const call of calls.slice(2, 6)) yield* call()
        yield* run(Bash, { command: "true" })
        yield* run(Bash, { command: "true" })
        const descriptors = linux ? readdirSync("/proc/self/fd").length : 0
        for (const call of calls) {
          for (const delay of [0, 1, 3, 7, 15, 25]) {
            const fiber = yield* Effect.forkChild(Effect.exit(call()))
            yield* Effect.sleep(delay)
            yield* Fiber.interrupt(fiber)
          }
        }
        // More pipes may be in the making.
        yield* until(() => readdirSync(temporary).length === 0)
        if (before === undefined) delete process.env["TMPDIR"]
        else process.env["TMPDIR"] = before
        assert.deepStrictEqual(readdirSync(cwd).filter((name) => name !== "a.txt" && name !== "new.txt"), [])
        if (!linux) return
        assert.deepStrictEqual(running(own), [])
        // More pipes may be ready than before: sixteen of three ends each. Connections close a moment after their calls.
        yield* until(() => readdirSync("/proc/self/fd").length <= descriptors + 48)
      })
  )
})
