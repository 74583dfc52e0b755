import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FoundCall } from "../../src/domain/Call.ts"
import * as Tool from "../../src/domain/Tool.ts"
import { validate } from "../../src/stages/validate.ts"
import { context, use } from "../support/services.ts"

const input = Schema.Struct({
  path: Schema.String,
  limit: Schema.optionalKey(Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0)))),
  deep: Schema.optionalKey(Schema.Boolean),
  todos: Schema.optionalKey(Schema.Array(Schema.Struct({ status: Schema.Literals(["open", "done"]) })))
})

const tool = (validateInput?: (value: typeof input.Type) => Tool.Validation) =>
  Tool.make({
    name: "Probe",
    description: "a tool",
    input,
    validateInput: (value) => Effect.sync(() => validateInput?.(value) ?? { _tag: "Valid" }),
    handler: () => Effect.succeed("ran")
  })

const call = (given: unknown, probe = tool()): FoundCall => ({
  use: use("Probe", given),
  context,
  tool: probe,
  notes: []
})

describe("validate", () => {
  it.effect("text that spells a number, a boolean or a list is read as one", () =>
    Effect.gen(function*() {
      const valid = yield* validate(call({ path: "a", limit: "5", deep: "true", todos: "[{\"status\":\"open\"}]" }))
      assert.deepStrictEqual(valid.invocation.input, { path: "a", limit: 5, deep: true, todos: [{ status: "open" }] })
    }))

  it.effect("text that a schema wants as text stays text", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* validate(call({ path: "5" }))).invocation.input, { path: "5" })
    }))

  it.effect("every issue is named with its path, what was expected and what came", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        validate(call({ limit: "many", deep: 1, todos: [{ status: "open" }, { status: "lost" }], extra: true }))
      )
      assert.strictEqual(error._tag, "InputInvalid")
      if (error._tag !== "InputInvalid") return
      assert.deepStrictEqual(error.issues.map(({ path }) => path).sort(), [
        "deep",
        "extra",
        "limit",
        "path",
        "todos[1].status"
      ])
      const limit = error.issues.find(({ path }) => path === "limit")
      assert.strictEqual(limit?.received, "the text \"many\"")
      assert.notStrictEqual(limit?.expected, "")
      assert.property(error.schema, "properties")
    }))

  it.effect("a value out of bounds says which bound", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(validate(call({ path: "a", limit: -1 })))
      assert.include(error.message, "`limit`")
      assert.include(error.message, "greater than 0")
    }))

  it.effect("an input that is no object is refused with what it is", () =>
    Effect.gen(function*() {
      for (const given of ["git status", null, ["a"], 5, undefined]) {
        assert.strictEqual((yield* Effect.flip(validate(call(given))))._tag, "InputInvalid")
      }
    }))

  it.effect("the tool's own refusal keeps its message and code", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        validate(call({ path: "a" }, tool(() => ({ _tag: "Refused", message: "no such place", code: 7 }))))
      )
      assert.strictEqual(error._tag, "InputRefused")
      assert.strictEqual(error.message, "no such place")
    }))

  it.effect("a tool that wants a person to look says so in the call", () =>
    Effect.gen(function*() {
      const valid = yield* validate(call({ path: "a" }, tool(() => ({ _tag: "Ask", reason: "it is odd" }))))
      assert.strictEqual(valid.ask, "it is odd")
    }))

  it.effect("the tool is not asked about an input of the wrong shape", () =>
    Effect.gen(function*() {
      const probe = tool(() => {
        throw new Error("must not be asked")
      })
      assert.strictEqual((yield* Effect.flip(validate(call({}, probe))))._tag, "InputInvalid")
    }))

  it.effect("a field named like the prototype is a field", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(validate(call(JSON.parse("{\"path\":\"a\",\"__proto__\":{\"limit\":1}}"))))
      assert.strictEqual(error._tag, "InputInvalid")
    }))
})
