import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { nothingAfter } from "../src/domain/Hook.ts"
import * as Tool from "../src/domain/Tool.ts"
import { textOf } from "../src/domain/ToolResult.ts"
import { McpAuthRequired, McpCallFailed, ToolFailed } from "../src/errors/ExecuteError.ts"
import { withLock } from "../src/layers/files/withLock.ts"
import * as HookRunnerLayers from "../src/layers/HookRunner.ts"
import * as PathResolverLayers from "../src/layers/PathResolver.ts"
import * as ResultStoreLayers from "../src/layers/ResultStore.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import * as TasksLayers from "../src/layers/Tasks.ts"
import { layer, Pipeline } from "../src/pipeline.ts"
import { ResultStore } from "../src/services/ResultStore.ts"
import { Tasks } from "../src/services/Tasks.ts"
import { withFolder } from "./layers/files/withFolder.ts"
import { context, hooks, services, use } from "./support/services.ts"
import { smallDisk } from "./support/smallDisk.ts"

const limit = 2_000

const tool = (name: string, handler: () => Effect.Effect<unknown, unknown>, timeoutMillis?: number) =>
  Tool.make({
    name,
    description: "a tool",
    input: Schema.Struct({ n: Schema.optionalKey(Schema.Int) }),
    concurrencySafe: () => true,
    maxResultSizeChars: limit,
    ...(timeoutMillis === undefined ? {} : { timeoutMillis }),
    handler
  })

const long = "a line of the output\n".repeat(20_000)

const storeIn = (folder: string): Layer.Layer<ResultStore> =>
  ResultStoreLayers.layerFiles(folder).pipe(Layer.provide(NodeServices.layer))

describe("a store that does not do its work", () => {
  const one = tool("Probe", () => Effect.succeed(long))
  const calling = (results: Layer.Layer<ResultStore>, use_ = use("Probe")) =>
    Effect.flatMap(Pipeline, (pipeline) => pipeline.run(use_)).pipe(
      Effect.provide(
        layer(context).pipe(Layer.provide(services({
          tools: [one],
          results,
          rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })
        })))
      )
    )
  const told = (text: string, why: RegExp) => {
    assert.isAtMost(text.length, limit)
    assert.isAbove(text.length, limit - 250)
    assert.isTrue(text.startsWith("a line of the output\n"))
    assert.include(text, `${long.length} bytes`)
    assert.match(text, why)
  }

  it.live("a full disk cuts the result and says so, and leaves no piece of it behind", (test) =>
    smallDisk(test, (disk) =>
      Effect.gen(function*() {
        disk.fill()
        const full = yield* calling(storeIn(disk.folder))
        assert.isUndefined(full.is_error)
        told(
          textOf(full.content),
          /the full output could not be kept: the f\w+( for results)? has no space left on its disk/
        )
        disk.free()
        const kept = textOf((yield* calling(storeIn(disk.folder))).content)
        const [, path = ""] = /the whole is in (\S+), /.exec(kept) ?? []
        assert.strictEqual(readFileSync(path, "utf8"), long)
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      })))

  it.live("a full disk keeps no file of what could not be written whole, and nobody waits for one later", (test) =>
    smallDisk(test, (disk) =>
      Effect.gen(function*() {
        const store = yield* ResultStore
        const tasks = yield* Tasks
        const room = yield* tasks.room("s")
        const task = {
          id: room.id,
          command: "x".repeat(10_000),
          cwd: "/",
          because: "asked",
          startedMillis: 0,
          output: room.output,
          group: 1,
          since: 0,
          variable: ""
        } as const
        const writes: ReadonlyArray<Effect.Effect<unknown, unknown, FileSystem.FileSystem>> = [
          withLock(join(disk.folder, "lock"))(Effect.void),
          Effect.scoped(Effect.flatMap(store.open(context, "t1"), ({ append }) => append(new Uint8Array(10_000)))),
          store.keep(context, "t2", long),
          tasks.note("s", task)
        ]
        disk.fill()
        for (const write of writes) yield* Effect.flip(write)
        const files = readdirSync(disk.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        assert.deepStrictEqual(files.map(({ name }) => name), ["ballast"])
        disk.free()
        for (const write of writes) yield* write
      }).pipe(
        Effect.provide(
          Layer.merge(storeIn(disk.folder), TasksLayers.layerFiles(disk.folder)).pipe(
            Layer.provideMerge(NodeServices.layer)
          )
        )
      )))

  it.live("a read-only disk cuts the result and says so", (test) =>
    smallDisk(test, (disk) =>
      Effect.gen(function*() {
        // Of folders that are not there yet, the system only says that they are not.
        disk.readOnly(true)
        told(textOf((yield* calling(storeIn(disk.folder))).content), /the full output could not be kept: /)
        disk.readOnly(false)
        yield* calling(storeIn(disk.folder))
        disk.readOnly(true)
        told(textOf((yield* calling(storeIn(disk.folder))).content), /is on a read-only file system/)
        disk.readOnly(false)
      })))

  it.live("a folder that vanishes between two calls is made anew, and a file in its place is told of", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const state = join(folder, "state")
        const results = storeIn(state)
        yield* calling(results)
        rmSync(state, { recursive: true })
        const again = textOf((yield* calling(results)).content)
        assert.include(again, "the whole is in")
        rmSync(state, { recursive: true })
        writeFileSync(state, "")
        told(textOf((yield* calling(results)).content), /has a file where a folder should be/)
      })
    ))
})

