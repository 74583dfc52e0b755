import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Glob, type GlobValue } from "../../src/tools/Glob.ts"
import { Grep } from "../../src/tools/Grep.ts"
import { kernelFolders, kernelFoldersIn } from "../../src/tools/kernelFolders.ts"
import { ripgrep } from "../../src/tools/ripgrep.ts"
import { bench, textOf } from "./runTool.ts"

const linux = process.platform === "linux"

/** A folder with more lines than a pipe holds, and a search in it that comes to one file and no further. */
const stuck = Effect.gen(function*() {
  const reached = yield* Deferred.make<void>()
  const made = yield* bench({
    mayRead: (path) => !/\/\d+$/.test(path) || Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
  })
  for (let at = 0; at < 40; at += 1) writeFileSync(join(made.cwd, String(at)), "text\n".repeat(1_000))
  return { ...made, reached: Deferred.await(reached) }
})

const searches = [
  [Glob, { pattern: "**" }],
  [Grep, { pattern: "text" }],
  [Grep, { pattern: "text", output_mode: "content" }],
  [Grep, { pattern: "text", output_mode: "count" }]
] as const

/** What runs in a folder, besides ourselves. */
const runningIn = (folder: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false
    }
  })

describe("a search", () => {
  for (const [tool, input] of searches) {
    const name = `${tool.name} ${JSON.stringify(input)}`

    it.effect(`that takes too long is stopped, and says so: ${name}`, () =>
      Effect.gen(function*() {
        const { cwd, reached, run } = yield* stuck
        const fiber = yield* Effect.forkChild(run(tool, input))
        yield* reached
        yield* TestClock.adjust("19 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const output = yield* Fiber.join(fiber)
        assert.match(textOf(output), /\[the search was stopped after 20 seconds and \d+ results, before it had looked/)
        // The pipeline knows nothing of a value's type; this tool gives no other.
        if (tool === Glob) assert.isTrue((output.value as GlobValue).truncated)
        if (linux) assert.deepStrictEqual(runningIn(cwd), [])
      }))

    it.effect.skipIf(!linux)(`that is interrupted leaves no process: ${name}`, () =>
      Effect.gen(function*() {
        const { cwd, reached, run } = yield* stuck
        const fiber = yield* Effect.forkChild(run(tool, input))
        yield* reached
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(runningIn(cwd), [])
      }))
  }
})

describe("ripgrep", () => {
  it.live("does not go into folders that the kernel makes up, whatever is asked for, and says so", () =>
    Effect.gen(function*() {
      const { cwd } = yield* bench()
      const madeUp = ["proc", "a [b]{c}*?", "x/y\\z"]
      for (const folder of [...madeUp, "b/proc", "x/yz", "a bc"]) {
        mkdirSync(join(cwd, folder), { recursive: true })
        writeFileSync(join(cwd, folder, "file"), "")
      }
      const found: Array<string> = []
      const { complete, notices } = yield* ripgrep({
        root: { cwd, operand: "./", madeUp, shownAs: (path) => path, realOf: (path) => path },
        flags: ["--files", "--null", "--glob=**"],
        operands: [],
        separator: "\0",
        take: (path) => Effect.as(Effect.sync(() => found.push(path)), "more")
      })
      assert.isTrue(complete)
      assert.sameMembers(found, ["./b/proc/file", "./x/yz/file", "./a bc/file"])
      assert.match(
        notices.join("\n"),
        /^not searched, since the kernel makes up what is there: `[^`]+\/proc`, .*; name such a folder as the path/
      )
    }).pipe(Effect.provide(NodeServices.layer)))
})

describe("kernelFolders", () => {
  it("finds them below a folder, by what the table of mounts says", () => {
    const mounts = [
      "27 1 254:0 / / rw - ext4 /dev/vda rw",
      "22 27 0:21 / /proc rw,relatime shared:5 master:1 - proc proc rw",
      "23 22 0:22 / /proc/fs/bpf rw - bpf bpf rw",
      "24 27 0:6 / /dev rw - devtmpfs devtmpfs rw",
      "25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw",
      "28 27 0:24 / /jail\\040one/proc rw - proc proc rw",
      "29 27 0:25 / /processes rw - ext4 /dev/vdb rw",
      "",
      "no mount at all"
    ].join("\n")
    assert.deepStrictEqual(kernelFoldersIn(mounts, "/"), ["dev", "jail one/proc", "proc"])
    assert.deepStrictEqual(kernelFoldersIn(mounts, "/jail one"), ["proc"])
    assert.deepStrictEqual(kernelFoldersIn(mounts, "/proc"), ["fs/bpf"])
    assert.deepStrictEqual(kernelFoldersIn(mounts, "/proc/fs/bpf"), [])
    assert.deepStrictEqual(kernelFoldersIn(mounts, "/pro"), [])
  })

  it.effect.skipIf(!linux)("asks the machine", () =>
    Effect.gen(function*() {
      assert.include(yield* kernelFolders("/"), "proc")
      assert.deepStrictEqual(yield* kernelFolders("/usr"), [])
    }))
})
