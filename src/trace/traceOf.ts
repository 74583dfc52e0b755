/**
 * Makes a trace of the events of a recording.
 *
 * @since 0.1.0
 */
import { type Outcome, Stage } from "../domain/CallEvent.ts"
import type { ConversationEvent } from "../domain/ConversationEvent.ts"
import { endedTheCall, groupsOf } from "./groupsOf.ts"
import type { Recorded } from "./Recording.ts"
import type { Step, Trace, TracedCall } from "./Step.ts"
import { tell } from "./tell.ts"

/**
 * Returns the steps of a recording, in the order in which they began. Every event
 * is shown by exactly one of them.
 *
 * **Example** (A question that nobody has answered yet)
 *
 * ```ts
 * import { traceOf } from "toolgate/trace/traceOf"
 *
 * const { steps } = traceOf([{ at: 0, event: { _tag: "ConversationStarted", question: "Why?" } }])
 *
 * steps.map(({ from, title, to }) => `${from} ${title} ${to}`) // => ["you asks host"]
 * ```
 *
 * @category conversions
 * @since 0.1.0
 */
export const traceOf = (recorded: ReadonlyArray<Recorded>): Trace => {
  const events = recorded.map(({ event }) => event)
  const received = new Set(events.flatMap((event) => event._tag === "Received" ? [event.id] : []))
  const walk: Walk = { calls: [], byId: new Map(), turn: 0, conversing: false }
  const steps = groupsOf(events).map((group): Step => {
    const call = callOf(walk, group.head)
    const heading = headingOf(walk, group.head, call)
    const missed = group.events.flatMap((event) => follow(walk, event, call))
    const stage = call?.stages.at(-1)
    return {
      ...tell(group, { nested: call?.parent !== undefined, received }),
      at: recorded[group.places[0] ?? 0]?.at ?? 0,
      turn: walk.turn,
      ...(call === undefined ? {} : { call: call.number }),
      ...(stage === undefined ? {} : { stage }),
      ...(heading === undefined ? {} : { heading }),
      ...(missed.length === 0 ? {} : { missed }),
      events: group.places
    }
  })
  return { ...summaryOf(events, walk.calls), steps, calls: walk.calls }
}

/** Where the conversation and its calls are. */
interface Walk {
  readonly calls: Array<Walking>
  readonly byId: Map<string, Walking>
  turn: number
  conversing: boolean
}

interface Walking extends TracedCall {
  readonly stages: Array<Stage>
  endedIn?: Stage
  outcome?: Outcome
}

/** The call that an event belongs to. One whose beginning was not recorded begins with whatever comes first. */
const callOf = ({ byId, calls }: Walk, event: ConversationEvent): Walking | undefined => {
  if (!("id" in event)) return undefined
  const known = byId.get(event.id)
  if (known !== undefined && event._tag !== "Received") return known
  const parent = event._tag === "Received" && event.parent !== undefined ? byId.get(event.parent) : undefined
  const call: Walking = {
    number: calls.length + 1,
    tool: event._tag === "Received" ? event.use.name : event._tag === "Asked" ? event.question.tool : "a tool",
    depth: parent === undefined ? 0 : parent.depth + 1,
    ...(parent === undefined ? {} : { parent: parent.number }),
    stages: []
  }
  calls.push(call)
  byId.set(event.id, call)
  return call
}

const headingOf = ({ conversing }: Walk, event: ConversationEvent, call: Walking | undefined): string | undefined => {
  if (event._tag === "ConversationStarted") return "The question"
  if (event._tag === "TurnStarted") return `Turn ${event.turn}`
  return event._tag === "Received" && !conversing && call?.depth === 0 ? `Call ${call.number}` : undefined
}

/** Keeps up with an event, and gives the stages that the call will not come to because of it. */
const follow = (walk: Walk, event: ConversationEvent, call: Walking | undefined): ReadonlyArray<Stage> => {
  if (event._tag === "ConversationStarted") {
    walk.conversing = true
    walk.turn = 0
  }
  if (event._tag === "TurnStarted") walk.turn = event.turn
  if (event._tag === "ConversationEnded") walk.conversing = false
  if (call === undefined) return []
  if (event._tag === "StageStarted") call.stages.push(event.stage)
  if (event._tag === "StageEnded" && event.outcome === endedTheCall) {
    call.endedIn = event.stage
    return between(event.stage)
  }
  if (event._tag === "Finished") {
    call.outcome = event.outcome
    const last = call.stages.at(-1)
    // A call that is stopped from outside leaves wherever it is.
    if (last !== undefined && last !== "emit") {
      call.endedIn = last
      return between(last)
    }
  }
  return []
}

/** The stages behind one that ends a call: what is emitted is emitted all the same. */
const between = (stage: Stage): ReadonlyArray<Stage> =>
  Stage.literals.slice(Stage.literals.indexOf(stage) + 1).filter((name) => name !== "emit")

const summaryOf = (
  events: ReadonlyArray<ConversationEvent>,
  calls: ReadonlyArray<TracedCall>
): Omit<Trace, "calls" | "steps"> => {
  const questions = events.flatMap((event) => event._tag === "ConversationStarted" ? [event] : [])
  const usages = events.flatMap((event) => event._tag === "ModelAnswered" && event.usage ? [event.usage] : [])
  const model = questions[0]?.model
  return {
    title: titleOf(questions.map(({ question }) => question), calls),
    turns: events.filter((event) => event._tag === "TurnStarted").length,
    ...(model === undefined ? {} : { model }),
    ...(usages.length === 0
      ? {}
      : {
        tokens: {
          input: usages.reduce((sum, { input }) => sum + input, 0),
          output: usages.reduce((sum, { output }) => sum + output, 0)
        }
      })
  }
}

const titleOf = (questions: ReadonlyArray<string>, calls: ReadonlyArray<TracedCall>): string => {
  if (questions[0] !== undefined) {
    return questions.length === 1 ? questions[0] : `${questions[0]} (and ${questions.length - 1} more)`
  }
  const own = calls.filter(({ depth }) => depth === 0)
  return own.length === 1 ? `A call of ${own[0]?.tool}` : `${own.length} calls`
}