describe("a result that is in the store", () => {
  it.live("is nowhere else while hooks look at it", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        setFlagsFromString("--expose-gc")
        const collect: () => void = runInNewContext("gc")
        let value: WeakRef<object> | undefined
        let response: unknown
        let alive: boolean | undefined
        const big = tool("Probe", () =>
          Effect.sync(() => {
            const made = { stdout: "x".repeat(5_000_000), rows: Array.from({ length: 1_000 }, (_, at) => ({ at })) }
            value = new WeakRef(made)
            return made
          }))
        const runner = hooks({
          postToolUse: (_, given) =>
            Effect.gen(function*() {
              response = given
              // A turn of the event loop, since a reference that was looked at lives until its end.
              yield* Effect.sleep("5 millis")
              collect()
              yield* Effect.sleep("5 millis")
              collect()
              alive = value?.deref() !== undefined
              return nothingAfter
            })
        })
        yield* Effect.flatMap(Pipeline, (pipeline) => pipeline.run(use("Probe"))).pipe(
          Effect.provide(
            layer(context).pipe(Layer.provide(services({
              tools: [big],
              hooks: runner,
              results: storeIn(folder),
              rules: RuleSourcesLayers.layerMemory({ texts: { session: { allow: ["Probe"] } } })
            })))
          )
        )
        assert.isFalse(alive)
        assert.isAtMost(JSON.stringify(response).length, 12_000)
        const { persistedOutputPath } = Schema.decodeUnknownSync(
          Schema.Struct({ persistedOutputPath: Schema.String })
        )(response)
        assert.isAbove(statSync(persistedOutputPath).size, 5_000_000)
      })
    ))
})

