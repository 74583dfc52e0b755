/**
 * Which entries of an audit log somebody wants to see.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Decider } from "../domain/Decision.ts"
import { Misused } from "./Ended.ts"
import type { LogEntry } from "./logText.ts"

/**
 * The filters as they are given.
 *
 * @category models
 * @since 0.1.0
 */
export interface LogGiven {
  readonly tools: ReadonlyArray<string>
  readonly verdict: Option.Option<"allow" | "deny">
  readonly by: ReadonlyArray<Decider>
  readonly call: Option.Option<string>
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly last: Option.Option<number>
  readonly follow: boolean
}

/**
 * Makes the test that an entry has to pass.
 *
 * @category constructors
 * @since 0.1.0
 */
export const logFilter = Effect.fnUntraced(function*(
  given: LogGiven,
  session: Option.Option<string>,
  now: number
): Effect.fn.Return<(entry: LogEntry) => boolean, Misused> {
  const since = yield* instant("--since", given.since, now)
  const until = yield* instant("--until", given.until, now)
  const tools = new Set(given.tools)
  const by = new Set<string>(given.by)
  const verdict = Option.getOrUndefined(given.verdict)
  const own = Option.getOrUndefined(session)
  const within = Option.match(given.call, { onNone: () => () => true, onSome: family })
  return (entry) =>
    // First, since it remembers whom it has seen.
    within(entry) &&
    (tools.size === 0 || tools.has(entry.tool)) &&
    (by.size === 0 || by.has(entry.by)) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (own === undefined || entry.session === own) &&
    // The form in which times are written sorts as text.
    (since === undefined || entry.time >= since) &&
    (until === undefined || entry.time < until)
})

/** A call is decided before those that its tool makes. */
const family = (call: string): (entry: LogEntry) => boolean => {
  const ids = new Set<unknown>([call])
  return ({ id, parent }) => {
    if (ids.has(parent)) ids.add(id)
    return ids.has(id)
  }
}

const units: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const instant = (
  flag: string,
  given: Option.Option<string>,
  now: number
): Effect.Effect<string | undefined, Misused> => {
  if (Option.isNone(given)) return Effect.undefined
  const text = given.value.trim()
  const [, count, unit = ""] = /^(\d{1,9})\s*([smhdw])$/.exec(text) ?? []
  const time = count === undefined
    ? written(text)
    : now - Number(count) * (units[unit] ?? 0)
  // Years of more than four digits would not sort.
  if (time >= 0 && time < 253_402_300_800_000) return Effect.succeed(new Date(time).toISOString())
  const problem = `\`${flag}\` can't be \`${
    text.slice(0, 60)
  }\`: a time is 30m, 2h or 7d ago, or a date such as 2026-01-31 or 2026-01-31T12:00, in UTC`
  return Effect.fail(new Misused({ problem }))
}

/** A time that names no zone is in UTC, as the log shows times, wherever it is read. */
const written = (text: string): number => {
  const [, day = "", time = "00:00", zone = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const begins = Date.parse(day)
  // The 31st of February would else be a day in March.
  const exists = !Number.isNaN(begins) && new Date(begins).toISOString().startsWith(day)
  return exists ? Date.parse(`${day}T${time}${zone}`) : Number.NaN
}
