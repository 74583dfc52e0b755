import { assert, describe, it } from "@effect/vitest"
import { readRecording } from "../../src/trace/Recording.ts"
import { conversation, Events, lines, recorded } from "./recordings.ts"

const good = "{\"version\":1,\"at\":5,\"_tag\":\"TurnStarted\",\"turn\":1}\n"

describe("readRecording", () => {
  it("reads every line of a conversation", () => {
    const { events, problems } = readRecording(conversation)
    assert.strictEqual(events.length, conversation.trimEnd().split("\n").length)
    assert.deepStrictEqual(problems, [])
  })

  it.prop("what was written line by line is read as it was", { drawn: Events }, ({ drawn }) => {
    const events = recorded(drawn)
    assert.deepStrictEqual(
      JSON.parse(JSON.stringify(readRecording(lines(events)))),
      JSON.parse(JSON.stringify({ events, problems: [] }))
    )
  })

  it("a bad line is named by its number and left out, the others stay", () => {
    const { events, problems } = readRecording(
      `${good}not json\n\n[1]\n${good}{"version":1,"at":1,"_tag":"TurnStarted","turn":"x"}\n{"version":2,"at":1,"_tag":"X"}\n`
    )
    assert.strictEqual(events.length, 2)
    assert.deepStrictEqual(problems, [
      "line 2 is not JSON, it is left out",
      "line 4 is no event with its time, as `--output stream-json` writes them, it is left out",
      "line 6 is no `TurnStarted` event that can be read, it is left out",
      "line 7 is of a version that this toolgate does not read, it is left out"
    ])
  })

  it("wherever the last line is cut, all before it is read and that it was cut is said", () => {
    for (const length of [1, good.length >> 1, good.length - 2]) {
      const { events, problems } = readRecording(good + good.slice(0, length))
      assert.strictEqual(events.length, 1)
      assert.deepStrictEqual(problems, ["line 2 is cut off, the recording ends in it"])
    }
    assert.deepStrictEqual(readRecording(good + good.trimEnd()).problems, [])
  })

  it("events of kinds that are not known yet are counted", () => {
    const later = "{\"version\":1,\"at\":5,\"_tag\":\"Dreamt\",\"of\":\"sheep\"}\n"
    assert.deepStrictEqual(readRecording(later + good + later).problems, [
      "2 events of the kind `Dreamt`, which this toolgate does not know, are left out"
    ])
  })

  it("a file that is no recording has few problems named", () => {
    const { events, problems } = readRecording("some text\n".repeat(1_000))
    assert.strictEqual(events.length, 0)
    assert.strictEqual(problems.length, 5)
    assert.strictEqual(problems[4], "996 more lines can't be read and are left out")
  })

  it("a mark at the beginning and other ends of line do no harm", () => {
    assert.strictEqual(readRecording(`\uFEFF${good.replace("\n", "\r\n")}`).events.length, 1)
  })

  it("what is nested without end is read, or left out and said", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
    const { events, problems } = readRecording(
      `{"version":1,"at":1,"_tag":"Received","id":"a","use":{"type":"tool_use","id":"a","name":"T","input":${deep}}}\n${good}`
    )
    assert.strictEqual(events.length + problems.length, 2)
  })
})
