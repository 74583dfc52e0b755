import { assert, describe, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { CallEvent } from "../../../src/domain/CallEvent.ts"
import type { HookEntry, HookEvent, PromptHook } from "../../../src/domain/Hook.ts"
import type { OwnHook, OwnHookCall } from "../../../src/domain/OwnHook.ts"
import * as HookRunnerLayers from "../../../src/layers/HookRunner.ts"
import { outputOf } from "../../../src/layers/hooks/HookOutput.ts"
import type { HookCommand, HookEnd } from "../../../src/layers/hooks/HookProcess.ts"
import { ModelChoice } from "../../../src/layers/ModelChoice.ts"
import * as PathResolverLayers from "../../../src/layers/PathResolver.ts"
import * as SessionStoreLayers from "../../../src/layers/SessionStore.ts"
import { CallEvents } from "../../../src/services/CallEvents.ts"
import { HookRunner } from "../../../src/services/HookRunner.ts"
import { callWith, hookOf, says } from "./callWith.ts"

const paths = PathResolverLayers.layerVirtual({})
const layer = <H extends OwnHook<unknown> = OwnHook>(options: HookRunnerLayers.HookOptions<H> = {}) =>
  HookRunnerLayers.layerWith(options).pipe(Layer.provide(paths))

const before = (hooks: ReadonlyArray<HookEntry> = [], call: Parameters<typeof callWith>[1] = {}) =>
  Effect.gen(function*() {
    return yield* (yield* HookRunner).preToolUse(callWith(hooks, call))
  })

const exited = (stdout: string, code = 0, stderr = ""): HookEnd => ({
  ending: { _tag: "Exited", code },
  stdout: outputOf(stdout),
  stderr: outputOf(stderr)
})

describe("hooks of the application", () => {
  const own = <R = never>(run: OwnHook<R>["run"], more: Partial<OwnHook<R>> = {}): OwnHook<R> => ({
    name: "ours",
    event: "PreToolUse",
    run,
    ...more
  })

  it.effect("what it answers decides", () =>
    Effect.gen(function*() {
      const outcome = yield* before().pipe(Effect.provide(layer({
        hooks: [own(() => Effect.succeed({ decision: "deny", reason: "we are closed", message: "told" }))]
      })))
      assert.strictEqual(outcome.decision, "deny")
      assert.strictEqual(outcome.reason, "we are closed")
      assert.strictEqual(outcome.name, "ours")
      assert.deepStrictEqual(outcome.messages, ["told"])
    }))

  it.effect("it is told of the call, with absolute paths", () =>
    Effect.gen(function*() {
      const told: Array<OwnHookCall> = []
      const run: OwnHook["run"] = (call) => Effect.sync(() => void told.push(call))
      yield* before([], { tool: "Read", input: { file_path: "a/../b" } }).pipe(
        Effect.provide(layer({ hooks: [own(run)] }))
      )
      assert.deepStrictEqual(told.map(({ event, input, tool }) => [event, tool, input]), [
        ["PreToolUse", "Read", { file_path: "/b" }]
      ])
    }))

  it.effect("matcher and `if` choose its calls", () =>
    Effect.gen(function*() {
      const hooks = [
        own(() => Effect.succeed({ decision: "ask" }), { matcher: "Edit|Write" }),
        own(() => Effect.succeed({ decision: "ask" }), { if: "Bash(git *)" })
      ]
      assert.strictEqual((yield* before().pipe(Effect.provide(layer({ hooks })))).decision, "none")
      const git = yield* before([], { input: { command: "git push" } }).pipe(Effect.provide(layer({ hooks })))
      assert.strictEqual(git.decision, "ask")
    }))

  it.effect("one that fails, throws, dies or takes too long has not decided", () =>
    Effect.gen(function*() {
      const runs: ReadonlyArray<OwnHook["run"]> = [
        () => Effect.fail({ message: "no answer" }),
        () => Effect.die("broken"),
        () => Promise.resolve({ decision: "allow" }) as never,
        () => {
          throw new Error("thrown")
        }
      ]
      for (const run of runs) {
        const asks = yield* before().pipe(Effect.provide(layer({ hooks: [own(run)] })))
        assert.strictEqual(asks.decision, "ask")
        assert.match(asks.runs[0]?.fault ?? "", /^failed: /)
        const blocks = yield* before().pipe(Effect.provide(layer({ hooks: [own(run, { onFailure: "block" })] })))
        assert.strictEqual(blocks.decision, "deny")
      }
      const slow = yield* before().pipe(
        Effect.provide(layer({ hooks: [own(() => Effect.never, { timeout: 2 })] })),
        Effect.forkChild
      )
      yield* TestClock.adjust("2 seconds")
      assert.match((yield* Fiber.join(slow)).runs[0]?.fault ?? "", /longer than its 2 s/)
    }))

  it.effect("it may need services, which the Layer then needs", () =>
    Effect.gen(function*() {
      class Closed extends Context.Service<Closed, boolean>()("toolgate/test/layers/hooks/kinds.test/Closed") {}
      const outcome = yield* before().pipe(
        Effect.provide(layer({
          hooks: [own(() => Effect.map(Closed, (closed) => closed ? { decision: "deny" as const } : {}))]
        })),
        Effect.provideService(Closed, true)
      )
      assert.strictEqual(outcome.decision, "deny")
    }))

  it.effect("rewrites stand in the order of configuration, the application's last", () =>
    Effect.gen(function*() {
      const outcome = yield* before([hookOf("a")]).pipe(Effect.provide(layer({
        run: () => Effect.succeed(exited(says({ updatedInput: { command: "from settings" } }))),
        hooks: [
          own(() => Effect.succeed({ input: { command: "first" } })),
          own(() => Effect.succeed({ input: { command: "second" } }))
        ]
      })))
      assert.deepStrictEqual(outcome.rewritten, { command: "second" })
      assert.deepStrictEqual(outcome.runs.map(({ name }) => name), ["a", "ours", "ours (2)"])
    }))

  it.effect("after a tool it objects, adds and replaces", () =>
    Effect.gen(function*() {
      const after = yield* Effect.flatMap(HookRunner, (runner) => runner.postToolUse(callWith([]), { big: 1n }, 5))
        .pipe(
          Effect.provide(layer({
            hooks: [own(
              ({ own }) =>
                Effect.succeed({
                  decision: "deny",
                  reason: "hm",
                  output: own["tool_response"] === undefined,
                  context: "c"
                }),
              { event: "PostToolUse" }
            )]
          }))
        )
      assert.deepStrictEqual(after.context, ["hm", "c"])
      assert.deepStrictEqual(after.replacement, { value: false })
    }))

  it.effect("in a person's place it answers, and a fault of it is told", () =>
    Effect.gen(function*() {
      const answer = (run: OwnHook["run"]) =>
        Effect.flatMap(HookRunner, (runner) => runner.permissionRequest(callWith([]), [])).pipe(
          Effect.provide(layer({ hooks: [own(run, { event: "PermissionRequest" })] }))
        )
      assert.strictEqual((yield* answer(() => Effect.succeed({ decision: "allow" })))._tag, "Allowed")
      assert.strictEqual((yield* answer(() => Effect.succeed({ decision: "ask" })))._tag, "NoAnswer")
      const failed = yield* answer(() => Effect.fail("x"))
      assert.strictEqual(failed._tag, "NoAnswer")
      assert.match(failed.runs?.[0]?.fault ?? "", /^failed/)
      assert.match(failed.messages?.join() ?? "", /the hook `ours` failed/)
    }))
})

describe("hooks that are prompts", () => {
  const prompt = (hook: Partial<PromptHook> = {}, event: HookEvent = "PreToolUse"): HookEntry => ({
    ...hookOf("", { event }),
    hook: { type: "prompt", prompt: "May this run? $ARGUMENTS", ...hook }
  })

  const model = (
    reply: (prompt: Prompt.Prompt) => Effect.Effect<unknown, AiError.AiError>
  ): Layer.Layer<LanguageModel.LanguageModel> =>
    Layer.effect(
      LanguageModel.LanguageModel,
      LanguageModel.make({
        generateText: ({ prompt }) =>
          Effect.map(reply(prompt), (value) => [{ type: "text", text: JSON.stringify(value) }]),
        streamText: () => Stream.empty
      })
    )

  const run = (hook: HookEntry, reply: (prompt: Prompt.Prompt) => Effect.Effect<unknown, AiError.AiError>) =>
    before([hook]).pipe(Effect.provide(layer({ languageModel: model(reply) })))

  it.effect("a model that objects denies and ends the turn, unless the model may go on", () =>
    Effect.gen(function*() {
      const no = () => Effect.succeed({ ok: false, reason: "it deletes files" })
      const denied = yield* run(prompt(), no)
      assert.deepStrictEqual([denied.decision, denied.reason, denied.endsTurn], [
        "deny",
        "it deletes files",
        "it deletes files"
      ])
      assert.isUndefined((yield* run(prompt({ continueOnBlock: true }), no)).endsTurn)
    }))

  it.effect("a model that does not object has no opinion, never an allow", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* run(prompt(), () => Effect.succeed({ ok: true, reason: "" }))).decision, "none")
    }))

  it.effect("the call takes the place of $ARGUMENTS, or follows", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const reply = (asked: Prompt.Prompt) =>
        Effect.sync(() => {
          seen.push(JSON.stringify(asked.content.at(-1)))
          return { ok: true, reason: "" }
        })
      yield* run(prompt(), reply)
      yield* run(prompt({ prompt: "Is it fine?" }), reply)
      assert.match(seen[0] ?? "", /May this run\? \{.*npm test/)
      assert.match(seen[1] ?? "", /Is it fine\?.*npm test/)
    }))

  it.effect("no model, a model that fails, and one that answers something else have not decided", () =>
    Effect.gen(function*() {
      const none = yield* before([prompt()]).pipe(Effect.provide(layer()))
      assert.strictEqual(none.decision, "ask")
      assert.match(none.runs[0]?.fault ?? "", /none was given/)
      const failure = AiError.make({ module: "test", method: "test", reason: new AiError.RateLimitError({}) })
      const failed = yield* run(prompt(), () => Effect.fail(failure))
      assert.match(failed.runs[0]?.fault ?? "", /RateLimitError/)
      const odd = yield* run(prompt({ onFailure: "block" }), () => Effect.succeed({ okay: "yes" }))
      assert.strictEqual(odd.decision, "deny")
    }))

  it.effect("the application's model is asked where none is given for hooks, by the name that the hook says", () =>
    Effect.gen(function*() {
      let name: string | undefined
      const ours = model(() =>
        Effect.map(ModelChoice, (chosen) => {
          name = chosen
          return { ok: false, reason: "no" }
        })
      )
      const outcome = yield* before([prompt({ model: "small" })]).pipe(
        Effect.provide(Layer.provide(layer(), ours))
      )
      assert.deepStrictEqual([outcome.decision, name], ["deny", "small"])
    }))

  it.effect("in a person's place a model's word does nothing; after a tool it is told", () =>
    Effect.gen(function*() {
      const runner = layer({ languageModel: model(() => Effect.succeed({ ok: false, reason: "no" })) })
      const answer = yield* Effect.flatMap(HookRunner, (hooks) =>
        hooks.permissionRequest(callWith([prompt({}, "PermissionRequest")]), [])).pipe(Effect.provide(runner))
      assert.strictEqual(answer._tag, "NoAnswer")
      const after = yield* Effect.flatMap(HookRunner, (hooks) =>
        hooks.postToolUse(callWith([prompt({}, "PostToolUse")]), "x", 1)).pipe(Effect.provide(runner))
      assert.deepStrictEqual([after.context[0], after.endsTurn], ["no", "no"])
    }))

  it.effect("a model that hangs is left after 30 seconds", () =>
    Effect.gen(function*() {
      let interrupted = false
      const asked = yield* Deferred.make<void>()
      const hanging = Effect.andThen(Deferred.succeed(asked, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Effect.sync(() => interrupted = true))
      )
      const fiber = yield* Effect.forkChild(run(prompt(), () => hanging))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("30 seconds")
      assert.match((yield* Fiber.join(fiber)).runs[0]?.fault ?? "", /longer than its 30 s/)
      assert.isTrue(interrupted)
    }))
})

