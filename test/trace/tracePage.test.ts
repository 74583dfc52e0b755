import { assert, describe, it } from "@effect/vitest"
import { readRecording } from "../../src/trace/Recording.ts"
import { traceOf } from "../../src/trace/traceOf.ts"
import { tracePage } from "../../src/trace/tracePage.ts"
import { conversation, Events, hostile, recorded } from "./recordings.ts"

interface Read {
  /** The text of every element, without style and script. */
  readonly text: string
  /** How often each element begins. */
  readonly elements: Record<string, number>
}

const empty = new Set(["meta", "path", "input", "i"])

/** Reads a page as strictly as it is written: any other `<`, attribute or order of elements fails. */
const read = (page: string): Read => {
  const open: Array<string> = []
  const elements: Record<string, number> = {}
  let text = ""
  const body = page
    .replace(/^<!doctype html>\n/, "")
    .replace(/<style>[^<]*<\/style>/, "")
    .replace(/<script>[\s\S]*?<\/script>/, "")
  const token = /<(\/?)([a-z0-9]+)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(\/?)>|([^<>]+)/gy
  let end = 0
  for (const [whole, closing, name = "", , selfClosing, words] of body.matchAll(token)) {
    end += whole.length
    if (words !== undefined) {
      text += words
    } else if (closing === "/") {
      assert.strictEqual(name, open.pop())
    } else {
      elements[name] = (elements[name] ?? 0) + 1
      if (selfClosing === "" && !(empty.has(name) && name !== "i")) open.push(name)
    }
  }
  assert.strictEqual(end, body.length, body.slice(end, end + 80))
  assert.deepStrictEqual(open, [])
  return { elements, text }
}

const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", "\"").replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

describe("tracePage", () => {
  it("has a row for every step, and one for each stage that was not reached", () => {
    const trace = traceOf(readRecording(conversation).events)
    const page = tracePage(trace, [])
    assert.strictEqual(page.match(/<li class="step /g)?.length, trace.steps.length)
    assert.strictEqual(page.match(/<li class="ghost /g)?.length, 3)
  })

  it("allows its own style and script, and nothing else", () => {
    const page = tracePage(traceOf([]), [])
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
    assert.match(
      unescaped(policy ?? ""),
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/
    )
    assert.notMatch(page, /(?:src|href)="(?!#)/)
    assert.notMatch(page, / style="| on\w+="/)
  })

  it("says what of the recording could not be read", () => {
    assert.include(tracePage(traceOf([]), ["line 3 is <b>not</b> JSON"]), "line 3 is &lt;b&gt;not&lt;/b&gt; JSON")
  })

  it.prop("whatever is recorded, the page is whole and its texts are texts", { drawn: Events }, ({ drawn }) => {
    const trace = traceOf(recorded(drawn))
    const { elements, text } = read(tracePage(trace, []))
    assert.strictEqual(elements["script"], undefined)
    assert.strictEqual(elements["h1"], 1)
    assert.notMatch(text, /[^\P{Cc}\n\t]|[\u200B-\u200F\u2028-\u202E\u2066-\u2069]/u)
  })

  it("a text that wants to be more stays a text, wherever it comes from", () => {
    for (const evil of hostile) {
      const use = { type: "tool_use", id: evil, name: evil, input: { [evil]: evil } } as const
      const page = tracePage(
        traceOf([
          { at: 0, event: { _tag: "ConversationStarted", question: evil, model: evil } },
          { at: 1, event: { _tag: "ModelAnswered", turn: 1, text: evil, uses: [use] } },
          { at: 2, event: { _tag: "Received", id: evil, use } },
          { at: 3, event: { _tag: "Stored", id: evil, path: evil } },
          { at: 4, event: { _tag: "Progress", id: evil, channel: "stderr", text: `${evil}\n`.repeat(40) } },
          {
            at: 5,
            event: {
              _tag: "Finished",
              id: evil,
              outcome: "failed",
              result: {
                type: "tool_result",
                tool_use_id: evil,
                content: [{ type: "image", source: { type: "url", url: evil } }, { type: "document", [evil]: evil }]
              }
            }
          }
        ]),
        [evil]
      )
      const { elements, text } = read(page)
      assert.strictEqual(elements["img"], undefined)
      assert.strictEqual(elements["h1"], 1)
      if (!/[\p{C}\p{Z}]/u.test(evil.replaceAll(" ", ""))) assert.include(unescaped(text), evil)
    }
  })

  it("the ways of many calls are folded, so that the steps come first", () => {
    const { events } = readRecording(conversation.repeat(3))
    const { elements, text } = read(tracePage(traceOf(events), []))
    assert.strictEqual(elements["h2"], 12)
    assert.include(text, "The ways of all 9 calls")
  })

  it("a very long text is folded, and cut where a page is no place for it", () => {
    const page = tracePage(
      traceOf([{
        at: 0,
        event: { _tag: "Progress", id: "a", channel: "stdout", text: "0123456789\n".repeat(100_000) }
      }]),
      []
    )
    assert.strictEqual(read(page).elements["details"], 1)
    assert.include(page, "900,000 more characters in the recording, left out of this page")
    assert.isBelow(page.length, 300_000)
  })
})
