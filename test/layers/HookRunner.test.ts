import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { HookEntry } from "../../src/domain/Hook.ts"
import * as HookRunnerLayers from "../../src/layers/HookRunner.ts"
import { outputOf } from "../../src/layers/hooks/HookOutput.ts"
import type { HookCommand, HookEnd } from "../../src/layers/hooks/HookProcess.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import { HookRunner } from "../../src/services/HookRunner.ts"
import { isAlive } from "../support/processes.ts"
import { until } from "../support/until.ts"
import { callWith, hookOf, says } from "./hooks/callWith.ts"

const paths = PathResolverLayers.layerVirtual({})
const real = HookRunnerLayers.layerCommands.pipe(Layer.provide(paths))
const running = (run: (command: HookCommand) => Effect.Effect<HookEnd>) =>
  HookRunnerLayers.layerRunning(run).pipe(Layer.provide(paths))

const before = (hooks: ReadonlyArray<HookEntry>, call: Parameters<typeof callWith>[1] = {}) =>
  Effect.gen(function*() {
    return yield* (yield* HookRunner).preToolUse(callWith(hooks, call))
  })

const print = (text: string) => `cat > /dev/null; printf '%s' '${text}'`
const allow = says({ permissionDecision: "allow" })
const ask = says({ permissionDecision: "ask", permissionDecisionReason: "sure?" })
const deny = says({ permissionDecision: "deny", permissionDecisionReason: "not here" })

