import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Bash, type BashValue } from "../../src/tools/Bash.ts"
import { BashLimits, type Limits } from "../../src/tools/BashLimits.ts"
import { TaskOutput } from "../../src/tools/TaskOutput.ts"
import { TaskStop } from "../../src/tools/TaskStop.ts"
import { atLimit } from "../support/atLimit.ts"
import { mark, running } from "../support/processes.ts"
import { moment, until } from "../support/until.ts"
import { bench, textOf } from "./runTool.ts"

const linux = process.platform === "linux"

/** The pipeline knows nothing of a value's type; this tool gives no other. */
const valueOf = (value: unknown) => value as BashValue

const limits = (change: Partial<Limits>) => Effect.updateService(BashLimits, (before) => ({ ...before, ...change }))

for (const outlived of [false, true]) {
  describe(`tasks of a process that ${outlived ? "may end before them" : "stays"}`, () => {
    const begin = Effect.fnUntraced(function*(command: string) {
      const work = yield* bench({ outlived })
      const output = yield* work.run(Bash, { command, run_in_background: true }).pipe(limits({ graceMillis: 200 }))
      const id = valueOf(output.value).backgroundTaskId
      assert.match(id ?? "", /^[0-9a-f]{8}$/)
      return { ...work, id, said: textOf(output) }
    })

    it.live(
      "a command in the background is answered at once, and its exit code is the real one",
      () =>
        Effect.gen(function*() {
          const { cwd, id, said, text } = yield* begin(
            "until [ -e go ]; do sleep 0.1; done; echo out; echo err >&2; exit 3"
          )
          assert.match(said, /^\[running in the background as the task `[0-9a-f]{8}`: TaskOutput shows it/)
          assert.match(
            yield* text(TaskOutput, { task_id: id, block: false }),
            /is still running; it has printed nothing\]$/
          )
          writeFileSync(join(cwd, "go"), "")
          assert.match(
            yield* text(TaskOutput, { task_id: id, timeout: 600_000 }),
            new RegExp(`^\\[the task \`${id}\` \\(\`until [^\`]+\`\\) has ended with exit code 3\\]\\nout\\nerr$`)
          )
        })
    )

    it.live.skipIf(!linux)(
      "one that prints more than it may is ended with all that it started, and that is said",
      () =>
        Effect.gen(function*() {
          const { cwd, run, text } = yield* bench({ outlived })
          const own = mark()
          const apart = [
            `setsid bash -c "trap '' TERM; sleep ${own}; sleep ${own}" > /dev/null 2>&1 &`,
            // Known by the pipe alone, and by its parent.
            `setsid env -i "$(command -v sleep)" ${own} &`,
            `env -i "$BASH" -c "sleep ${own} > /dev/null 2>&1; true" &`
          ]
          const command = `${apart.join(" ")} until [ -e go ]; do sleep 0.1; done; yes ${own}`
          const { value } = yield* run(Bash, { command, run_in_background: true }).pipe(
            limits({ graceMillis: 200, storedBytes: 100_000, outputBytes: 1_000_000 })
          )
          const id = valueOf(value).backgroundTaskId
          yield* until(() => running(own).length === 3)
          writeFileSync(join(cwd, "go"), "")
          const printed = yield* text(TaskOutput, { task_id: id, timeout: 600_000 })
          assert.match(printed, /was stopped because it printed too much\]/)
          yield* until(() => running(own).length === 0)
        })
    )

    it.live("one that a signal ended says so, in its own words or by the code", () =>
      Effect.gen(function*() {
        const { id, text } = yield* begin("kill -9 $$")
        assert.match(yield* text(TaskOutput, { task_id: id }), /SIGKILL|exit code 137/)
      }))

    it.live(
      "stopping a task ends all of it, also what ignores the polite signal or changed session",
      () =>
        Effect.gen(function*() {
          const own = mark()
          const { cwd, failure, id, text } = yield* begin(
            `trap '' TERM; setsid sleep ${own} & sleep ${own} & touch begun; wait; wait`
          )
          yield* until(() => existsSync(join(cwd, "begun")))
          assert.include(
            yield* limits({ graceMillis: 200 })(text(TaskStop, { task_id: id })),
            `stopped the task \`${id}\``
          )
          if (linux) assert.deepStrictEqual(running(own), [])
          assert.include(yield* text(TaskOutput, { task_id: id }), "was stopped")
          assert.include((yield* failure(TaskStop, { task_id: id })).message, "was stopped already")
        })
    )

    it.effect(
      "a command that reaches its limit goes on, and nothing of its output is lost or twice",
      () =>
        Effect.gen(function*() {
          const { cwd, progress, run, text } = yield* bench({ outlived })
          // It prints all the while, also when it is handed over.
          const command = "i=0; until [ -e go ]; do i=$((i+1)); echo line $i; sleep 0.01; done; exit 5"
          const output = yield* run(Bash, { command, timeout: 500 }).pipe(
            atLimit(500, until(() => progress.length > 2))
          )
          const { backgroundTaskId, timedOutAfterMs } = valueOf(output.value)
          assert.strictEqual(timedOutAfterMs, 500)
          const said = textOf(output)
          assert.match(said, /^line 1\n[^]*\[still running after 500 ms, so it goes on in the background as the task/)
          const shown = (more: object) => text(TaskOutput, { task_id: backgroundTaskId, ...more })
          while (!(yield* shown({ block: false })).includes(`line ${said.split("\n").length + 10}\n`)) yield* moment
          writeFileSync(join(cwd, "go"), "")
          const [head = "", ...lines] = (yield* TestClock.withLive(shown({ timeout: 600_000 }))).split("\n")
          assert.include(head, "has ended with exit code 5")
          assert.deepStrictEqual(lines, lines.map((_, index) => `line ${index + 1}`))
        })
    )
  })
}