describe("hooks in the background", () => {
  const started = (
    run: (command: HookCommand) => Effect.Effect<HookEnd>
  ) =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(layer({ run }), scope)
      return { runner: Context.get(context, HookRunner), scope }
    })

  const later = hookOf({ command: "later", async: true })

  it.effect("nobody waits for it and it decides nothing; what it says comes with a later call of the session", () =>
    Effect.gen(function*() {
      const end = yield* Deferred.make<HookEnd>()
      const { runner, scope } = yield* started(() => Deferred.await(end))
      const first = yield* runner.preToolUse(callWith([later]))
      assert.deepStrictEqual([first.decision, first.context], ["none", []])
      yield* Deferred.succeed(
        end,
        exited(
          JSON.stringify({
            systemMessage: "done",
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              additionalContext: "the tests are red"
            }
          })
        )
      )
      for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
      const other = yield* runner.preToolUse(callWith([], { context: { session: "t", cwd: "/", directories: [] } }))
      assert.deepStrictEqual(other.context, [])
      const next = yield* runner.preToolUse(callWith([]))
      assert.deepStrictEqual([next.decision, next.context, next.messages], ["none", ["the tests are red"], ["done"]])
      assert.deepStrictEqual((yield* runner.preToolUse(callWith([]))).context, [])
      yield* Scope.close(scope, Exit.void)
    }))

  it.effect("a fault is told, and exit code 2 reaches the model", () =>
    Effect.gen(function*() {
      const { runner, scope } = yield* started(({ args }) =>
        Effect.succeed(args.includes("wakes") ? exited("", 2, "look again") : exited("", 127))
      )
      const first = yield* runner.preToolUse(callWith([later, hookOf({ command: "wakes", async: true })]))
      for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
      const next = yield* runner.postToolUse(callWith([]), "x", 1)
      assert.strictEqual(first.decision, "none")
      assert.deepStrictEqual([...first.context, ...next.context], ["look again"])
      assert.match([...first.messages, ...next.messages].join(), /in the background could not start/)
      yield* Scope.close(scope, Exit.void)
    }))

  it.effect("the end waits some seconds for it, then ends it; an interruption does not wait", () =>
    Effect.gen(function*() {
      for (const [exit, seconds] of [[Exit.void, 5], [Exit.interrupt(), 0]] as const) {
        const ended = yield* Deferred.make<void>()
        const { runner, scope } = yield* started(() =>
          Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
        )
        yield* runner.preToolUse(callWith([later]))
        yield* Effect.yieldNow
        const closing = yield* Effect.forkChild(Scope.close(scope, exit))
        yield* Effect.yieldNow
        assert.strictEqual(yield* Deferred.isDone(ended), seconds === 0)
        yield* TestClock.adjust(`${seconds} seconds`)
        yield* Fiber.join(closing)
        assert.isTrue(yield* Deferred.isDone(ended))
      }
    }))
})

