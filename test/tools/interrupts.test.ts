import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Stage } from "../../src/domain/CallEvent.ts"
import { type Case, type How, notebook, type Point, trial, workshop } from "../support/interruptedCall.ts"

const empty = "{\n \"cells\": []\n}"

const cases: { readonly [name: string]: Case } = {
  Read: { tool: "Read", input: { file_path: "a.txt" } },
  "Read of nothing": { tool: "Read", input: { file_path: "b.txt" } },
  "Write of a new file": {
    tool: "Write",
    input: { file_path: "new/deep/c.txt", content: "new\n" },
    holds: { "new/deep/c.txt": [undefined, "new\n"] },
    done: { "new/deep/c.txt": "new\n" }
  },
  "Write of an old file": {
    tool: "Write",
    first: [["Read", { file_path: "a.txt" }]],
    input: { file_path: "a.txt", content: "new\n" },
    holds: { "a.txt": ["old\n", "new\n"] },
    done: { "a.txt": "new\n" }
  },
  Edit: {
    tool: "Edit",
    first: [["Read", { file_path: "a.txt" }]],
    input: { file_path: "a.txt", old_string: "old", new_string: "new" },
    holds: { "a.txt": ["old\n", "new\n"] },
    done: { "a.txt": "new\n" }
  },
  NotebookEdit: {
    tool: "NotebookEdit",
    first: [["Read", { file_path: "book.ipynb" }]],
    input: { notebook_path: "book.ipynb", cell_id: "a", edit_mode: "delete", new_source: "" },
    holds: { "book.ipynb": [notebook, empty] },
    done: { "book.ipynb": empty }
  },
  Glob: { tool: "Glob", input: { pattern: "**" } },
  Grep: { tool: "Grep", input: { pattern: "old", output_mode: "content" } },
  Bash: {
    tool: "Bash",
    input: { command: "echo one; sleep 0.01; cp a.txt made.txt; echo two >&2" },
    holds: { "made.txt": [undefined, "", "old\n"] },
    done: { "made.txt": "old\n" }
  },
  "Bash with more output than fits": { tool: "Bash", input: { command: "head -c 200000 /dev/zero | tr '\\0' x" } },
  "Bash with a child": { tool: "Bash", input: { command: "sleep 316.5 & echo one" } },
  "Bash in the background": { tool: "Bash", input: { command: "sleep 316.5", run_in_background: true } },
  TaskOutput: {
    tool: "TaskOutput",
    first: [["Bash", { command: "echo one; sleep 316.5", run_in_background: true }]],
    input: { task_id: "TASK", block: false }
  },
  TaskStop: {
    tool: "TaskStop",
    first: [["Bash", { command: "echo one; sleep 316.5", run_in_background: true }]],
    input: { task_id: "TASK" }
  },
  TodoWrite: {
    tool: "TodoWrite",
    input: { todos: [{ content: "a", status: "pending", activeForm: "b" }] }
  },
  WebFetch: { tool: "WebFetch", input: { url: "http://SERVER/" } }
}

const hows: ReadonlyArray<How> = ["cancelled", "killed"]

/** Tools whose calls take their time. */
const processes: ReadonlySet<string> = new Set(["Bash", "TaskOutput", "TaskStop"])

/** Points that lie evenly over the steps of a call. */
const pointsIn = (steps: number, count: number): ReadonlyArray<Point> =>
  [...new Set(Array.from({ length: count }, (_, at) => 1 + Math.floor(at * steps / count)))].map((step) => ({ step }))

describe("a call that is interrupted leaves nothing behind and has exactly one result", () => {
  for (const [name, one] of Object.entries(cases)) {
    it.live(
      `when a stage begins or ends: ${name}`,
      () =>
        Effect.gen(function*() {
          const shop = yield* workshop
          yield* trial(shop, one)
          for (const stage of Stage.literals) {
            for (const when of ["begins", "ends"] as const) {
              for (const how of hows) {
                const where = `${how} when ${stage} ${when}`
                const { struck } = yield* told(where, trial(shop, one, { how, point: { stage, when } }))
                assert.isTrue(struck, where)
              }
            }
          }
        })
    )

    it.live(
      `at any step of its fibers: ${name}`,
      () =>
        Effect.gen(function*() {
          const shop = yield* workshop
          yield* trial(shop, one)
          // How many steps a call takes is another number each time: most take as many as the shortest of some.
          const trials = yield* Effect.forEach(Array.from({ length: 3 }), () => trial(shop, one))
          const steps = Math.min(...trials.map((ran) => ran.steps))
          let struck = 0
          const points = pointsIn(steps, processes.has(one.tool) ? 6 : 60)
          for (const how of hows) {
            for (const point of points) {
              const ran = yield* told(
                `${how} at ${JSON.stringify(point)} of ${steps}`,
                trial(shop, one, { how, point })
              )
              if (ran.struck) struck += 1
            }
          }
          assert.isAbove(struck, points.length)
        })
    )
  }
})

/** Says at which point a law was broken. */
const told = <A, E, R>(where: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchDefect(
    effect,
    (cause) => Effect.die(new Error(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause }))
  )