describe("tasks", () => {
  it.live(
    "what nobody listened to is in the file in order when a command goes on at its limit",
    () =>
      Effect.gen(function*() {
        const { run } = yield* bench({ heard: false })
        const command = "seq 1 200000; for i in $(seq 200001 200030); do echo $i; sleep 0.05; done; exit 5"
        const { value } = yield* run(Bash, { command, timeout: 700 })
        const { content } = yield* run(TaskOutput, { task_id: valueOf(value).backgroundTaskId, timeout: 600_000 })
        if (typeof content === "string" || !("_tag" in content)) return assert.fail("it is not stored")
        assert.include(content.head, "has ended with exit code 5")
        const lines = readFileSync(content.path, "utf8").trimEnd().split("\n").map(Number)
        assert.deepStrictEqual(lines, Array.from({ length: 200_030 }, (_, index) => index + 1))
      })
  )

  it.live.skipIf(!linux)(
    "what a command leaves running is a task: shown, and ended when asked",
    () =>
      Effect.gen(function*() {
        const own = mark()
        const { run, text } = yield* bench()
        const output = yield* run(Bash, { command: `(echo later; exec sleep ${own}) & echo done` })
        const id = valueOf(output.value).backgroundTaskId
        assert.match(textOf(output), /still running in the background: `\w+` \(process \d+\); TaskOutput shows it and/)
        assert.include(yield* text(TaskOutput, { task_id: id, block: false }), "is still running")
        yield* text(TaskStop, { shell_id: id })
        assert.deepStrictEqual(running(own), [])
      })
  )

  it.live.skipIf(!linux)("a process of many threads is left once", () =>
    Effect.gen(function*() {
      const own = mark()
      const { run, text } = yield* bench()
      const program = "require(\"fs\").writeFileSync(\"begun\", \"\"); setInterval(() => {}, 1_000)"
      const command = `"${process.execPath}" -e '${program}' ${own} & until [ -e begun ]; do sleep 0.1; done`
      const output = yield* run(Bash, { command })
      const [pid] = running(own)
      assert.match(
        textOf(output),
        new RegExp(`running in the background: \`[^\`]+\` \\(process ${pid}\\); TaskOutput shows`)
      )
      yield* text(TaskStop, { task_id: valueOf(output.value).backgroundTaskId })
      assert.deepStrictEqual(running(own), [])
    }))

  it.live.skipIf(!linux)("how a task ended that nobody saw end is not made up", () =>
    Effect.gen(function*() {
      const { cwd, run, text } = yield* bench()
      const output = yield* run(Bash, { command: "until [ -e go ]; do sleep 0.1; done & true" })
      writeFileSync(join(cwd, "go"), "")
      assert.include(
        yield* text(TaskOutput, { task_id: valueOf(output.value).backgroundTaskId, timeout: 600_000 }),
        "has ended, and nobody learned its exit code"
      )
    }))

  it.live("a long output shows both ends and names its file, and the file has a limit", () =>
    Effect.gen(function*() {
      const { run } = yield* bench()
      const command = "yes 0123456789 | head -c 3000000; echo; echo end"
      const begun = yield* run(Bash, { command, run_in_background: true }).pipe(limits({ storedBytes: 2_000_000 }))
      const { content } = yield* run(TaskOutput, { task_id: valueOf(begun.value).backgroundTaskId })
      if (typeof content === "string" || !("_tag" in content)) return assert.fail("it is not stored")
      assert.match(content.head, /^\[the task .* has ended with exit code 0\]\n0123456789\n/)
      // The limit of a file goes by blocks.
      assert.isAtMost(content.size, 2_000_000 + 512)
      assert.isAtLeast(content.size, 1_900_000)
    }))

  it.live("commands that only wait, or have to do with git, are ended at their limit", () =>
    Effect.gen(function*() {
      const own = mark()
      const { failure } = yield* bench()
      for (const command of [`sleep ${own}`, `echo git; sleep ${own}`]) {
        assert.strictEqual((yield* failure(Bash, { command, timeout: 300 }))._tag, "ToolTimedOut")
      }
      if (linux) assert.deepStrictEqual(running(own), [])
    }))

  it.live("where the background is switched off nothing goes there", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const off = limits({ background: false })
      const refused = yield* off(failure(Bash, { command: "true", run_in_background: true }))
      assert.include(refused.message, "may not run in the background")
      const ended = yield* off(failure(Bash, { command: "while :; do read -t 1 < <(sleep 1); done", timeout: 300 }))
      assert.strictEqual(ended._tag, "ToolTimedOut")
    }))

  it.live.skipIf(!linux)("nor does what a command leaves: it is ended, and that is said", () =>
    Effect.gen(function*() {
      const own = mark()
      const { cwd, text } = yield* bench()
      const command = `sleep ${own} & setsid bash -c "trap '' TERM; touch begun; sleep ${own}; sleep ${own}" & ` +
        "until [ -e begun ]; do sleep 0.1; done; echo done"
      assert.match(
        yield* limits({ background: false, graceMillis: 200 })(text(Bash, { command })),
        /^done\n\[what was still running was ended, since commands may not go on in the background here: `\w+` \(process \d+\)/
      )
      assert.deepStrictEqual(running(own), [])
      assert.isFalse(existsSync(join(cwd, "..", "state", "sessions")))
    }))

  it.live.skipIf(!linux)("what can be no task is not left running unknown", () =>
    Effect.gen(function*() {
      const own = mark()
      const { cwd, text } = yield* bench()
      yield* Effect.sync(() => {
        mkdirSync(join(cwd, "..", "state", "sessions"), { recursive: true })
        writeFileSync(join(cwd, "..", "state", "sessions", "test"), "")
      })
      assert.match(
        yield* text(Bash, { command: `sleep ${own} & echo done` }),
        /^done\n\[what was still running was ended: `\w+` \(process \d+\)\]\n\[it could not go on in the background: /
      )
      assert.deepStrictEqual(running(own), [])
    }))

  it.live("a task that can't be noted does not run unknown", () =>
    Effect.gen(function*() {
      const own = mark()
      const { cwd, failure } = yield* bench()
      yield* Effect.sync(() => {
        mkdirSync(join(cwd, "..", "state", "sessions"), { recursive: true })
        writeFileSync(join(cwd, "..", "state", "sessions", "test"), "")
      })
      const failed = yield* failure(Bash, { command: `sleep ${own}`, run_in_background: true })
      assert.match(failed.message, /^it could not go on in the background: /)
      if (linux) assert.deepStrictEqual(running(own), [])
    }))

  it.live("an unknown id is told from those that there are", () =>
    Effect.gen(function*() {
      const { failure, run, text } = yield* bench()
      const none = yield* failure(TaskOutput, { task_id: "nope" })
      assert.strictEqual(none.message, "there is no task `nope` in this session: it has none")
      const begun = yield* run(Bash, { command: "true", run_in_background: true })
      const id = valueOf(begun.value).backgroundTaskId
      yield* text(TaskOutput, { task_id: id })
      const other = yield* failure(TaskStop, { task_id: "../escape" })
      assert.strictEqual(
        other.message,
        `there is no task \`../escape\` in this session: \`${id}\` (\`true\`) has ended with exit code 0`
      )
    }))
})
