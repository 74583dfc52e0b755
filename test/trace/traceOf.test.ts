import { assert, describe, it } from "@effect/vitest"
import type { ConversationEvent } from "../../src/domain/ConversationEvent.ts"
import { readRecording } from "../../src/trace/Recording.ts"
import { traceOf } from "../../src/trace/traceOf.ts"
import { conversation, Events, recorded } from "./recordings.ts"

const trace = traceOf(readRecording(conversation).events)

const received = (id: string, parent?: string): ConversationEvent => ({
  _tag: "Received",
  id,
  use: { type: "tool_use", id, name: "Bash", input: {} },
  ...(parent === undefined ? {} : { parent })
})

const of = (...events: ReadonlyArray<ConversationEvent>) => traceOf(events.map((event, at) => ({ at, event })))

describe("traceOf", () => {
  it.prop("every event is in exactly one step, and steps are in the order in which they began", { drawn: Events }, ({
    drawn
  }) => {
    const { steps } = traceOf(recorded(drawn))
    const places = steps.flatMap(({ events }) => events)
    assert.deepStrictEqual(places.toSorted((one, other) => one - other), drawn.map((_, place) => place))
    const firsts = steps.map(({ events }) => events[0] ?? -1)
    assert.deepStrictEqual(firsts, firsts.toSorted((one, other) => one - other))
  })

  it.prop("no word of the model, of a tool or of a person is lost", { drawn: Events }, ({ drawn }) => {
    const { steps } = traceOf(recorded(drawn))
    for (const [place, { event }] of drawn.entries()) {
      const step = steps.find(({ events }) => events.includes(place))
      const words = step?.words.map(({ text }) => text).join("\n") ?? ""
      if (event._tag === "Progress") assert.include(words, event.text)
      if (event._tag === "ModelAnswered") assert.include(words, event.text)
      if (event._tag === "ConversationStarted") assert.include(words, event.question)
      if (event._tag === "ConversationEnded") assert.include(words, event.answer)
      if (event._tag === "Noted") assert.include(words, event.note.text)
      if (event._tag === "Stored") assert.include(words, event.path)
      if (event._tag === "Decided") assert.include(`${words} ${step?.title}`, event.decision.why)
    }
  })

  it("a conversation has its question, its turns and its calls", () => {
    assert.include(trace.title, "CHANGELOG.md")
    assert.strictEqual(trace.turns, 3)
    assert.deepStrictEqual(trace.tokens, { input: 8_916, output: 373 })
    assert.deepStrictEqual(trace.calls.map(({ outcome, tool }) => [tool, outcome]), [
      ["Bash", "done"],
      ["Bash", "denied"],
      ["Write", "done"]
    ])
    assert.deepStrictEqual(
      trace.steps.flatMap(({ heading }) => heading ?? []),
      ["The question", "Turn 1", "Turn 2", "Turn 3"]
    )
  })

  it("a denied call leaves the path at permission, and what it did not come to is named there", () => {
    assert.strictEqual(trace.calls[1]?.endedIn, "permission")
    const left = trace.steps.find(({ missed }) => missed !== undefined)
    assert.deepStrictEqual([left?.call, left?.stage, left?.tone], [2, "permission", "bad"])
    assert.deepStrictEqual(left?.missed, ["execute", "result", "postHook"])
  })

  it("steps move between the parties that they are about", () => {
    const moves = trace.steps.filter(({ call, from, to }) => call === 3 && from !== to)
    assert.deepStrictEqual(moves.map(({ from, to }) => `${from} ${to}`), [
      "host gate",
      "gate you",
      "you gate",
      "gate tool",
      "tool gate",
      "gate host",
      "gate host"
    ])
    assert.isTrue(trace.steps.some(({ from, to }) => from === "gate" && to === "disk"))
  })

  it("a call that a tool asks for comes from the tool, answers it, and lies inside the other", () => {
    const { calls, steps } = of(
      received("a"),
      received("b", "a"),
      received("c", "b"),
      { _tag: "Finished", id: "c", outcome: "done", result: { type: "tool_result", tool_use_id: "c", content: "" } }
    )
    assert.deepStrictEqual(calls.map(({ depth, parent }) => [depth, parent]), [[0, undefined], [1, 1], [2, 2]])
    assert.deepStrictEqual(steps.map(({ from, to }) => `${from} ${to}`), [
      "host gate",
      "tool gate",
      "tool gate",
      "gate tool"
    ])
    assert.deepStrictEqual(steps.map(({ heading }) => heading), ["Call 1", undefined, undefined, undefined])
  })

  it("recordings that stand one behind the other are not mixed up, the same ids in both", () => {
    const { events } = readRecording(conversation + conversation)
    const twice = traceOf(events)
    assert.strictEqual(twice.calls.length, 6)
    assert.strictEqual(twice.steps.length, trace.steps.length * 2)
    assert.deepStrictEqual(
      twice.calls.map(({ outcome }) => outcome),
      [...trace.calls, ...trace.calls].map(({ outcome }) => outcome)
    )
  })

  it("a call whose beginning is not recorded, and one whose end is not, are shown as far as they go", () => {
    const { calls, steps } = of(
      { _tag: "StageStarted", id: "a", stage: "execute" },
      { _tag: "Progress", id: "a", channel: "stdout", text: "half" },
      { _tag: "Progress", id: "a", channel: "stdout", text: " a line" }
    )
    assert.deepStrictEqual(calls.map(({ outcome, tool }) => [tool, outcome]), [["a tool", undefined]])
    assert.deepStrictEqual(steps.map(({ words }) => words.map(({ text }) => text)), [[], ["half a line"]])
  })

  it("a call that is stopped in the middle names what it did not come to", () => {
    const { calls, steps } = of(
      received("a"),
      { _tag: "StageStarted", id: "a", stage: "execute" },
      { _tag: "Finished", id: "a", outcome: "stopped", result: { type: "tool_result", tool_use_id: "a", content: "" } }
    )
    assert.strictEqual(calls[0]?.endedIn, "execute")
    assert.deepStrictEqual(steps.at(-1)?.missed, ["result", "postHook"])
  })

  it("an answer that broke off stays, and the next one is a step of its own", () => {
    const { steps } = of(
      { _tag: "TurnStarted", turn: 1 },
      { _tag: "ModelSaid", turn: 1, text: "I will" },
      { _tag: "ModelRetried", turn: 1, error: "the stream was cut", waitMillis: 500 },
      { _tag: "ModelSaid", turn: 1, text: "I " },
      { _tag: "ModelSaid", turn: 1, text: "can." },
      { _tag: "ModelAnswered", turn: 1, text: "I can.", uses: [] }
    )
    assert.deepStrictEqual(
      steps.map(({ title, words }) => [title, words[0]?.text]),
      [
        ["passes the question on", undefined],
        ["answers", "I will"],
        ["asks once more, 500 ms later", "the stream was cut"],
        ["answers", "I can."]
      ]
    )
  })

  it("what the model asked for and the gate never got is shown with the answer", () => {
    const use = { type: "tool_use", id: "lost", name: "Bash", input: { command: "echo lost" } } as const
    const { steps } = of({ _tag: "ModelAnswered", turn: 1, text: "", uses: [use] })
    assert.include(steps[0]?.words.map(({ text }) => text).join("\n"), "echo lost")
  })
})