describe("hooks that run once", () => {
  const once = hookOf({ command: "once", once: true })
  const counting = (ends: ReadonlyArray<HookEnd> = []) => {
    const seen: Array<string> = []
    const run = (command: HookCommand) =>
      Effect.sync(() => {
        seen.push(JSON.parse(command.stdin).session_id)
        return ends[seen.length - 1] ?? exited("")
      })
    return { seen, run }
  }
  const inSession = (session: string) => before([once], { context: { session, cwd: "/", directories: [] } })

  it.effect("it runs for the first call of each session", () =>
    Effect.gen(function*() {
      const { run, seen } = counting()
      yield* Effect.andThen(Effect.all([inSession("a"), inSession("a"), inSession("b"), inSession("a")]), Effect.void)
        .pipe(Effect.provide(layer({ run })))
      assert.deepStrictEqual(seen, ["a", "b"])
    }))

  it.effect("processes that share a session share what ran", () =>
    Effect.gen(function*() {
      const { run, seen } = counting()
      yield* inSession("a").pipe(Effect.provide(layer({ run })))
      yield* inSession("a").pipe(Effect.provide(Layer.fresh(layer({ run }))))
      assert.deepStrictEqual(seen, ["a"])
    }).pipe(Effect.provide(SessionStoreLayers.layerMemory)))

  it.effect("one that could not do its work has not run", () =>
    Effect.gen(function*() {
      const { run, seen } = counting([exited("", 127)])
      yield* Effect.all([inSession("a"), inSession("a"), inSession("a")]).pipe(Effect.provide(layer({ run })))
      assert.deepStrictEqual(seen, ["a", "a"])
    }))
})

