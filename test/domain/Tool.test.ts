import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Tool from "../../src/domain/Tool.ts"

const tool = <Input extends object>(input: Schema.Decoder<Input>, more: object = {}) =>
  Tool.make({ name: "Probe", description: "a probe", input, handler: () => Effect.succeed("done"), ...more })

describe("the JSON Schema of a tool", () => {
  class Order extends Schema.Class<Order>("shop/Order ~1")({ id: Schema.String }) {}
  interface Tree {
    readonly children: ReadonlyArray<Tree>
  }
  const Tree = Schema.Struct({ children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)) })
    .annotate({ identifier: "Tree" })
  const Nothing = Schema.Struct({})

  it.each<readonly [string, Schema.Decoder<object>, object]>([
    ["fields", Schema.Struct({ id: Schema.String }), { properties: { id: { type: "string" } } }],
    ["a class", Order, { properties: { id: { type: "string" } }, required: ["id"] }],
    ["a schema with a name", Nothing.annotate({ identifier: "Nothing" }), { properties: {} }],
    ["what holds itself", Tree, { required: ["children"] }],
    ["no fields", Nothing, { properties: {}, additionalProperties: false }],
    ["any fields", Schema.Record(Schema.String, Schema.Int), {}],
    ["one of several", Schema.Union([Nothing, Schema.Struct({ id: Schema.String })]), {}]
  ])("is one of an object and no reference to one: %s", (_, input, has) => {
    const schema = tool(input).jsonSchema()
    assert.deepInclude(schema, { type: "object", ...has })
    assert.notProperty(schema, "$ref")
    for (const [, name] of JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]*)"/g)) {
      assert.nestedProperty(schema, `$defs.${name}`)
    }
  })
})

describe("a part of a tool that gives no effect", () => {
  const promise = () => Promise.resolve(1)
  const context = { session: "s", cwd: "/", directories: [] }

  it.effect.each<readonly [string, (invocation: Tool.Invocation) => Effect.Effect<unknown, unknown> | undefined]>([
    ["handler", ({ run }) => run(undefined as never)],
    ["validateInput", ({ validate }) => validate(context)],
    ["check", ({ check }) => check(context)],
    ["precondition", ({ precondition }) => precondition?.(undefined as never)]
  ])("is a defect that names it, and finalizers run: %s", ([part, of]) =>
    Effect.gen(function*() {
      let finalized = false
      const invocation = Result.getOrThrow(tool(Schema.Struct({}), { [part]: promise }).prepare({}))
      const exit = yield* Effect.suspend(() => of(invocation) ?? Effect.void).pipe(
        Effect.ensuring(Effect.sync(() => finalized = true)),
        Effect.exit
      )
      assert.isTrue(finalized)
      assert.match(
        Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "",
        new RegExp(`${part}.*\`Probe\` gave no effect|handler of \`Probe\` gave no effect`)
      )
    }))
})
