/** Recordings for tests: drawn ones, and one of a conversation with a denied call and a long result. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { ConversationEvent } from "../../src/domain/ConversationEvent.ts"
import type { Recorded } from "../../src/trace/Recording.ts"

export const conversation = readFileSync(new URL("../fixtures/traces/conversation.ndjson", import.meta.url), "utf8")

/** Texts that want to be more than text. */
export const hostile = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "\" onmouseover=\"alert(1)",
  "' style='position:fixed",
  "<!-- -->",
  "&lt;b&gt;",
  "</pre></details></li><h1>",
  "\u202Egnp.exe",
  "\u0000\u001B[2J\u0007",
  "line\u2028separator\u2029",
  "wide 漢字 and 👩‍👩‍👧",
  "\uD800 half"
] as const

/** Events in any order whatever, most of them of a few calls. */
export const Events = Schema.Array(Schema.Struct({
  at: Schema.Int,
  event: ConversationEvent,
  call: Schema.Literals(["a", "b", "c"])
}))

export const recorded = (drawn: typeof Events.Type): ReadonlyArray<Recorded> =>
  drawn.map(({ at, call, event }): Recorded => ({ at, event: "id" in event ? { ...event, id: call } : event }))

export const lines = (events: ReadonlyArray<Recorded>): string =>
  events.map(({ at, event }) => `${JSON.stringify({ version: 1, at, ...event })}\n`).join("")

/** The same events, with a text in every place that takes any. */
export const saying = (events: ReadonlyArray<Recorded>, text: string): ReadonlyArray<Recorded> =>
  events.map(({ at, event }) => ({
    at,
    event: placesOf(event).reduce<ConversationEvent>((said, place) => {
      const changed = withText(said, place, text)
      return isEvent(changed) ? changed : said
    }, event)
  }))

const isEvent = Schema.is(ConversationEvent)

const placesOf = (value: unknown, place: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "string"
    ? [place]
    : typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) => placesOf(member, [...place, key]))
    : []

const withText = (value: unknown, [key, ...rest]: ReadonlyArray<string>, text: string): unknown => {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((one, at) => String(at) === key ? withText(one, rest, text) : one)
  return Predicate.isObject(value) ? { ...value, [key]: withText(value[key], rest, text) } : value
}
