/** Runs a call of a built-in tool, stops it at a point of its way, and checks that nothing is left of it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scheduler from "effect/Scheduler"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { standard } from "../../src/domain/AuditEntry.ts"
import type { Stage } from "../../src/domain/CallEvent.ts"
import type { Tool } from "../../src/domain/Tool.ts"
import { textOf, ToolResult } from "../../src/domain/ToolResult.ts"
import * as ApproverLayers from "../../src/layers/Approver.ts"
import * as AuditLogLayers from "../../src/layers/AuditLog.ts"
import * as ClassifierLayers from "../../src/layers/Classifier.ts"
import * as DenialTrackerLayers from "../../src/layers/DenialTracker.ts"
import { sessionFolder } from "../../src/layers/files/sessionFolder.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as ResultStoreLayers from "../../src/layers/ResultStore.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import * as SessionStoreLayers from "../../src/layers/SessionStore.ts"
import * as TasksLayers from "../../src/layers/Tasks.ts"
import * as TelemetryLayers from "../../src/layers/Telemetry.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { Tasks } from "../../src/services/Tasks.ts"
import { BashLimits } from "../../src/tools/BashLimits.ts"
import { builtin } from "../../src/tools/builtin.ts"
import { WebLimits } from "../../src/tools/WebLimits.ts"
import { hooks, use } from "./services.ts"

const linux = process.platform === "linux"

/** What the notebook of every world holds. */
export const notebook = `{"cells":[{"cell_type":"raw","id":"a","metadata":{},"source":["old"]}]}`

/** Where a call is stopped: when a stage begins or ends, or at a step of any fiber of it. */
export type Point =
  | { readonly stage: Stage; readonly when: "begins" | "ends" }
  | { readonly step: number }

/** `cancelled` asks for a result, `killed` interrupts the fiber that runs the call. */
export type How = "cancelled" | "killed"

/**
 * A call and the world around it.
 *
 * - `first`: calls that it depends on.
 * - `holds`: what a file may hold afterwards, whenever it was stopped; `done` if it was not.
 */
export interface Case {
  readonly tool: string
  readonly input: unknown
  readonly first?: ReadonlyArray<readonly [tool: string, input: unknown]>
  readonly holds?: { readonly [file: string]: ReadonlyArray<string | undefined> }
  readonly done?: { readonly [file: string]: string }
}

const server = Effect.acquireRelease(
  Effect.callback<{ readonly host: string; readonly open: () => number; readonly close: () => void }>((resume) => {
    let open = 0
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write("<p>one")
      setImmediate(() => response.end("<p>two"))
    })
    server.on("connection", (socket) => {
      open += 1
      socket.on("close", () => open -= 1)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({
        host: `127.0.0.1:${port}`,
        open: () => open,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** The tools, with every service on files as the command line has it, and how many handlers are open. */
export const workshop = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "toolgate-interrupts-")))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const cwd = join(folder, "work")
  const state = join(folder, "state")
  const handlers = { open: 0 }
  const counted = <R>(tool: Tool<R>): Tool<R> => ({
    ...tool,
    prepare: (input) =>
      Result.map(tool.prepare(input), (invocation) => ({
        ...invocation,
        run: (context) =>
          Effect.acquireUseRelease(
            Effect.sync(() => handlers.open++),
            () => invocation.run(context),
            () => Effect.sync(() => handlers.open--)
          )
      }))
  })
  const stores = Layer.mergeAll(
    SessionStoreLayers.layerFiles(state),
    ResultStoreLayers.layerFiles(state),
    AuditLogLayers.layerFiles(state),
    TasksLayers.layerFiles(state),
    TelemetryLayers.layer(),
    PathResolverLayers.layerNode({ home: join(folder, "home"), stateDirectories: [state] }),
    Layer.effect(BashLimits, Effect.map(BashLimits, (usual) => ({ ...usual, graceMillis: 100 })))
  ).pipe(Layer.provideMerge(NodeServices.layer))
  const services = Layer.mergeAll(
    RuleSourcesLayers.layerMemory({
      // Edits are asked about, so that what comes before the question is stopped, too.
      texts: { session: { allow: builtin.map(({ name }) => name).filter((name) => !name.endsWith("Edit")) } },
      audit: standard
    }),
    hooks(),
    ApproverLayers.layerFunction(() => Effect.succeed({ _tag: "Once" as const })),
    ClassifierLayers.layerStatic,
    DenialTrackerLayers.layerSession(),
    ToolRegistryLayers.layerTools(builtin.map(counted))
  ).pipe(Layer.provideMerge(stores))
  const context = { session: "law", cwd, directories: [] }
  const built = yield* Layer.build(layer(context).pipe(Layer.provideMerge(services)))
  const { run, runAll } = Context.get(built, Pipeline)
  const tasks = Context.get(built, Tasks)
  return { folder, cwd, state, handlers, context, run, runAll, tasks, web: yield* server }
})

