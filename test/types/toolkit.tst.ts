import type * as LanguageModel from "effect/ai/LanguageModel"
import * as AiTool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "tstyche"
import { fromToolkit } from "../../src/ai/fromToolkit.ts"
import { guard } from "../../src/ai/guard.ts"
import { touching } from "../../src/ai/Touches.ts"
import type { Subject } from "../../src/domain/Subject.ts"
import type { Tool } from "../../src/domain/Tool.ts"
import type { Pipeline } from "../../src/pipeline.ts"

class Shelf extends Context.Service<Shelf, {}>()("toolgate/test/types/toolkit.tst/Shelf") {}
class Clerk extends Context.Service<Clerk, {}>()("toolgate/test/types/toolkit.tst/Clerk") {}

const find = AiTool.make("Find", {
  parameters: Schema.Struct({ title: Schema.String }),
  success: Schema.Int,
  dependencies: [Shelf]
})
const lend = AiTool.make("Lend", { success: Schema.String, failure: Schema.Boolean, failureMode: "return" })
const library = Toolkit.make(find, lend)
type Tools = Toolkit.Tools<typeof library>
type Handlers = AiTool.HandlersFor<Tools>

declare const handed: Schema.Codec<string, string, Clerk>
const clerks = Toolkit.make(AiTool.make("Ask", { parameters: Schema.Struct({ whom: handed }) }))

describe("a guarded Toolkit", () => {
  test("has the same tools, and needs a pipeline beside their handlers", () => {
    expect(guard(library)).type.toBe<Effect.Effect<Toolkit.WithHandler<Tools>, never, Handlers | Pipeline>>()
  })

  test("is taken where a Toolkit is", () => {
    expect<LanguageModel.ToolkitInput<Tools, never, Handlers | Pipeline>>().type.toBeAssignableFrom(guard(library))
  })
})

describe("tools of a Toolkit", () => {
  test("keep what their handlers need for each call", () => {
    expect(fromToolkit(library)).type.toBe<Effect.Effect<ReadonlyArray<Tool<Shelf>>, never, Handlers>>()
  })
})

describe("what a tool touches", () => {
  const byTitle = (given: { readonly title: string }): Subject => ({ _tag: "File", access: "read", path: given.title })
  const byNumber = (given: { readonly n: number }): Subject => ({ _tag: "Url", url: `https://a.example/${given.n}` })

  test("is said of its own parameters, and leaves its type as it is", () => {
    expect(touching(find, (given) => {
      expect(given).type.toBe<{ readonly title: string }>()
      return byTitle(given)
    })).type.toBe<typeof find>()
    expect(touching<typeof find>).type.toBeCallableWith(find, byTitle)
    expect(touching<typeof find>).type.not.toBeCallableWith(find, byNumber)
    expect(touching<typeof find>).type.not.toBeCallableWith(find, () => ({ _tag: "Shell" as const }))
  })

  test("is nothing known where the parameters are a JSON Schema", () => {
    touching(AiTool.dynamic("Free", { parameters: { type: "object" } }), (given) => {
      expect(given).type.toBe<unknown>()
      return { _tag: "Plain" }
    })
  })
})

test("a Toolkit whose input can't be read without services is not taken", () => {
  expect(guard).type.toBeCallableWith(library)
  expect(guard).type.not.toBeCallableWith(clerks)
  expect(fromToolkit).type.not.toBeCallableWith(clerks)
})