describe("what a person sees", () => {
  it.effect("status messages are told while hooks run, on one line and without what a terminal obeys", () =>
    Effect.gen(function*() {
      const seen: Array<CallEvent> = []
      yield* before([
        hookOf({ command: "a", statusMessage: "asking\nthe \u001b[31mserver" }),
        hookOf("b")
      ]).pipe(
        Effect.provide(layer({ run: () => Effect.succeed(exited("")) })),
        Effect.provideService(CallEvents, (event) => Effect.sync(() => void seen.push(event)))
      )
      assert.deepStrictEqual(seen, [
        { _tag: "Progress", id: "toolu_1", channel: "message", text: "asking the server" }
      ])
    }))
})

describe("hooks after a batch", () => {
  it.effect("they get all calls and their results at once, whatever their matcher", () =>
    Effect.gen(function*() {
      const told: Array<unknown> = []
      const { context, mode, policy } = callWith([
        hookOf("all", { event: "PostToolBatch", matcher: "Edit" }),
        hookOf({ command: "never", if: "Bash(git *)" }, { event: "PostToolBatch" })
      ])
      const outcome = yield* Effect.flatMap(HookRunner, (runner) =>
        runner.postToolBatch({
          context,
          mode,
          policy,
          calls: [{ id: "toolu_1", tool: "Read", input: { file_path: "/a" }, response: "text" }]
        })).pipe(Effect.provide(layer({
          run: (command) =>
            Effect.sync(() => {
              told.push(JSON.parse(command.stdin))
              return exited("", 2, "stop here")
            })
        })))
      assert.deepStrictEqual(told, [{
        session_id: "s",
        transcript_path: "",
        cwd: "/",
        permission_mode: "default",
        hook_event_name: "PostToolBatch",
        tool_calls: [{
          tool_name: "Read",
          tool_input: { file_path: "/a" },
          tool_use_id: "toolu_1",
          tool_response: "text"
        }]
      }])
      assert.deepStrictEqual(outcome.context, ["stop here", "a hook ended the turn: call no further tool"])
      assert.strictEqual(outcome.endsTurn, "stop here")
    }))
})