const folder = <A, E, R>(use: (path: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-hooks-")))),
    use,
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

describe("command hooks as processes", () => {
  it.live("a hook reads the call as JSON on its standard input", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        yield* before([hookOf("cat > got.json; printf '%s' \"$CLAUDE_PROJECT_DIR\" > root")], {
          tool: "Read",
          input: { file_path: "src/../a.txt", limit: 3 },
          context: { session: "abc", cwd, directories: [] },
          mode: "acceptEdits"
        })
        assert.deepStrictEqual(JSON.parse(readFileSync(join(cwd, "got.json"), "utf8")), {
          session_id: "abc",
          transcript_path: "",
          cwd,
          permission_mode: "acceptEdits",
          hook_event_name: "PreToolUse",
          tool_name: "Read",
          tool_input: { file_path: `${cwd}/a.txt`, limit: 3 },
          tool_use_id: "toolu_1"
        })
        assert.strictEqual(readFileSync(join(cwd, "root"), "utf8"), "/")
      })
    ).pipe(Effect.provide(real)))

  it.live("exit code 2 denies, with the text on stderr as the reason", () =>
    Effect.gen(function*() {
      const outcome = yield* before([hookOf("echo \"$(printf '\\033[31m')not now\" >&2; exit 2")])
      assert.strictEqual(outcome.decision, "deny")
      assert.strictEqual(outcome.reason, "not now")
      assert.strictEqual(outcome.runs[0]?.stderr, "not now")
    }).pipe(Effect.provide(real)))

  it.live("exit code 2 beats an allow on stdout", () =>
    Effect.gen(function*() {
      const outcome = yield* before([hookOf(`${print(allow)}; echo no >&2; exit 2`)])
      assert.strictEqual(outcome.decision, "deny")
      assert.strictEqual(outcome.reason, "no")
    }).pipe(Effect.provide(real)))

  it.live("a decision counts whatever the exit code", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* before([hookOf(`${print(deny)}; exit 1`)])).decision, "deny")
      assert.strictEqual((yield* before([hookOf(`${print(allow)}; exit 1`)])).decision, "allow")
    }).pipe(Effect.provide(real)))

  it.live("a program that is missing has not decided, in a shell and without one", () =>
    Effect.gen(function*() {
      for (const hook of [{ command: "/no/such/gate" }, { command: "/no/such/gate", args: ["x"] }]) {
        const outcome = yield* before([hookOf(hook)])
        assert.strictEqual(outcome.decision, "ask")
        assert.match(outcome.messages.join(), /could not start/)
        assert.match(outcome.messages.join(), /\/no\/such\/gate/)
      }
      assert.strictEqual((yield* before([hookOf({ command: "exit 126", onFailure: "block" })])).decision, "deny")
      assert.strictEqual((yield* before([hookOf({ command: "exit 127", onFailure: "continue" })])).decision, "none")
    }).pipe(Effect.provide(real)))

  it.live("the exec form runs no shell and knows the project's folder", () =>
    Effect.gen(function*() {
      const hook = hookOf({
        command: process.execPath,
        args: ["-e", "console.error(process.argv[1]); process.exit(2)", "${CLAUDE_PROJECT_DIR}/$HOME"]
      })
      assert.strictEqual((yield* before([hook])).reason, "//$HOME")
    }).pipe(Effect.provide(real)))

  it.live("a hook that kills itself in the middle has not decided", () =>
    Effect.gen(function*() {
      const outcome = yield* before([hookOf("kill -9 $$")])
      assert.strictEqual(outcome.decision, "ask")
      assert.match(outcome.runs[0]?.fault ?? "", /killed by SIGKILL/)
      const nested = yield* before([hookOf("bash -c 'kill -9 $$'; exit $?")])
      assert.strictEqual(nested.decision, "ask")
      assert.match(nested.runs[0]?.fault ?? "", /killed by signal 9/)
    }).pipe(Effect.provide(real)))

  it.effect("a hook out of time is ended with its whole group, even one that ignores the polite signal", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        const hook = hookOf({
          command: "trap '' TERM; (trap '' TERM; sleep 300) & echo $$ $! > pids; touch begun; sleep 300; sleep 300",
          timeout: 0.3
        })
        const asking = yield* Effect.forkChild(before([hook], { context: { session: "s", cwd, directories: [] } }))
        yield* until(() => existsSync(join(cwd, "begun")))
        yield* TestClock.adjust("300 millis")
        const outcome = yield* Fiber.join(asking)
        assert.strictEqual(outcome.decision, "ask")
        assert.match(outcome.messages.join(), /longer than its 0.3 s/)
        const pids = readFileSync(join(cwd, "pids"), "utf8").trim().split(" ").map(Number)
        assert.strictEqual(pids.length, 2)
        yield* until(() => !pids.some(isAlive))
      })
    ).pipe(Effect.provide(real)))

  it.live("interruption leaves no process behind", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(
          before([hookOf("sleep 300 & echo $$ $! > pids; touch begun; wait")], {
            context: { session: "s", cwd, directories: [] }
          })
        )
        yield* until(() => existsSync(join(cwd, "begun")))
        yield* Fiber.interrupt(fiber)
        const pids = readFileSync(join(cwd, "pids"), "utf8").trim().split(" ").map(Number)
        assert.strictEqual(pids.length, 2)
        yield* until(() => !pids.some(isAlive))
      })
    ).pipe(Effect.provide(real)))

  it.live("a daemon that holds the pipe delays nothing", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        const outcome = yield* before([hookOf(`setsid sleep 300 & echo $! > pid; ${print(deny)}`)], {
          context: { session: "s", cwd, directories: [] }
        })
        assert.strictEqual(outcome.decision, "deny")
        // It would be gone, had it been waited for.
        process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")), "SIGKILL")
      })
    ).pipe(Effect.provide(real)))

  it.live("a hook that reads nothing of a large input decides all the same", () =>
    Effect.gen(function*() {
      const outcome = yield* before([hookOf(`printf '%s' '${deny}'`)], {
        input: { command: "x".repeat(4_000_000) }
      })
      assert.strictEqual(outcome.decision, "deny")
    }).pipe(Effect.provide(real)))

  it.live("a flood of output is drained and counts as no answer", () =>
    Effect.gen(function*() {
      const outcome = yield* before([
        hookOf("printf '{'; head -c 30000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero >&2")
      ])
      assert.strictEqual(outcome.decision, "ask")
      assert.match(outcome.runs[0]?.fault ?? "", /more than a megabyte/)
      assert.isBelow(outcome.runs[0]?.stderr?.length ?? 0, 3_000)
    }).pipe(Effect.provide(real)))

  it.live("a hook in Node that throws is a failure that lets the call go on, with a note", () =>
    Effect.gen(function*() {
      const outcome = yield* before([
        hookOf({ command: process.execPath, args: ["-e", "throw new Error('no gate')"] })
      ])
      assert.strictEqual(outcome.decision, "none")
      assert.match(outcome.messages.join(), /failed with exit code 1/)
      assert.match(outcome.runs[0]?.stderr ?? "", /no gate/)
    }).pipe(Effect.provide(real)))

  it.live("a working directory that is gone is a hook that could not start", () =>
    Effect.gen(function*() {
      const outcome = yield* before([hookOf("exit 0")], {
        context: { session: "s", cwd: "/no/such/folder", directories: [] }
      })
      assert.strictEqual(outcome.decision, "ask")
      assert.match(outcome.messages.join(), /no folder `\/no\/such\/folder`/)
    }).pipe(Effect.provide(real)))

  it.live("a hundred hooks run beside each other: none ends before all have begun", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        const meet = "until set -- begun-* && [ $# -ge 100 ]; do sleep 1; done"
        const hooks = Array.from({ length: 100 }, (_, index) =>
          hookOf(`: > begun-${index}; ${meet}; exit ${index === 50 ? 2 : 0}`))
        const outcome = yield* before(hooks, { context: { session: "s", cwd, directories: [] } })
        assert.strictEqual(outcome.decision, "deny")
        assert.strictEqual(outcome.runs.length, 100)
      })
    ).pipe(Effect.provide(real)))
})

