/**
 * Puts together the events that one step shows.
 *
 * @since 0.1.0
 */
import type { ConversationEvent } from "../domain/ConversationEvent.ts"

/**
 * The events of one step, in order, and their places in the recording.
 *
 * @category models
 * @since 0.1.0
 */
export interface Group {
  readonly head: ConversationEvent
  readonly events: ReadonlyArray<ConversationEvent>
  readonly places: ReadonlyArray<number>
}

/**
 * What a stage says that sent its call off the path.
 *
 * @category constants
 * @since 0.1.0
 */
export const endedTheCall = "ended the call"

/**
 * Groups events, each in exactly one group, in the order in which groups begin.
 *
 * **Details**
 *
 * Together are the pieces of one answer of the model, what a tool printed without
 * a break, and the start of a stage with its end. A stage in which something
 * happened ends with the last of it, unless its end sends the call elsewhere.
 *
 * @category grouping
 * @since 0.1.0
 */
export const groupsOf = (events: ReadonlyArray<ConversationEvent>): ReadonlyArray<Group> => {
  const groups: Array<Growing> = []
  const lastOf = new Map<string, Growing>()
  for (const [place, event] of events.entries()) {
    const id = "id" in event ? event.id : undefined
    const last = event._tag === "StageEnded" ? lastOf.get(event.id) : groups.at(-1)
    const joined = last !== undefined && joins(event, last)
    const group = joined ? last : { head: event, events: [], places: [] }
    group.events.push(event)
    group.places.push(place)
    if (!joined) groups.push(group)
    if (event._tag === "Received") lastOf.delete(event.id)
    if (id !== undefined) lastOf.set(id, group)
  }
  return groups
}

interface Growing {
  readonly head: ConversationEvent
  readonly events: Array<ConversationEvent>
  readonly places: Array<number>
}

const joins = (event: ConversationEvent, { events, head }: Growing): boolean => {
  const last = events.at(-1)
  switch (event._tag) {
    case "ModelSaid":
      return last?._tag === "ModelSaid" && last.turn === event.turn
    case "ModelAnswered":
      return last?._tag === "ModelSaid" && last.turn === event.turn
    case "Progress":
      return last?._tag === "Progress" && last.id === event.id && last.channel === event.channel
    case "StageEnded":
      // What a tool hands back moves, and so does a call that leaves the path.
      if (event.stage === "execute" || last?._tag === "StageEnded") return false
      if (last?._tag === "StageStarted") return last.stage === event.stage
      return event.outcome !== endedTheCall && head._tag !== "Received"
    default:
      return false
  }
}
