import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Shown } from "../../src/domain/Tool.ts"
import { ResultStoreFailed } from "../../src/errors/ResultError.ts"
import { ResultStore } from "../../src/services/ResultStore.ts"
import { Bash, type BashValue } from "../../src/tools/Bash.ts"
import { BashLimits, type Limits } from "../../src/tools/BashLimits.ts"
import * as ProcessTable from "../../src/tools/ProcessTable.ts"
import { ShellEnvironment } from "../../src/tools/ShellEnvironment.ts"
import { TaskStop } from "../../src/tools/TaskStop.ts"
import { atLimit } from "../support/atLimit.ts"
import { mark, running } from "../support/processes.ts"
import { until } from "../support/until.ts"
import { bench, textOf } from "./runTool.ts"

const linux = process.platform === "linux"

const limits = (change: Partial<Limits>) => Effect.updateService(BashLimits, (before) => ({ ...before, ...change }))

/** The pipeline knows nothing of a value's type; this tool gives no other. */
const valueOf = (value: unknown) => value as BashValue

describe("Bash", () => {
  it.live("the text that was judged is the text that runs", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      const command = `printf '%s' "\\"; echo INJECTED; echo \\""`
      assert.strictEqual(yield* text(Bash, { command }), `"; echo INJECTED; echo "`)
      assert.strictEqual(yield* text(Bash, { command: "cat << 'EOF'\nHello\nEOF" }), "Hello")
    }))

  it.live("standard output and standard error keep their order", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      const command = "for i in 1 2 3; do echo out$i; echo err$i >&2; done"
      assert.strictEqual(yield* text(Bash, { command }), "out1\nerr1\nout2\nerr2\nout3\nerr3")
    }))

  it.live("a program can open its own standard output and standard error by name", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      const command = "echo one > /dev/stderr; echo two | tee /dev/stderr; echo three > /dev/stdout"
      assert.strictEqual(yield* text(Bash, { command }), "one\ntwo\ntwo\nthree")
    }))

  it.live("there is no standard input to wait for", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      assert.strictEqual(yield* text(Bash, { command: "cat; echo after" }), "after")
    }))

  it.live("it runs in the working directory, which has to be there", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      assert.strictEqual(yield* text(Bash, { command: "pwd" }), cwd)
      yield* text(Bash, { command: `rmdir "$PWD"` })
      assert.strictEqual(
        (yield* failure(Bash, { command: "pwd" })).message,
        `the working directory \`${cwd}\` can't be used: it does not exist`
      )
    }))

  it.live("what is printed is handed out while it comes, and the command waits for who takes it", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const { cwd, text } = yield* bench({
        progress: (piece) =>
          Effect.andThen(
            Effect.sleep(20),
            Effect.sync(() => {
              heard.push(piece.text)
              writeFileSync(join(cwd, "go"), "")
            })
          )
      })
      yield* text(Bash, { command: "echo first; until [ -e go ]; do sleep 0.01; done; echo second" })
      assert.deepStrictEqual(heard, ["first\n", "second\n"])
    }))

  it.live("characters cut between pieces are put together, and bytes that are none are replaced", () =>
    Effect.gen(function*() {
      const { progress, text } = yield* bench()
      const command = String.raw`printf '\xf0\x9f'; sleep 0.1; printf '\x94\xa5\n'; printf '\xff\xfeA\x80B'`
      assert.strictEqual(yield* text(Bash, { command }), "\u{1f525}\n\ufffd\ufffdA\ufffdB")
      assert.isTrue(progress.every((piece) => piece.text.isWellFormed()))
    }))

  it.live("a progress bar leaves its last state, and colours are taken out", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      const command = String.raw`for i in 1 2 3; do printf '\rstep %d' $i; done; printf '\n\x1b[31mred\x1b[0m\r\n'`
      assert.strictEqual(yield* text(Bash, { command }), "step 3\nred")
    }))

  it.live("silence is said", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      assert.strictEqual(yield* text(Bash, { command: "true" }), "[the command printed nothing]")
    }))

  it.live("an exit code that means an answer is no failure", () =>
    Effect.gen(function*() {
      const { run, text } = yield* bench()
      assert.include(yield* text(Bash, { command: "echo a | grep b" }), "[exit code 1: no line matched]")
      const { value } = yield* run(Bash, { command: "[ 1 = 2 ]" })
      assert.strictEqual(valueOf(value).returnCodeInterpretation, "the condition is false")
    }))

  it.live("an exit code that means failure is one, with the output and the code", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const failed = yield* failure(Bash, { command: "echo before; exit 3" })
      assert.deepInclude(failed, { _tag: "ToolFailed", exitCode: 3, output: "before" })
      assert.strictEqual(failed.message, "failed with exit code 3")
    }))

  it.live("a command that a signal ended names it", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const failed = yield* failure(Bash, { command: "kill -KILL $$" })
      assert.deepInclude(failed, { exitCode: 137, reason: "the command was ended by SIGKILL" })
      const child = yield* failure(Bash, { command: "bash -c 'kill -TERM $$'; exit $?" })
      assert.strictEqual(child.message, "the command ended as if by SIGTERM")
    }))

  it.live("what can be no command is refused before anything starts", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      assert.strictEqual((yield* failure(Bash, { command: " \n" })).message, "`command` is empty")
      assert.include((yield* failure(Bash, { command: "echo \0" })).message, "NUL")
      assert.include((yield* failure(Bash, { command: "echo \ud83d" })).message, "half a character")
      assert.include((yield* failure(Bash, { command: `: ${"x".repeat(140_000)}` })).message, "131071 bytes")
    }))
})

