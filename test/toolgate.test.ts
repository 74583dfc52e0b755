import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Tool from "../src/domain/Tool.ts"
import { textOf } from "../src/domain/ToolResult.ts"
import { Pipeline } from "../src/pipeline.ts"
import { AuditLog } from "../src/services/AuditLog.ts"
import { layer, type Options } from "../src/toolgate.ts"
import { withFolder } from "./layers/files/withFolder.ts"
import { use } from "./support/services.ts"

const text = "a line\n".repeat(1_000)

const long = Tool.make({
  name: "Long",
  description: "gives a long text",
  input: Schema.Struct({}),
  handler: () => Effect.succeed(text)
})

const running = (folder: string, options: Partial<Options>, beneath: Layer.Layer<never> = Layer.empty) =>
  Effect.flatMap(Pipeline, (one) => one.run(use("Long"))).pipe(
    Effect.provide(Layer.provide(
      layer({
        context: { session: "s", cwd: folder, directories: [] },
        tools: [long],
        allowedTools: ["Long"],
        home: folder,
        managedRoot: join(folder, "managed"),
        state: join(folder, "state"),
        ...options
      }),
      beneath
    ))
  )

describe("the application of its own parts in the scratchpad", () => {
  it("runs what its rules allow, and nothing of the machine's has a say", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--conditions", "toolgate-source", "scratchpad/own-parts.ts"],
      { encoding: "utf8" }
    )
    assert.strictEqual(status, 0)
    assert.match(stdout, /^hello Alice\nA rule \(`Greet\(whom:Mallory\)`\) denies/)
  })
})

describe("a hook that replaces what a tool gave", () => {
  const calls: ReadonlyArray<readonly [name: string, input: object]> = [
    ["Bash", { command: "echo out; echo err >&2" }],
    ["Bash", { command: "true" }],
    ["Write", { file_path: "a.txt", content: "one\ntwo\n" }],
    ["Read", { file_path: "a.txt" }],
    ["Edit", { file_path: "a.txt", old_string: "two", new_string: "three" }],
    ["Write", { file_path: "a.txt", content: "four\n" }],
    ["Glob", { pattern: "*.txt" }],
    ["Glob", { pattern: "*.none" }],
    ["Grep", { pattern: "four", path: "." }],
    ["Grep", { pattern: "four", path: ".", output_mode: "content" }],
    ["Grep", { pattern: "four", path: ".", output_mode: "count" }],
    ["TodoWrite", { todos: [{ content: "a", status: "pending", activeForm: "doing a" }] }]
  ]
  const through = (output: (value: unknown) => unknown) => (folder: string) =>
    Effect.forEach(calls, ([name, input]) => Effect.flatMap(Pipeline, (one) => one.run(use(name, input)))).pipe(
      Effect.map((results) =>
        results.map(({ content }) => textOf(content).replaceAll(folder, "").replace(/\d+ ms/, ""))
      ),
      Effect.provide(layer({
        context: { session: "s", cwd: folder, directories: [] },
        allowedTools: ["Write", "Edit"],
        home: folder,
        managedRoot: join(folder, "managed"),
        state: join(folder, "state"),
        hooks: [{
          name: "echo",
          event: "PostToolUse",
          run: ({ own }) => Effect.succeed({ output: output(own["tool_response"]) })
        }]
      }))
    )

  it.live("by the same changes nothing, whichever tool it was", () =>
    Effect.gen(function*() {
      const plain = yield* withFolder(through(() => undefined))
      assert.deepStrictEqual(yield* withFolder(through((value) => JSON.parse(JSON.stringify(value)))), plain)
      assert.include(plain[0], "out\nerr")
    }))

  it.live("by another of its form is shown as the tool shows it, and by one of no such form as JSON", () =>
    Effect.gen(function*() {
      const redacted = yield* withFolder(
        through(() => ({ stdout: "***", stderr: "", interrupted: false, isImage: false }))
      )
      assert.strictEqual(redacted[0], "***")
      assert.strictEqual(redacted[3], "{\"stdout\":\"***\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false}")
      assert.strictEqual((yield* withFolder(through(() => "***")))[3], "***")
    }))
})

describe("layer", () => {
  it.live("an application sets the limit of a result by the name of its tool", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        assert.strictEqual(textOf((yield* running(folder, {})).content), text)
        const shown = textOf((yield* running(folder, { maxResultSizeChars: { Long: 700 } })).content)
        assert.isAtMost(shown.length, 700)
        const [, path = ""] = /the whole is in (\S+), /.exec(shown) ?? []
        assert.strictEqual(readFileSync(path, "utf8"), text)
      })
    ))

  it.live("settings set it too, and go before the application", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const settings = "{\"maxResultSizeChars\": {\"Long\": 700}}"
        const shown = textOf((yield* running(folder, { settings, maxResultSizeChars: { Long: 100_000 } })).content)
        assert.isAtMost(shown.length, 700)
      })
    ))

  it.live("a deny rule that can't be read lets nothing through, and one for a tool that comes later does no harm", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        for (const rule of ["Bash(rm", "Long(", "Long()", "", "two words"]) {
          const result = yield* running(folder, { disallowedTools: [rule] })
          assert.include(textOf(result.content), "needs a person's permission", rule)
        }
        const later = yield* running(folder, { disallowedTools: ["Later", "mcp__a__b"] })
        assert.strictEqual(textOf(later.content), text)
      })
    ))

  it.live("what settings lose is said in the log, and not what it was", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        const logged: Array<string> = []
        const logger = Logger.layer([
          Logger.make(({ logLevel, message }) => void logged.push(JSON.stringify([logLevel, message])))
        ])
        const lost = "{\"permissions\": {\"deny\": [\"Bash(secret\"]}}"
        yield* running(folder, { settings: lost }).pipe(Effect.provide(logger))
        assert.strictEqual(logged.length, 1)
        assert.match(logged[0] ?? "", /^\["Warn",.*settings can't be read, or hold rules/)
        assert.notInclude(logged[0], "secret")
        logged.length = 0
        yield* running(folder, {}).pipe(Effect.provide(logger))
        assert.deepStrictEqual(logged, [])
      })
    ))

  it.live("settings switch the audit log on", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        yield* running(folder, { settings: "{\"audit\": true}" })
        const lines = readFileSync(join(folder, "state/audit/audit.ndjson"), "utf8").trimEnd().split("\n")
        assert.strictEqual(lines.length, 1)
        assert.include(lines[0], "\"tool\":\"Long\"")
        assert.notInclude(lines[0], "a line")
      })
    ))

  it.live("an application's own audit log is offered every decision, whatever settings say", () =>
    withFolder((folder) =>
      Effect.gen(function*() {
        for (const audit of [true, false]) {
          const kept: Array<string> = []
          const own = Layer.succeed(AuditLog, {
            record: ({ tool, verdict }) => Effect.sync(() => void kept.push(`${verdict} ${tool}`))
          })
          yield* running(folder, { settings: JSON.stringify({ audit }) }, own)
          assert.deepStrictEqual(kept, ["allow Long"])
        }
        assert.isFalse(existsSync(join(folder, "state/audit")))
      })
    ))
})
