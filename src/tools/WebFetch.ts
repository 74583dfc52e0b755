/**
 * The tool that fetches a page of the web.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed, type ToolTimedOut } from "../errors/ExecuteError.ts"
import type { Page } from "./fetchPage.ts"
import { kindOfBytes } from "./kindOfBytes.ts"
import { isWide, pageText } from "./pageText.ts"
import { isWalkable, plainWords } from "./plainWords.ts"
import { quoted } from "./quoted.ts"
import { showSize } from "./showSize.ts"
import { WebLimits } from "./WebLimits.ts"

const Input = Schema.Struct({
  url: Schema.String.annotate({ description: "The address to fetch, with http:// or https://" }),
  prompt: Schema.optionalKey(
    Schema.String.annotate({ description: "What you want to know from the page; it is given back whole" })
  )
})

/**
 * What was fetched, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebFetchValue {
  readonly url: string
  readonly code: number
  readonly bytes: number
  readonly redirect?: string
  readonly result: string
  readonly durationMs: number
}

/**
 * Fetches a page and gives it as Markdown.
 *
 * **Details**
 *
 * A redirect to another host is told and not followed. Addresses of this machine
 * and its own network are refused unless `WebLimits` names them.
 *
 * @category tools
 * @since 0.1.0
 */
export const WebFetch: Tool.Tool = Tool.make({
  name: "WebFetch",
  origin: "builtin",
  description:
    "Fetches a page of the web and gives its text as Markdown. A redirect to another host is told, so that " +
    "you can fetch that.",
  input: Input,
  maxResultSizeChars: 50_000,
  concurrencySafe: () => true,
  subject: ({ url }) => ({ _tag: "Url", url }),
  validateInput: ({ url }) => {
    const wrong = whyNot(url)
    return Effect.succeed(
      wrong === undefined ? { _tag: "Valid" } : { _tag: "Refused", message: `\`url\` ${wrong}`, code: 1 }
    )
  },
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<WebFetchValue, ToolFailed | ToolTimedOut> {
    const wrong = whyNot(input.url)
    if (wrong !== undefined) return yield* new ToolFailed({ reason: `\`url\` ${wrong}` })
    const url = new URL(input.url)
    // Rules go by the host, so they have their say first.
    if (url.username !== "" || url.password !== "") {
      return yield* new ToolFailed({ reason: "`url` holds a name or password, which would be sent there" })
    }
    const started = performance.now()
    yield* context.progress({ channel: "message", text: `fetching ${url.host}` })
    // HTTP and HTML take their time to load, so only who fetches waits for them.
    const { fetchPage } = yield* Effect.promise(() => import("./fetchPage.ts"))
    const page = yield* fetchPage(url, yield* WebLimits)
    const done = { code: page.status, durationMs: Math.round(performance.now() - started) }
    if (page._tag === "Elsewhere") {
      const { href } = page.url
      return {
        ...done,
        url: url.href,
        bytes: 0,
        redirect: href,
        result: `${quoted(url.href)} redirects to another host, which was not fetched: ${quoted(href)}`
      }
    }
    return { ...done, url: page.url.href, bytes: page.bytes.length, result: yield* textOf(page) }
  }),
  render: ({ result }: WebFetchValue) => result
})

const longest = 2_000

const whyNot = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null) return "is no address"
  if (url.protocol !== "http:" && url.protocol !== "https:") return "begins with neither `http://` nor `https://`"
  return text.length > longest ? `is longer than ${longest} characters` : undefined
}

const textOf = Effect.fnUntraced(
  function*(page: Extract<Page, { _tag: "Page" }>): Effect.fn.Return<string, ToolFailed> {
    const shown = quoted(page.url.href)
    const type = (page.type.split(";")[0] ?? "").trim().toLowerCase()
    const kind = kindOfBytes(page.bytes)
    if (kind._tag !== "Text" && !(kind._tag === "Binary" && isWide(page.type))) {
      const what = kind._tag === "Image" ? `an image (${kind.mediaType})` : kind.what
      return yield* new ToolFailed({ reason: `${shown} is ${what}, which can't be shown as text` })
    }
    const text = pageText(page.bytes, page.type, page.cut)
    const isHtml = /html/.test(type) || (type === "" && /^\s*(?:<!doctype html|<html)/i.test(text))
    const shownText = isHtml && text.trim() !== "" ? yield* markdown(text) : text
    const notices = [
      ...(shownText.trim() === "" ? ["the page is empty"] : []),
      ...(page.cut ? [`the page is longer, this is its first ${showSize(page.bytes.length)}`] : [])
    ]
    const whole = [...(shownText.trim() === "" ? [] : [shownText]), ...notices.map((notice) => `[${notice}]`)].join(
      "\n"
    )
    if (page.status < 400) return whole
    return yield* new ToolFailed({
      reason: `${shown} answers with status ${page.status}`,
      output: whole.slice(0, 10_000)
    })
  }
)

/** A page that can't be walked still has words. */
const markdown = Effect.fnUntraced(function*(html: string): Effect.fn.Return<string> {
  if (!isWalkable(html)) return plainWords(html)
  const { htmlToMarkdown } = yield* Effect.promise(() => import("./htmlToMarkdown.ts"))
  const made = Result.try(() => htmlToMarkdown(html))
  return Result.isSuccess(made) ? made.success : plainWords(html)
})