describe("Bash and its environment", () => {
  it.live("a shell that can't be started says why", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const none = yield* failure(Bash, { command: "true" }).pipe(
        Effect.provideService(ShellEnvironment, { PATH: "/nowhere" })
      )
      assert.strictEqual(none.message, "bash could not be started: there is no such program on the `PATH`")
      const variables = Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`V${index}`, "x".repeat(100_000)])
      )
      const long = yield* failure(Bash, { command: "true" }).pipe(
        Effect.provideService(ShellEnvironment, { PATH: process.env["PATH"], ...variables })
      )
      assert.strictEqual(
        long.message,
        "bash could not be started: the command and the environment together are too long"
      )
    }))

  it.live("start-up files, functions, options and traces from outside change nothing", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      yield* Effect.sync(() => writeFileSync(join(cwd, "evil"), "echo EVIL"))
      const said = yield* text(Bash, { command: "ls >/dev/null; date >/dev/null; cd .; echo $-; echo done" }).pipe(
        Effect.provideService(ShellEnvironment, {
          PATH: process.env["PATH"],
          BASH_ENV: join(cwd, "evil"),
          ENV: join(cwd, "evil"),
          "BASH_FUNC_ls%%": "() { echo EVIL; }",
          "BASH_FUNC_date%%": "() {  echo EVIL\n}",
          date: "() { echo EVIL; }",
          SHELLOPTS: "xtrace:noexec",
          BASHOPTS: "extdebug",
          PS4: "$(echo EVIL >&2)",
          PROMPT_COMMAND: "echo EVIL",
          CDPATH: "/"
        })
      )
      assert.match(said, /^\w+\ndone$/)
      assert.notInclude(said, "x")
    }))

  it.live("other variables come through", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      const said = yield* text(Bash, { command: "echo $COLOUR" }).pipe(
        Effect.provideService(ShellEnvironment, { PATH: process.env["PATH"], COLOUR: "green" })
      )
      assert.strictEqual(said, "green")
    }))
})

