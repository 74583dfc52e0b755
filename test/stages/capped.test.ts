import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { capped } from "../../src/stages/capped.ts"

const whole = { path: "/state/results/t1.txt", size: 5_000_000 }

describe("capped", () => {
  it("what fits is given back as it is", () => {
    const value = { stdout: "a", list: [1, 2, { three: 3 }], gone: undefined }
    assert.strictEqual(capped(value, 1_000), value)
  })

  it("a long field is cut and the others are kept", () => {
    const cut = capped({ stdout: "x".repeat(1_000_000), stderr: "warned", code: 0 }, 10_000, whole)
    const { code, persistedOutputPath, persistedOutputSize, stderr, stdout } = Schema.decodeUnknownSync(Schema.Struct({
      stdout: Schema.String,
      stderr: Schema.String,
      code: Schema.Int,
      persistedOutputPath: Schema.String,
      persistedOutputSize: Schema.Int
    }))(cut)
    assert.isBelow(stdout.length, 10_000)
    assert.isAbove(stdout.length, 2_000)
    assert.match(stdout, /^x+… \(\d+ characters left out\)$/)
    assert.deepStrictEqual([stderr, code], ["warned", 0])
    assert.deepStrictEqual([persistedOutputPath, persistedOutputSize], [whole.path, whole.size])
  })

  it("a long list is cut and says how much is missing", () => {
    const cut = capped(Array.from({ length: 100_000 }, (_, at) => ({ at })), 10_000)
    assert.isArray(cut)
    assert.isAtMost(JSON.stringify(cut).length, 12_000)
    assert.match(JSON.stringify(cut), /more left out\)"\]$/)
  })

  it("a text says where the whole is", () => {
    assert.match(
      String(capped("x".repeat(50_000), 1_000, whole)),
      /^x+… \(.*\)\n… \(the whole is in \/state\/results\/t1.txt\)$/
    )
  })

  it("a circle has an end", () => {
    const circle: { self?: unknown; text: string } = { text: "t" }
    circle.self = circle
    assert.isBelow(JSON.stringify(capped(circle, 1_000)).length, 2_000)
  })

  it.prop("whatever the value, it is small and can be written as JSON", {
    value: Schema.Json,
    room: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 400 })),
    times: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))
  }, ({ room, times, value }) => {
    const cut = capped({ many: Array.from({ length: times }, () => value), one: value }, room)
    // Escapes and what says that something was cut come on top.
    assert.isAtMost(JSON.stringify(cut).length, room * 7 + 200)
    assert.isTrue(JSON.stringify(cut).isWellFormed())
  })
})
