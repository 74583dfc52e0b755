/** Recordings for tests: drawn ones, and one of a conversation with a denied call and a long result. */
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