type Workshop = Effect.Success<typeof workshop>

/** Counts every step of the fibers that run by it. */
class Steps extends Scheduler.MixedScheduler {
  count = 0
  readonly struck: (count: number) => void
  constructor(struck: (count: number) => void) {
    super()
    this.struck = struck
  }
  override shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    this.count += 1
    this.struck(this.count)
    return super.shouldYield(fiber)
  }
}

/** Hears of every stage at the very moment. */
const stagesBy = (heard: (stage: string, when: "begins" | "ends") => void): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const stage = options.name.replace("toolgate.", "")
      heard(stage, "begins")
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      return Object.assign(span, {
        end: (...args: Parameters<typeof end>) => {
          end(...args)
          heard(stage, "ends")
        }
      })
    }
  })

/** What is there or, where it is not, something else. */
const orElse = <A>(look: () => A, other: A): A => Result.getOrElse(Result.try(look), () => other)

const contentsOf = (path: string): string | undefined =>
  orElse<string | undefined>(() => readFileSync(path, "utf8"), undefined)

const listed = (folder: string, recursive = true): ReadonlyArray<string> =>
  orElse(() => readdirSync(folder, { recursive, encoding: "utf8" }).toSorted(), [])

/** Where the links of a folder of the kernel lead that lead into another one. */
const leading = (links: ReadonlyArray<string>, folder: string): ReadonlyArray<string> =>
  links.map((link) => orElse(() => readlinkSync(link), "")).filter((path) => path.startsWith(folder))

/** What our process has open: files in a folder, or `socket:`s, which is what Node has for the streams of a child. */
const openIn = (folder: string): ReadonlyArray<string> =>
  linux ? leading(listed("/proc/self/fd", false).map((name) => `/proc/self/fd/${name}`), folder) : []

/** The places at which processes stand in a folder. */
const standingIn = (folder: string): ReadonlyArray<string> =>
  linux ? leading(readdirSync("/proc").filter((pid) => /^\d+$/.test(pid)).map((pid) => `/proc/${pid}/cwd`), folder) : []

/** What ends a moment after its call, as the look after a task does, is waited for. A busy machine's moment is long. */
const soon = Effect.fnUntraced(function*(what: string, left: () => ReadonlyArray<unknown>) {
  for (let tries = 0; tries < 100_000 && left().length > 0; tries += 1) yield* Effect.sleep(1)
  assert.deepStrictEqual(left(), [], what)
})

let trials = 0

/**
 * Runs a case, stops it at a point, and checks everything that has to hold afterwards. Gives how many
 * steps it took, and whether it came to the point.
 */
