/** Tools of an application that do whatever their input tells them to, so that it can be drawn. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as Tool from "../../src/domain/Tool.ts"
import { ToolFailed } from "../../src/errors/ExecuteError.ts"

/** Everything that a handler can do. */
const endings = {
  "gives a value": Effect.succeed({ fine: true }),
  "gives nothing": Effect.undefined,
  "gives what JSON can't say": Effect.succeed({ big: 10n, at: () => 1 }),
  "gives a circle": Effect.sync(() => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    return circle
  }),
  "gives a long text": Effect.succeed("long \ud83d".repeat(500)),
  "gives half a character": Effect.succeed("\ud83d"),
  "fails": Effect.fail(new ToolFailed({ reason: "no", output: "x".repeat(2_000), exitCode: 2 })),
  "fails with a text": Effect.fail("no"),
  "fails with nothing": Effect.fail(undefined),
  "fails with null": Effect.fail(null),
  "fails with fields": Effect.fail({ _tag: "Sold", left: 2 }),
  // What a program that no compiler looks at may do; the handler gives it as it is.
  "gives a promise": Promise.resolve(1) as never,
  "dies": Effect.die(new TypeError("bug")),
  "dies of nothing": Effect.die(undefined),
  "interrupts itself": Effect.interrupt,
  "hangs": Effect.never,
  "sets the clock back": Effect.as(TestClock.setTime(0), "early"),
  "throws": Effect.sync(() => {
    throw new RangeError("thrown")
  }),
  "throws what throws when read": Effect.sync(() => {
    throw {
      get message(): string {
        throw new TypeError("no message")
      }
    }
  })
} satisfies { readonly [name: string]: Effect.Effect<unknown, unknown> }

const opinions = {
  NoOpinion: Effect.succeed({ _tag: "NoOpinion" }),
  Allow: Effect.succeed({ _tag: "Allow", reason: "fine" }),
  Ask: Effect.succeed({ _tag: "Ask", reason: "odd" }),
  Deny: Effect.succeed({ _tag: "Deny", reason: "bad" }),
  dies: Effect.die("bug in the check")
} satisfies { readonly [name: string]: Effect.Effect<Tool.Opinion> }

const validations = {
  Valid: Effect.succeed({ _tag: "Valid" }),
  Refused: Effect.succeed({ _tag: "Refused", message: "no", code: 1 }),
  Ask: Effect.succeed({ _tag: "Ask", reason: "look" }),
  dies: Effect.die("bug in the validation")
} satisfies { readonly [name: string]: Effect.Effect<Tool.Validation> }

const literals = <Key extends string>(record: { readonly [K in Key]: unknown }): Schema.Literals<ReadonlyArray<Key>> =>
  // The keys of a record are what its type says they are.
  Schema.Literals(Object.keys(record) as ReadonlyArray<string> as ReadonlyArray<Key>)

const Input = Schema.Struct({
  ending: literals(endings),
  check: Schema.optionalKey(literals(opinions)),
  validation: Schema.optionalKey(literals(validations))
})

/** What a probe is told to do. */
export const inputs: Arbitrary.Arbitrary<unknown> = Arbitrary.schema(Input)

/** Whether an input tells a probe never to end. */
export const hangs = (input: unknown): boolean => Schema.is(Input)(input) && input.ending === "hangs"

/** Makes a probe; one that is `safe` may overlap others. `ran` hears of each start from the handler itself. */
export const probe = (name: string, safe: boolean, ran: () => void): Tool.Tool =>
  Tool.make({
    name,
    description: "a tool that does what it is told",
    input: Input,
    concurrencySafe: () => safe,
    maxResultSizeChars: 300,
    validateInput: ({ validation = "Valid" }) => validations[validation],
    check: ({ check = "NoOpinion" }) => opinions[check],
    handler: ({ ending }): Effect.Effect<unknown, unknown> => {
      const end = Effect.suspend((): Effect.Effect<unknown, unknown> => {
        ran()
        return endings[ending]
      })
      return ending === "gives a promise" ? endings[ending] : end
    }
  })