/** Runs hooks in a table: each waits its milliseconds, then says its text. */
const scripted = (
  table: { readonly [command: string]: { readonly millis?: number; readonly stdout?: string; readonly code?: number } }
) =>
  running((command) => {
    const row = table[command.args[1] ?? ""] ?? {}
    return Effect.as(Effect.sleep(row.millis ?? 0), {
      ending: { _tag: "Exited", code: row.code ?? 0 },
      stdout: outputOf(row.stdout ?? ""),
      stderr: outputOf("")
    })
  })

const settle = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("2 hours")
    return yield* Fiber.join(fiber)
  })

describe("what hooks decide together", () => {
  const Row = Schema.Struct({
    millis: Schema.Literals([0, 5, 10, 20]),
    stdout: Schema.Literals([
      "",
      allow,
      ask,
      deny,
      "{ broken",
      says({ permissionDecision: "allow", updatedInput: { command: "a" } }),
      says({ permissionDecision: "ask", updatedInput: { command: "b" } }),
      says({ updatedInput: { command: "c" }, additionalContext: "note" }),
      JSON.stringify({ continue: false, stopReason: "enough" })
    ]),
    code: Schema.Literals([0, 0, 1, 2, 127])
  })

  it.effect.prop(
    "the order in which hooks finish never changes the outcome",
    { rows: Schema.Array(Row).check(Schema.isMaxLength(6)), other: Schema.Array(Schema.Literals([0, 5, 10, 20])) },
    ({ other, rows }) =>
      Effect.gen(function*() {
        const hooks = rows.map((_, index) => hookOf(`hook ${index}`))
        const outcomeOf = (millis: (index: number) => number) =>
          settle(before(hooks)).pipe(
            Effect.provide(scripted(Object.fromEntries(
              rows.map((row, index) => [`hook ${index}`, { ...row, millis: millis(index) }])
            ))),
            Effect.map((outcome) => ({ ...outcome, runs: outcome.runs.map(({ durationMillis: _, ...run }) => run) }))
          )
        assert.deepStrictEqual(
          yield* outcomeOf((index) => rows[index]?.millis ?? 0),
          yield* outcomeOf((index) => other[index] ?? 0)
        )
      })
  )

  it.effect.prop(
    "one deny is enough",
    { rows: Schema.Array(Row).check(Schema.isMaxLength(5)), at: Schema.Literals([0, 1, 2]) },
    ({ at, rows }) =>
      Effect.gen(function*() {
        const table = [...rows.slice(0, at), { stdout: deny }, ...rows.slice(at)]
        const outcome = yield* settle(before(table.map((_, index) => hookOf(`hook ${index}`)))).pipe(
          Effect.provide(scripted(Object.fromEntries(table.map((row, index) => [`hook ${index}`, row]))))
        )
        assert.strictEqual(outcome.decision, "deny")
      })
  )

  it.effect("the last rewrite in the order of configuration stands, however long the first one takes", () =>
    Effect.gen(function*() {
      const outcome = yield* settle(before([hookOf("slow"), hookOf("fast"), hookOf("mute")]))
      assert.deepStrictEqual(outcome.rewritten, { command: "fast" })
      assert.strictEqual(outcome.decision, "allow")
      assert.isTrue(outcome.allowsInput)
      assert.strictEqual(outcome.name, "fast")
    }).pipe(Effect.provide(scripted({
      slow: { millis: 500, stdout: says({ permissionDecision: "allow", updatedInput: { command: "slow" } }) },
      fast: { stdout: says({ permissionDecision: "allow", updatedInput: { command: "fast" } }) },
      mute: { stdout: allow }
    }))))

  it.effect("an allow does not cover what another hook made of the input", () =>
    Effect.gen(function*() {
      const outcome = yield* settle(before([hookOf("allows"), hookOf("rewrites")]))
      assert.strictEqual(outcome.decision, "allow")
      assert.isFalse(outcome.allowsInput)
    }).pipe(Effect.provide(scripted({
      allows: { stdout: allow },
      rewrites: { stdout: says({ updatedInput: { command: "rm x" } }) }
    }))))

  it.effect("of several that allow, the one that the policy configured speaks", () =>
    Effect.gen(function*() {
      const outcome = yield* settle(before([hookOf("one"), hookOf("two", { source: "policySettings" })]))
      assert.strictEqual(outcome.source, "policySettings")
    }).pipe(Effect.provide(scripted({ one: { stdout: allow }, two: { stdout: allow } }))))

  it.effect("a hook has ten minutes when it says nothing else", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(before([hookOf("long")]))
      yield* TestClock.adjust("599 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).decision, "ask")
    }).pipe(Effect.provide(running(() => Effect.never))))

  it.effect("identical hooks of several settings run once, for the strongest source", () =>
    Effect.gen(function*() {
      let runs = 0
      const outcome = yield* before([
        hookOf("gate"),
        hookOf({ command: "gate", timeout: 5 }, { source: "policySettings" }),
        hookOf({ command: "gate", args: [] })
      ]).pipe(Effect.provide(running(() =>
        Effect.sync(() => {
          runs++
          return { ending: { _tag: "Exited" as const, code: 0 }, stdout: outputOf(allow), stderr: outputOf("") }
        })
      )))
      assert.strictEqual(runs, 2)
      assert.strictEqual(outcome.source, "policySettings")
    }))

  it.effect("a kind of hook that is not run here counts as ask", () =>
    Effect.gen(function*() {
      const agent: HookEntry = { ...hookOf(""), hook: { type: "agent" } }
      assert.strictEqual((yield* before([agent])).decision, "ask")
      const blocking: HookEntry = { ...hookOf(""), hook: { type: "agent", onFailure: "block" } }
      assert.strictEqual((yield* before([blocking])).decision, "deny")
    }).pipe(Effect.provide(running(() => Effect.die("no process is to run")))))

  it.effect("one that can't be read counts as ask too, and is named by its place", () =>
    Effect.gen(function*() {
      const lost: HookEntry = {
        ...hookOf(""),
        hook: { type: "unknown", problem: "`hooks` must be a list, not a text" },
        file: "/repo/.claude/settings.json",
        line: 4,
        column: 7
      }
      const { decision, reason } = yield* before([lost])
      assert.strictEqual(decision, "ask")
      assert.strictEqual(
        reason,
        "the hook `/repo/.claude/settings.json:4:7` did not decide: it can't be read: `hooks` must be a list, not a text"
      )
    }).pipe(Effect.provide(running(() => Effect.die("no process is to run")))))

  it.effect("a hook that does not listen is not run", () =>
    Effect.gen(function*() {
      const hooks = [hookOf("a", { matcher: "Edit" }), hookOf("b", { event: "PostToolUse" })]
      assert.strictEqual((yield* before(hooks)).runs.length, 0)
    }).pipe(Effect.provide(running(() => Effect.die("no process is to run")))))

  it.effect("a hook whose rule does not match the call is not run", () =>
    Effect.gen(function*() {
      const hooks = [hookOf({ command: "a", if: "Bash(git *)" }), hookOf({ command: "b", if: "Bash(npm *)" })]
      const outcome = yield* settle(before(hooks))
      assert.deepStrictEqual(outcome.runs.map(({ name }) => name), ["b"])
    }).pipe(Effect.provide(scripted({}))))

  it.effect("a matcher that can't be read is told to the user", () =>
    Effect.gen(function*() {
      const outcome = yield* settle(before([hookOf("a", { matcher: "*.ts" })]))
      assert.match(
        outcome.messages.join(),
        /matcher `\*\.ts` is no regular expression, so its hooks run for every tool/
      )
    }).pipe(Effect.provide(scripted({}))))

  it.effect("all hooks have started before any has ended", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      let count = 0
      const outcome = yield* before([hookOf("a"), hookOf("b"), hookOf("c")]).pipe(Effect.provide(running(() =>
        Effect.gen(function*() {
          if (++count === 3) yield* Deferred.succeed(started, undefined)
          yield* Deferred.await(started)
          return { ending: { _tag: "Exited" as const, code: 0 }, stdout: outputOf(""), stderr: outputOf("") }
        })
      )))
      assert.strictEqual(outcome.runs.length, 3)
    }))
})