export const trial = Effect.fnUntraced(
  function*(shop: Workshop, { done = {}, first = [], holds = {}, ...asked }: Case, given?: {
    readonly how: How
    readonly point: Point
  }) {
    const { cwd, handlers, run, runAll, state, tasks, web } = shop
    const session = `law-${trials++}`
    const sockets = openIn("socket:").length
    const context = { ...shop.context, session }
    rmSync(cwd, { recursive: true, force: true })
    mkdirSync(cwd, { recursive: true })
    writeFileSync(join(cwd, "a.txt"), "old\n")
    writeFileSync(join(cwd, "book.ipynb"), notebook)
    const call = (tool: string, input: unknown) => run(use(tool, input, `toolu_${trials++}`), context)

    let task = ""
    for (const [tool, input] of first) {
      const { content } = yield* call(tool, input)
      task = /task `([0-9a-f]{8})`/.exec(textOf(content))?.[1] ?? task
    }
    const input: unknown = JSON.parse(
      JSON.stringify(asked.input).replace("TASK", task).replace("SERVER", web.host)
    )

    const stop = yield* Deferred.make<"cancelled">()
    const roots: Array<Fiber.Fiber<unknown>> = []
    let struck = false
    const strike = () => {
      struck = true
      if (given?.how === "killed") roots[0]?.interruptUnsafe()
      else Deferred.doneUnsafe(stop, Effect.succeed("cancelled"))
    }
    const steps = new Steps((count) => {
      if (given !== undefined && "step" in given.point && given.point.step === count) strike()
    })
    const tracer = stagesBy((stage, when) => {
      if (given !== undefined && "stage" in given.point && given.point.stage === stage && given.point.when === when) {
        strike()
      }
    })
    const one = use(asked.tool, input, "toolu_law")
    const running = given?.how === "killed"
      ? Effect.map(run(one, context), (result) => [result])
      : Effect.orDie(runAll([one], { context, cancel: Deferred.await(stop) }))
    const fiber = yield* running.pipe(
      Effect.updateService(WebLimits, (usual) => ({ ...usual, privateHosts: [web.host] })),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(Scheduler.Scheduler, steps),
      Effect.forkChild
    )
    roots.push(fiber)
    const exit = yield* Fiber.await(fiber)

    // Exactly one result, unless whoever waited for it is gone.
    if (given?.how !== "killed") assert.isTrue(Exit.isSuccess(exit))
    if (Exit.isSuccess(exit)) {
      assert.deepStrictEqual(exit.value.map(({ tool_use_id }) => tool_use_id), ["toolu_law"])
      assert.isTrue(Schema.is(ToolResult)(exit.value[0]))
    } else {
      assert.isTrue(Exit.hasInterrupts(exit) && !Exit.hasDies(exit), String(exit))
    }
    assert.strictEqual(handlers.open, 0, "a handler is open")

    // No half of a file, no folder for none, nothing for the time being.
    const succeeded = Exit.isSuccess(exit) && exit.value[0]?.is_error !== true
    for (const [file, contents] of Object.entries(holds)) {
      assert.include(contents, contentsOf(join(cwd, file)), file)
    }
    for (const [file, contents] of Object.entries(succeeded ? done : {})) {
      assert.strictEqual(contentsOf(join(cwd, file)), contents, file)
    }
    const made = Object.keys(holds).filter((file) => contentsOf(join(cwd, file)) !== undefined)
    const known = [
      "a.txt",
      "book.ipynb",
      ...made.flatMap((file) => file.split("/").map((_, at, names) => names.slice(0, at + 1).join("/")))
    ]
    assert.deepStrictEqual(listed(cwd), [...new Set(known)].sort())

    // What still runs is a task that can be ended.
    const all = yield* Effect.orDie(tasks.list(session))
    const open = all.filter(({ end }) => end === undefined)
    if (open.length === 0) assert.deepStrictEqual(standingIn(cwd), [], "a process runs and is no task")
    for (const { task } of open) yield* call("TaskStop", { task_id: task.id })
    assert.deepStrictEqual(standingIn(cwd), [], "a process runs after its task was stopped")
    const folders = listed(join(sessionFolder(state, session), "tasks"), false)
    assert.sameMembers([...folders], all.map(({ task }) => task.id), "a task that nobody knows")
    yield* soon("a file is not done", () => listed(state).filter((path) => /\.(lock|tmp)$/.test(path)))
    yield* soon("a file is open", () => openIn(shop.folder))
    yield* soon("a socket is open", () => openIn("socket:").slice(sockets))
    yield* soon("a connection is open", () => Array.from({ length: web.open() }))

    // What was written was seen, so that it may be changed.
    for (const file of Object.keys(asked.tool === "Bash" ? {} : holds)) {
      if (contentsOf(join(cwd, file)) === undefined) continue
      const again = yield* call("Write", { file_path: file, content: "again\n" })
      assert.isUndefined(again.is_error, textOf(again.content))
    }
    return { steps: steps.count, struck }
  }
)
