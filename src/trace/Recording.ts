/**
 * A recording: the lines that `--output stream-json` wrote, read back.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ConversationEvent } from "../domain/ConversationEvent.ts"

/**
 * An event, and when it happened in milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface Recorded {
  readonly at: number
  readonly event: ConversationEvent
}

/**
 * What a recording holds. `problems` says of everything in it that is left out
 * why it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface Recording {
  readonly events: ReadonlyArray<Recorded>
  readonly problems: ReadonlyArray<string>
}

/**
 * Reads a recording, one event a line.
 *
 * **Details**
 *
 * A line that can't be read is left out, and so is an event of a kind that only a
 * later version knows. A last line without its end was cut off.
 *
 * **Example** (A line that was cut off)
 *
 * ```ts
 * import { readRecording } from "toolgate/trace/Recording"
 *
 * readRecording("{\"version\":1,\"at\":17").problems // => ["line 1 is cut off, the recording ends in it"]
 * ```
 *
 * @category reading
 * @since 0.1.0
 */
export const readRecording = (text: string): Recording => {
  const events: Array<Recorded> = []
  const broken: Array<string> = []
  const unknown = new Map<string, number>()
  const lines = text.replace(/^\uFEFF/, "").split("\n")
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue
    const read = readLine(line)
    if (read._tag === "Event") events.push({ at: read.at, event: read.event })
    else if (read._tag === "Unknown") unknown.set(read.tag, (unknown.get(read.tag) ?? 0) + 1)
    else if (read.why === noJson && index === lines.length - 1) {
      broken.push(`line ${index + 1} is cut off, the recording ends in it`)
    } else broken.push(`line ${index + 1} ${read.why}, it is left out`)
  }
  return { events, problems: [...few(broken), ...Array.from(unknown, ofLater)] }
}

type Line =
  | Recorded & { readonly _tag: "Event" }
  | { readonly _tag: "Unknown"; readonly tag: string }
  | { readonly _tag: "Broken"; readonly why: string }

const noJson = "is not JSON"

const readLine = (line: string): Line => {
  const parsed = Result.try((): unknown => JSON.parse(line))
  if (Result.isFailure(parsed)) return { _tag: "Broken", why: noJson }
  const value = parsed.success
  if (!Predicate.isObject(value) || typeof value["_tag"] !== "string" || typeof value["at"] !== "number") {
    return { _tag: "Broken", why: "is no event with its time, as `--output stream-json` writes them" }
  }
  const { _tag: tag, at, version } = value
  if (version !== 1) return { _tag: "Broken", why: "is of a version that this toolgate does not read" }
  if (!tags.has(tag)) return { _tag: "Unknown", tag }
  const event = Result.try(() => decode(value))
  return Result.isSuccess(event) && Number.isFinite(at)
    ? { _tag: "Event", at, event: event.success }
    : { _tag: "Broken", why: `is no \`${tag}\` event that can be read` }
}

const decode = Schema.decodeUnknownSync(ConversationEvent)

const tags: ReadonlySet<string> = new Set(ConversationEvent.members.map((member) => member.fields._tag.schema.literal))

/** A file that is no recording would have a line for each of its own. */
const few = (problems: ReadonlyArray<string>): ReadonlyArray<string> =>
  problems.length <= 5
    ? problems
    : [...problems.slice(0, 4), `${problems.length - 4} more lines can't be read and are left out`]

const ofLater = ([tag, count]: readonly [string, number]): string =>
  `${count === 1 ? "1 event" : `${count} events`} of the kind \`${tag}\`, which this toolgate does not know, ${
    count === 1 ? "is" : "are"
  } left out`