describe("Bash at its time limit", () => {
  it.effect(
    "every process of the command is ended, also those of a pipeline and in the background",
    () =>
      Effect.gen(function*() {
        const own = mark()
        const { cwd, failure, progress } = yield* bench()
        const command = `echo begun; sleep ${own} & touch begun; sleep ${own} | cat`
        const failed = yield* failure(Bash, { command, timeout: 300 }).pipe(
          limits({ background: false }),
          atLimit(300, until(() => progress.length > 0 && existsSync(join(cwd, "begun"))))
        )
        assert.deepInclude(failed, { _tag: "ToolTimedOut", limitMillis: 300, output: "begun" })
        if (linux) assert.deepStrictEqual(running(own), [])
      })
  )

  it.effect("a process that ignores the polite signal is ended by force", () =>
    Effect.gen(function*() {
      const own = mark()
      const { cwd, failure } = yield* bench()
      const command = `trap '' TERM; touch begun; sleep ${own}; sleep ${own}`
      const failed = yield* failure(Bash, { command, timeout: 300 }).pipe(
        limits({ graceMillis: 200, background: false }),
        atLimit(300, until(() => existsSync(join(cwd, "begun"))))
      )
      assert.strictEqual(failed._tag, "ToolTimedOut")
      if (linux) assert.deepStrictEqual(running(own), [])
    }))

  it.effect.skipIf(!linux)("a grandchild that changed session is found and ended", () =>
    Effect.gen(function*() {
      const own = mark()
      const { failure } = yield* bench()
      const command = `setsid -f sleep ${own} >/dev/null 2>&1; (setsid env -i sleep ${own} &) ; ` +
        `setsid sleep ${own} & sleep ${own}`
      yield* failure(Bash, { command, timeout: 400 }).pipe(
        limits({ background: false }),
        atLimit(400, until(() => running(own).length === 4))
      )
      assert.deepStrictEqual(running(own), [])
    }))

  it.live("a limit above the ceiling is cut, and the result says to what", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      assert.strictEqual(
        yield* text(Bash, { command: "echo ok", timeout: 960_000 }),
        "ok\n[the time limit was 600000 ms, the most there is, not 960000 ms]"
      )
    }))

  it.live("limits are a reference that an application provides", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const failed = yield* failure(Bash, { command: `sleep ${mark()}` }).pipe(
        Effect.provide(Layer.succeed(BashLimits, {
          timeoutMillis: 150,
          longestTimeoutMillis: 150,
          graceMillis: 100,
          drainMillis: 100,
          inlineChars: 100,
          storedBytes: 1000,
          outputBytes: 1000,
          background: true
        }))
      )
      assert.deepInclude(failed, { _tag: "ToolTimedOut", limitMillis: 150 })
    }))
})

describe("Bash and interruption", () => {
  it.live("interruption waits until every process is gone", () =>
    Effect.gen(function*() {
      const own = mark()
      const { cwd, run } = yield* bench()
      const command = `trap '' TERM; sleep ${own} & touch begun; sleep ${own} & wait; wait`
      const fiber = yield* Effect.forkChild(Effect.scoped(run(Bash, { command })).pipe(limits({ graceMillis: 100 })))
      yield* until(() => existsSync(join(cwd, "begun")))
      yield* Fiber.interrupt(fiber)
      if (linux) assert.deepStrictEqual(running(own), [])
    }))

  it.live("interruption ends a command whose output nobody takes", () =>
    Effect.gen(function*() {
      const own = mark()
      const handed = yield* Deferred.make<void>()
      const { run } = yield* bench({
        progress: () => Effect.andThen(Deferred.succeed(handed, undefined), Effect.never)
      })
      const fiber = yield* Effect.forkChild(run(Bash, { command: `echo begun; exec sleep ${own}` }))
      yield* Deferred.await(handed)
      yield* Fiber.interrupt(fiber)
      if (linux) assert.deepStrictEqual(running(own), [])
    }))

  it.live.skipIf(!linux)(
    "what was printed before an interruption is shown, though nobody had taken it yet",
    () =>
      Effect.gen(function*() {
        const heard = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const left: Array<Shown> = []
        const { cwd, run } = yield* bench({
          progress: () => Effect.andThen(Deferred.succeed(heard, undefined), Deferred.await(goOn)),
          leave: (shown) => void left.push(shown)
        })
        const command = "echo one; until [ -e go ]; do sleep 0.01; done; seq 1 5000; touch printed; exec sleep 300"
        const fiber = yield* Effect.forkChild(run(Bash, { command }))
        yield* Deferred.await(heard)
        writeFileSync(join(cwd, "go"), "")
        yield* until(() => existsSync(join(cwd, "printed")))
        const interrupting = yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
        // Whoever does not wait for those who are slow to take it has left by then.
        yield* Effect.sleep(300)
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(interrupting)
        const printed = ["one", ...Array.from({ length: 5_000 }, (_, at) => String(at + 1))]
        assert.deepStrictEqual(left.map(({ output }) => output.trimEnd()), [printed.join("\n")])
      })
  )

  it.live.skipIf(!linux)(
    "interruption shows all that was printed, also what nobody listened to",
    () =>
      Effect.gen(function*() {
        const shown: Array<string> = []
        const { cwd, run } = yield* bench({ heard: false, leave: ({ output }) => void shown.push(output) })
        const command = "echo first; seq 1 100000; echo last; touch printed; sleep 300"
        const fiber = yield* Effect.forkChild(run(Bash, { command }))
        yield* until(() => existsSync(join(cwd, "printed")))
        yield* Fiber.interrupt(fiber)
        assert.match(shown.join(), /^first\n1\n2\n[^]*… \d+ characters left out …[^]*\n100000\nlast$/)
      })
  )

  it.live("interruption at any moment leaves no process", () =>
    Effect.gen(function*() {
      const own = mark()
      const { run } = yield* bench()
      for (const delay of [0, 1, 2, 4, 8, 12, 16, 24]) {
        const fiber = yield* Effect.forkChild(run(Bash, { command: `sleep ${own} & sleep ${own}` }))
        yield* Effect.sleep(delay)
        yield* Fiber.interrupt(fiber)
      }
      if (linux) assert.deepStrictEqual(running(own), [])
    }))
})

