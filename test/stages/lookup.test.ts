import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "../../src/domain/Tool.ts"
import * as ToolRegistryLayers from "../../src/layers/ToolRegistry.ts"
import { lookup } from "../../src/stages/lookup.ts"
import { given } from "../support/given.ts"
import { context, use } from "../support/services.ts"

const tool = (
  name: string,
  names: { readonly aliases?: Array<string>; readonly deprecatedAliases?: Array<string> } = {}
) => Tool.make({ name, description: name, input: Schema.Struct({}), handler: () => Effect.succeed(name), ...names })

const find = (name: string) =>
  given(lookup)({ use: use(name), context }).pipe(
    Effect.provide(ToolRegistryLayers.layerTools([
      tool("Agent", { deprecatedAliases: ["Task", "Read"] }),
      tool("Read", { aliases: ["View"] }),
      tool("WebFetch")
    ]))
  )

describe("lookup", () => {
  it.effect("finds a tool by its name", () =>
    Effect.gen(function*() {
      const found = yield* find("WebFetch")
      assert.strictEqual(found.tool.name, "WebFetch")
      assert.deepStrictEqual(found.notes, [])
    }))

  it.effect("finds a tool by an alias without a word", () =>
    Effect.gen(function*() {
      const found = yield* find("View")
      assert.strictEqual(found.tool.name, "Read")
      assert.deepStrictEqual(found.notes, [])
    }))

  it.effect("tells the model what a deprecated alias is called now", () =>
    Effect.gen(function*() {
      const found = yield* find("Task")
      assert.strictEqual(found.tool.name, "Agent")
      assert.deepStrictEqual(found.notes, [{ audience: "model", text: "the tool `Task` is deprecated, use `Agent`" }])
    }))

  it.effect("a name goes before an alias of another tool", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* find("Read")).tool.name, "Read")
    }))

  it.effect("an unknown name fails with the names most like it", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(find("WebFech"))
      assert.strictEqual(error._tag, "ToolNotFound")
      assert.include(error.nearest, "WebFetch")
      assert.strictEqual(error.call.use.name, "WebFech")
    }))

  it.effect("names of an object's own properties are no tools", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(find("toString")))._tag, "ToolNotFound")
      assert.strictEqual((yield* Effect.flip(find("__proto__")))._tag, "ToolNotFound")
    }))
})
