import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Tool from "../src/domain/Tool.ts"
import { textOf } from "../src/domain/ToolResult.ts"
import { Pipeline } from "../src/pipeline.ts"
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

const running = (folder: string, options: Partial<Options>) =>
  Effect.flatMap(Pipeline, (one) => one.run(use("Long"))).pipe(
    Effect.provide(layer({
      context: { session: "s", cwd: folder, directories: [] },
      tools: [long],
      allowedTools: ["Long"],
      home: folder,
      managedRoot: join(folder, "managed"),
      state: join(folder, "state"),
      ...options
    }))
  )

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
})