describe("real hooks after a tool", () => {
  const around = (folder: string, after: unknown, event = "PostToolUse") =>
    layer({ ...context, cwd: folder }).pipe(Layer.provide(services({
      tools: [
        tool("Probe", () => Effect.succeed({ fine: true })),
        tool("Fails", () => Effect.fail(new ToolFailed({ reason: "no such thing", exitCode: 3 }))),
        tool("Throws", () =>
          Effect.sync(() => {
            throw new TypeError("thrown")
          })),
        tool("Dies", () => Effect.die("dead")),
        tool("Stops", () => Effect.interrupt),
        tool("Late", () => Effect.never, 20),
        tool("Server", () => Effect.fail(new McpCallFailed({ server: "acme", reason: "down" }))),
        tool("Signed", () => Effect.fail(new McpAuthRequired({ server: "acme", how: "sign in" })))
      ],
      rules: RuleSourcesLayers.layerMemory({
        texts: {
          session: { allow: ["Probe", "Fails", "Throws", "Dies", "Stops", "Late", "Server", "Signed"] }
        },
        files: { userSettings: JSON.stringify({ hooks: { [event]: [{ hooks: [after] }] } }) }
      }),
      hooks: HookRunnerLayers.layerCommands.pipe(
        Layer.provide(PathResolverLayers.layerNode({ home: folder, stateDirectories: [] })),
        Layer.provide(NodeServices.layer)
      ),
      results: storeIn(join(folder, "state"))
    })))
  const running = (name: string) => Effect.flatMap(Pipeline, (pipeline) => pipeline.run(use(name)))

  const kinds: { readonly [kind: string]: { readonly hook: unknown; readonly text: RegExp } } = {
    fails: { hook: { type: "command", command: "exit 1" }, text: /^\{"fine":true\}$/ },
    "is not there": { hook: { type: "command", command: "/no/such/hook" }, text: /^\{"fine":true\}$/ },
    hangs: { hook: { type: "command", command: "sleep 60", timeout: 0.3 }, text: /^\{"fine":true\}$/ },
    "kills itself": { hook: { type: "command", command: "kill -9 $$" }, text: /^\{"fine":true\}$/ },
    "answers nonsense": { hook: { type: "command", command: "echo '{\"a\": '" }, text: /^\{"fine":true\}$/ },
    floods: { hook: { type: "command", command: "yes flood | head -c 30000000; exit 2" }, text: /^\{"fine":true\}/ },
    objects: { hook: { type: "command", command: "echo 'mind the gap' >&2; exit 2" }, text: /mind the gap/ },
    rewrites: {
      hook: {
        type: "command",
        command:
          "echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"updatedToolOutput\":{\"other\":1}}}'"
      },
      text: /^\{"other":1\}$/
    },
    "rewrites at length": {
      hook: {
        type: "command",
        command: "printf '{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"updatedToolOutput\":\"'; " +
          "head -c 50000 /dev/zero | tr '\\0' r; printf '\"}}'"
      },
      text: /^r+\n…\n\[the output has 50000 bytes; .* the whole is in /s
    }
  }
  for (const [kind, { hook, text }] of Object.entries(kinds)) {
    it.live(`one that ${kind} loses no result`, () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          const result = yield* running("Probe").pipe(Effect.provide(around(folder, hook)))
          assert.isUndefined(result.is_error)
          assert.match(textOf(result.content), text)
          assert.isBelow(textOf(result.content).length, 20_000)
        })
      ))
  }

  it.live(
    "`PostToolUseFailure` hears of every kind of failure, by name, input and error, and of none that never ran",
    () =>
      withFolder((folder) =>
        Effect.gen(function*() {
          mkdirSync(join(folder, "told"))
          const hook = { type: "command", command: `cat > ${folder}/told/$(date +%N)-$$.json` }
          const run = running
          const names = ["Fails", "Throws", "Dies", "Stops", "Late", "Server", "Signed"]
          const all = around(folder, hook, "PostToolUseFailure")
          yield* Effect.forEach([...names, "Probe", "Nothing"], (name) => run(name)).pipe(Effect.provide(all))
          const files = yield* Effect.promise(() =>
            import("node:fs/promises").then(({ readdir }) => readdir(`${folder}/told`))
          )
          const told = files.map((file) =>
            Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
              hook_event_name: Schema.Literal("PostToolUseFailure"),
              tool_name: Schema.String,
              tool_input: Schema.Struct({}),
              error: Schema.NonEmptyString
            })))(readFileSync(join(folder, "told", file), "utf8"))
          )
          assert.deepStrictEqual(
            Object.fromEntries(told.map(({ error, tool_name }) => [tool_name, error])),
            {
              Fails: "Exit code 3\nno such thing",
              Throws: "thrown",
              Dies: "dead",
              Stops: "the tool stopped itself",
              Late: "stopped at its time limit of 20 ms",
              Server: "the call to the server `acme` failed: down",
              Signed: "the server `acme` wants you to sign in: sign in"
            }
          )
          assert.isFalse(existsSync(join(folder, "state")))
        })
      )
  )
})