describe("Bash and what outlives it", () => {
  it.live("a child in the background that holds the pipe is not waited for, and named", () =>
    Effect.gen(function*() {
      const { cwd, run } = yield* bench()
      const output = yield* run(Bash, { command: "sleep 300 & echo $! > pid; echo done" })
      // It would be gone, had it been waited for.
      yield* Effect.sync(() => process.kill(Number(readFileSync(join(cwd, "pid"), "utf8"))))
      assert.strictEqual(valueOf(output.value).stdout, "done\n")
      if (linux) {
        assert.match(
          textOf(output),
          /^done\n\[still running in the background: `\w+` \(process \d+\); TaskOutput shows it and TaskStop ends it as the task `[0-9a-f]{8}`\]$/
        )
      }
    }))

  it.live.skipIf(!linux)("one that holds no pipe is named as well, and keeps running", () =>
    Effect.gen(function*() {
      const own = mark()
      const { text } = yield* bench()
      const said = yield* text(Bash, { command: `setsid sleep ${own} >/dev/null 2>&1 & true` })
      assert.include(said, "still running")
      yield* until(() => running(own).length > 0)
      for (const pid of running(own)) process.kill(Number(pid))
    }))

  it.live("one that prints without end does not make the call hang", () =>
    Effect.gen(function*() {
      const { run, text } = yield* bench()
      const command = "(echo y; echo y; touch there; exec yes) & until [ -e there ]; do sleep 0.01; done; echo begun"
      const output = yield* run(Bash, { command })
      assert.include(textOf(output), "y\ny\n")
      yield* text(TaskStop, { task_id: valueOf(output.value).backgroundTaskId })
    }))
})

