import { afterEach, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { logFilter, type LogGiven } from "../../src/cli/logFilter.ts"
import type { LogEntry } from "../../src/cli/logText.ts"

const everything: LogGiven = {
  tools: [],
  verdict: Option.none(),
  by: [],
  call: Option.none(),
  since: Option.none(),
  until: Option.none(),
  last: Option.none(),
  follow: false
}

const filter = (since: string) =>
  Effect.result(logFilter({ ...everything, since: Option.some(since) }, Option.none(), Date.UTC(2030, 0, 1)))

const entry = (millis: number): LogEntry => ({
  time: new Date(millis).toISOString(),
  session: "s",
  id: "t",
  tool: "Bash",
  verdict: "allow",
  by: "rule",
  why: "a rule allows it",
  decision: {}
})

const two = (number: number): string => String(number).padStart(2, "0")

const home = process.env["TZ"]

afterEach(() => {
  if (home === undefined) delete process.env["TZ"]
  else process.env["TZ"] = home
})

describe("logFilter", () => {
  it.effect.prop(
    "a time means the same wherever it is read: UTC, as the log shows it, or the zone that it names",
    {
      seconds: Schema.Int.check(Schema.isBetween({ minimum: 1_000_000_000, maximum: 3_000_000_000 })),
      minutes: Schema.Int.check(Schema.isBetween({ minimum: -14 * 60, maximum: 14 * 60 })),
      here: Schema.Literals(["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"])
    },
    ({ here, minutes, seconds }) =>
      Effect.gen(function*() {
        process.env["TZ"] = here
        const millis = seconds * 1_000
        const utc = new Date(millis).toISOString().slice(0, 19)
        const there = new Date(millis + minutes * 60_000).toISOString().slice(0, 19)
        const offset = Math.abs(minutes)
        const zone = `${minutes < 0 ? "-" : "+"}${two(Math.floor(offset / 60))}:${two(offset % 60)}`
        const midnight = Date.parse(`${utc.slice(0, 10)}T00:00:00Z`)
        const forms = [[utc, millis], [utc.replace("T", " "), millis], [`${utc}Z`, millis], [there + zone, millis], [
          utc.slice(0, 10),
          midnight
        ]] as const
        for (const [text, from] of forms) {
          const wanted = Result.getOrThrow(yield* filter(text))
          assert.deepStrictEqual([from - 1, from].map((at) => wanted(entry(at))), [false, true], text)
        }
      })
  )

  it.effect("what is no time is refused, and so is a day that no month has", () =>
    Effect.gen(function*() {
      for (
        const text of ["", "2026-02-31", "2026-02-29T10:00", "2026-13-01", "2026-01-31 (noon)", "2026-01-31T25:00"]
      ) {
        assert.isTrue(Result.isFailure(yield* filter(text)), text)
      }
      assert.isTrue(Result.isSuccess(yield* filter("2028-02-29")))
    }))
})
