import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "tstyche"
import type { OwnHook } from "../../src/domain/OwnHook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { layerWith } from "../../src/layers/HookRunner.ts"
import { layerTools } from "../../src/layers/ToolRegistry.ts"
import { layer } from "../../src/toolgate.ts"

class Shelf extends Context.Service<Shelf, {}>()("toolgate/test/types/needs.tst/Shelf") {}
class Clerk extends Context.Service<Clerk, {}>()("toolgate/test/types/needs.tst/Clerk") {}
class Bell extends Context.Service<Bell, {}>()("toolgate/test/types/needs.tst/Bell") {}

const definition = { name: "Find", description: "finds a book", input: Schema.Struct({}) }
const find = Tool.make({ ...definition, handler: () => Shelf })
const ask = Tool.make({ ...definition, handler: () => Clerk })
const plain = Tool.make({ ...definition, handler: () => Effect.void })
const ring = { name: "ring", event: "PreToolUse", run: () => Effect.asVoid(Bell) } satisfies OwnHook<Bell>
const call = { name: "call", event: "PreToolUse", run: () => Effect.asVoid(Clerk) } satisfies OwnHook<Clerk>
const context = { session: "s", cwd: "/", directories: [] }

describe("what an application's parts need", () => {
  test("is what every part of a tool needs", () => {
    const tool = Tool.make({
      ...definition,
      validateInput: () => Effect.as(Bell, { _tag: "Valid" } as const),
      check: () => Effect.as(Clerk, { _tag: "NoOpinion" } as const),
      handler: () => Shelf
    })
    expect(tool).type.toBe<Tool.Tool<Bell | Clerk | Shelf>>()
    expect(plain).type.toBe<Tool.Tool>()
  })

  test("is what every tool and every hook needs, together", () => {
    expect<Layer.Services<ReturnType<typeof layerTools<typeof ask | typeof find | typeof plain>>>>().type.toBe<
      Clerk | Shelf
    >()
    const gate = layer({ context, tools: [find, ask, plain], hooks: [ring, call] })
    expect<Layer.Services<typeof gate>>().type.toBe<Bell | Clerk | Shelf>()
    const registry = layerTools([find, ask])
    expect<Layer.Services<typeof registry>>().type.toBe<Clerk | Shelf>()
    const hooks = layerWith({ hooks: [ring, call] })
    expect<Layer.Services<typeof hooks>>().type.toBeAssignableFrom<Bell | Clerk>()
  })

  test("is nothing where there are none", () => {
    const gate = layer({ context })
    expect<Layer.Services<typeof gate>>().type.toBe<never>()
    const plainGate = layer({ context, tools: [plain] })
    expect<Layer.Services<typeof plainGate>>().type.toBe<never>()
  })
})