describe("Bash and long output", () => {
  it.live("an output of the limit is handed over whole, one above is in a file", () =>
    Effect.gen(function*() {
      const { run } = yield* bench()
      const whole = yield* run(Bash, { command: "head -c 30000 /dev/zero | tr '\\0' a" })
      assert.strictEqual(whole.content, "a".repeat(30_000))

      const { content, value } = yield* run(Bash, { command: "head -c 30001 /dev/zero | tr '\\0' a" })
      if (typeof content === "string" || !("_tag" in content)) return assert.fail("it is not stored")
      assert.strictEqual(readFileSync(content.path, "utf8"), "a".repeat(30_001))
      assert.strictEqual(content.size, 30_001)
      assert.isBelow(JSON.stringify(value).length, 25_000)
    }))

  it.live("five megabytes go to a file as they come, both ends stay", () =>
    Effect.gen(function*() {
      const { run } = yield* bench()
      const { content } = yield* run(Bash, { command: "seq 1 700000" })
      if (typeof content === "string" || !("_tag" in content)) return assert.fail("it is not stored")
      assert.isTrue(content.head.startsWith("1\n2\n3\n"))
      assert.isTrue(content.tail.endsWith("\n700000"))
      assert.strictEqual(readFileSync(content.path, "utf8").split("\n").length, 700_001)
      assert.strictEqual(statSync(content.path).size, content.size)
    }))

  it.live("a line of megabytes that only overwrites itself is short", () =>
    Effect.gen(function*() {
      const { text } = yield* bench()
      assert.strictEqual(
        yield* text(Bash, { command: "seq 1 300000 | tr '\\n' '\\r' | sed 's/^/step /'; echo" }),
        "300000"
      )
    }))

  it.live("a cut never leaves half a character", () =>
    Effect.gen(function*() {
      const { run } = yield* bench()
      const { content, value } = yield* run(Bash, {
        command: "printf x; for i in $(seq 20000); do printf '\u{1f525}'; done"
      })
      if (typeof content === "string" || !("_tag" in content)) return assert.fail("it is not stored")
      assert.isTrue(content.head.isWellFormed() && content.tail.isWellFormed())
      assert.isTrue(JSON.stringify(value).isWellFormed())
    }))

  it.live("what is kept has an upper limit, and the result says so", () =>
    Effect.gen(function*() {
      const { run } = yield* bench()
      const output = yield* run(Bash, { command: "seq 1 20000" }).pipe(limits({ storedBytes: 50_000 }))
      if (typeof output.content === "string" || !("_tag" in output.content)) return assert.fail("it is not stored")
      assert.strictEqual(statSync(output.content.path).size, 50_000)
      assert.include(output.content.tail, "[only the first 50000 bytes of the output were kept]")
      assert.include(output.content.tail, "\n20000\n")
    }))

  it.live("a command that prints too much is stopped", () =>
    Effect.gen(function*() {
      const own = mark()
      const { failure } = yield* bench()
      const failed = yield* failure(Bash, { command: `exec yes ${own}` }).pipe(limits({ outputBytes: 500_000 }))
      assert.strictEqual(failed.message, "the command was stopped because it printed more than 488 KB")
      if (linux) assert.deepStrictEqual(running(own), [])
    }))

  it.live("when nothing can be kept both ends are shown, and why", () =>
    Effect.gen(function*() {
      const full = new ResultStoreFailed({ reason: "the disk is full" })
      const store = ResultStore.of({ keep: () => Effect.fail(full), open: () => Effect.fail(full) })
      const { text } = yield* bench({ store })
      const said = yield* text(Bash, { command: "seq 1 100000" })
      assert.isTrue(said.startsWith("1\n2\n"))
      assert.isTrue(said.endsWith("\n100000\n[the full output could not be kept: the disk is full]"))
      assert.isBelow(said.length, 30_000)
    }))

  it.live("the long output of a failure shows both ends and where the whole is", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const failed = yield* failure(Bash, { command: "seq 1 100000; exit 7" })
      if (failed._tag !== "ToolFailed") return assert.fail("it timed out")
      assert.strictEqual(failed.exitCode, 7)
      assert.isBelow(failed.output?.length ?? 0, 11_000)
      assert.isTrue(failed.output?.startsWith("1\n") && failed.output.endsWith("\n100000"))
      assert.isTrue(existsSync(failed.storedAt ?? ""))
    }))
})

describe("ProcessTable", () => {
  it.skipIf(!linux)("a process is no member of a family that it has nothing to do with", () => {
    assert.deepStrictEqual(
      ProcessTable.members({ group: 2 ** 30, variable: "TOOLGATE_NOBODY", pipe: "/none", since: 0 }),
      []
    )
  })

  it.live("nothing is left in the folder for temporary files", () =>
    Effect.gen(function*() {
      const { cwd, text } = yield* bench()
      const folder = join(cwd, "tmp")
      yield* Effect.sync(() => mkdirSync(folder))
      const before = process.env["TMPDIR"]
      process.env["TMPDIR"] = folder
      yield* text(Bash, { command: "true" }).pipe(
        // More pipes may be in the making.
        Effect.andThen(until(() => readdirSync(folder).length === 0)),
        Effect.ensuring(Effect.sync(() => {
          if (before === undefined) delete process.env["TMPDIR"]
          else process.env["TMPDIR"] = before
        }))
      )
    }))
})
