import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Tool from "../../src/domain/Tool.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { ToolRegistry } from "../../src/services/ToolRegistry.ts"

const registered = (name: string, description = "does it") =>
  Effect.exit(
    Effect.flatMap(ToolRegistry, ({ all }) => all).pipe(
      Effect.provide(ToolRegistryLayers.layerTools([
        Tool.make({ name, description, input: Schema.Struct({}), handler: () => Effect.succeed("") })
      ]))
    )
  )

describe("ToolRegistry", () => {
  it.effect("a tool that no model could be given is a mistake of the program, which is told in one line", () =>
    Effect.gen(function*() {
      for (const name of ["Read", "mcp__a-b__c", "x".repeat(128)]) {
        assert.isTrue(Exit.isSuccess(yield* registered(name)), name)
      }
      for (const name of ["", "two words", "caf\u00e9", "a.b", "x".repeat(129), "line\n"]) {
        const exit = yield* registered(name)
        const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.match(String(error), /a tool can't be named `[^]*`: use 1 to 128 letters, digits, `_` and `-`/, name)
      }
      const exit = yield* registered("Read", " ")
      assert.match(String(Exit.isFailure(exit) ? Cause.squash(exit.cause) : ""), /the tool `Read` needs a description/)
    }))
})