describe("hooks after a tool and in place of a person", () => {
  const answer = (event: string, own: { readonly [name: string]: unknown }, fields = {}) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...own }, ...fields })

  it.live("a hook after a tool gets its value and gives context and a replacement", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        const hooks = yield* HookRunner
        const reply = answer("PostToolUse", { additionalContext: "mind the gap", updatedToolOutput: { kept: true } })
        const call = callWith([hookOf(`cat > got.json; printf '%s' '${reply}'`, { event: "PostToolUse" })], {
          context: { session: "s", cwd, directories: [] }
        })
        const outcome = yield* hooks.postToolUse(call, { stdout: "ok", size: 12n }, 34)
        assert.deepStrictEqual(outcome.context, ["mind the gap"])
        assert.deepStrictEqual(outcome.replacement, { value: { kept: true } })
        const got: unknown = JSON.parse(readFileSync(join(cwd, "got.json"), "utf8"))
        assert.containSubset(got, {
          hook_event_name: "PostToolUse",
          tool_response: { stdout: "ok", size: "12" },
          duration_ms: 34
        })
      })
    ).pipe(Effect.provide(real)))

  it.live("a block or exit code 2 after a tool is told to the model", () =>
    Effect.gen(function*() {
      const hooks = yield* HookRunner
      const block = JSON.stringify({ decision: "block", reason: "tests are red" })
      const call = callWith([
        hookOf(print(block), { event: "PostToolUseFailure" }),
        hookOf("echo 'format it' >&2; exit 2", { event: "PostToolUseFailure" })
      ])
      const outcome = yield* hooks.postToolUseFailure(call, "Exit code 1", 3)
      assert.deepStrictEqual(outcome.context, ["tests are red", "format it"])
      assert.isUndefined(outcome.replacement)
    }).pipe(Effect.provide(real)))

  it.live("a hook that answers a permission request decides only by its decision object", () =>
    Effect.gen(function*() {
      const hooks = yield* HookRunner
      const request = (...commands: ReadonlyArray<string>) =>
        hooks.permissionRequest(
          callWith(commands.map((command) => hookOf(command, { event: "PermissionRequest" }))),
          []
        )
      const yes = print(answer("PermissionRequest", { decision: { behavior: "allow" } }))
      const nope = print(answer("PermissionRequest", { decision: { behavior: "deny", message: "no" } }))
      assert.strictEqual((yield* request(yes))._tag, "Allowed")
      assert.containSubset(yield* request(yes, nope), { _tag: "Denied", message: "no" })
      assert.strictEqual((yield* request("exit 2"))._tag, "NoAnswer")
      assert.strictEqual((yield* request(`${yes}; exit 2`))._tag, "NoAnswer")
      assert.strictEqual((yield* request("exit 127"))._tag, "NoAnswer")
      const other = print(
        answer("PermissionRequest", { decision: { behavior: "allow", updatedInput: { command: "x" } } })
      )
      assert.strictEqual((yield* request(other))._tag, "NoAnswer")
    }).pipe(Effect.provide(real)))

  it.live("a denial is told to hooks, and nothing that they do matters", () =>
    folder((cwd) =>
      Effect.gen(function*() {
        const hooks = yield* HookRunner
        const call = callWith([hookOf("cat > got.json; exit 2", { event: "PermissionDenied" })], {
          context: { session: "s", cwd, directories: [] }
        })
        yield* hooks.permissionDenied(call, "a rule")
        const got: unknown = JSON.parse(readFileSync(join(cwd, "got.json"), "utf8"))
        assert.containSubset(got, { hook_event_name: "PermissionDenied", reason: "a rule" })
      })
    ).pipe(Effect.provide(real)))
})
