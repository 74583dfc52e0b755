import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { isWalkable, plainWords } from "../../src/tools/plainWords.ts"
import { isPublic } from "../../src/tools/publicAddress.ts"
import { WebFetch } from "../../src/tools/WebFetch.ts"
import { type Limits, WebLimits } from "../../src/tools/WebLimits.ts"
import { processorMillis } from "../support/processorMillis.ts"
import { bench } from "./runTool.ts"

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server on this machine, and how many questions it was asked. */
const serving = (
  answer: Answer
): Effect.Effect<{ readonly host: string; readonly asked: () => number }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly host: string; readonly asked: () => number; readonly close: () => void }>((resume) => {
      let asked = 0
      const server = createServer((request, response) => {
        asked += 1
        answer(response, request)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({
          host: `127.0.0.1:${port}`,
          asked: () => asked,
          close: () => {
            server.closeAllConnections()
            server.close()
          }
        }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const limits = (change: Partial<Limits>) => Effect.updateService(WebLimits, (before) => ({ ...before, ...change }))

const html = (text: string): Answer => (response) =>
  void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(text)

describe("WebFetch", () => {
  it.live("a page comes back as Markdown, without its scripts", () =>
    Effect.gen(function*() {
      const { host } = yield* serving(html(
        "<html><head><title>t</title><style>p{}</style></head><body><h1>Héading</h1><script>evil()</script>" +
          "<p>One <a href=\"/a\">link</a></p><ul><li>a</li></ul><pre><code>x = 1</code></pre></body></html>"
      ))
      const { text } = yield* bench()
      const page = yield* limits({ privateHosts: [host] })(text(WebFetch, { url: `http://${host}/`, prompt: "what?" }))
      assert.match(page, /^# Héading\n\nOne \[link\]\(\/a\)\n\n- +a\n\n```\nx = 1\n```$/)
    }))

  it.live("addresses of this machine are refused, by number in any spelling and by a name that leads there", () =>
    Effect.gen(function*() {
      const { asked, host } = yield* serving(html("secret"))
      const port = host.split(":")[1] ?? ""
      const { failure } = yield* bench()
      const hosts = [
        host,
        `localhost:${port}`,
        `0x7f.1:${port}`,
        `2130706433:${port}`,
        `[::1]:${port}`,
        `[::ffff:127.0.0.1]:${port}`
      ]
      for (const one of [...hosts, "169.254.169.254", `0.0.0.0:${port}`]) {
        assert.include((yield* failure(WebFetch, { url: `http://${one}/` })).message, "may not be fetched", one)
      }
      const named = limits({ resolve: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]) })
      const refused = yield* named(failure(WebFetch, { url: `http://innocent.example:${port}/` }))
      assert.include(refused.message, "`innocent.example:")
      assert.strictEqual(asked(), 0)
    }))

  it.live("one private address among several refuses the name", () =>
    Effect.gen(function*() {
      const { failure } = yield* bench()
      const mixed = limits({
        resolve: () => Promise.resolve([{ address: "93.184.215.14", family: 4 }, { address: "10.0.0.1", family: 4 }])
      })
      assert.include((yield* mixed(failure(WebFetch, { url: "http://mixed.example/" }))).message, "may not be fetched")
    }))

  it.live("a redirect to another host is told and not followed, also when it leads into this machine", () =>
    Effect.gen(function*() {
      const other = yield* serving(html("other"))
      const { host } = yield* serving((response) =>
        void response.writeHead(302, { location: `http://${other.host}/x` }).end()
      )
      const { text } = yield* bench()
      const said = yield* limits({ privateHosts: [host] })(text(WebFetch, { url: `http://${host}/` }))
      assert.include(said, `redirects to another host, which was not fetched: \`http://${other.host}/x\``)
      assert.strictEqual(other.asked(), 0)
    }))

  it.live("redirects on the same host are followed, and a loop ends", () =>
    Effect.gen(function*() {
      const { asked, host } = yield* serving((response, { url }) => {
        if (url === "/from") return void response.writeHead(301, { location: "to" }).end()
        if (url === "/to") return html("<p>there</p>")(response, {} as IncomingMessage)
        response.writeHead(302, { location: url }).end()
      })
      const { failure, text } = yield* bench()
      const open = limits({ privateHosts: [host] })
      assert.strictEqual(yield* open(text(WebFetch, { url: `http://${host}/from` })), "there")
      const looped = yield* open(failure(WebFetch, { url: `http://${host}/loop` }))
      assert.include(looped.message, "redirects more than 5 times")
      assert.strictEqual(asked(), 8)
    }))

  it.live("a redirect to what is no web address is an error", () =>
    Effect.gen(function*() {
      const { host } = yield* serving((response) =>
        void response.writeHead(302, { location: "file:///etc/passwd" }).end()
      )
      const { failure } = yield* bench()
      const failed = yield* limits({ privateHosts: [host] })(failure(WebFetch, { url: `http://${host}/` }))
      assert.include(failed.message, "which is no web address")
    }))

  it.live("a page without end is cut, and says so", () =>
    Effect.gen(function*() {
      const { host } = yield* serving((response) => {
        response.writeHead(200, { "content-type": "text/plain" })
        const more = (): void => {
          while (!response.destroyed && response.write("0123456789\n".repeat(1000)));
          response.once("drain", more)
        }
        more()
      })
      const { text } = yield* bench()
      const page = yield* limits({ privateHosts: [host], bytes: 20_000 })(text(WebFetch, { url: `http://${host}/` }))
      assert.match(page, /^0123456789\n[^]*\[the page is longer, this is its first [^\]]+\]$/)
      assert.isBelow(page.length, 20_200)
    }))

  it.live("one that never answers, or never ends, is left after the time limit", () =>
    Effect.gen(function*() {
      const silent = yield* serving(() => {})
      const slow = yield* serving((response) => void response.writeHead(200).write("a"))
      const { failure } = yield* bench()
      for (const { host } of [silent, slow]) {
        const failed = yield* limits({ privateHosts: [host], timeoutMillis: 300 })(
          failure(WebFetch, { url: `http://${host}/` })
        )
        assert.deepInclude(failed, { _tag: "ToolTimedOut", limitMillis: 300 })
      }
    }))

  it.live("a lie about the length or the type is found out", () =>
    Effect.gen(function*() {
      const short = yield* serving((response) => {
        response.writeHead(200, { "content-length": "100" }).write("ten bytes.")
        setTimeout(() => response.destroy(), 20)
      })
      const picture = yield* serving((response) =>
        void response.writeHead(200, { "content-type": "text/plain" }).end(Buffer.from("89504e470d0a1a0a0000", "hex"))
      )
      const packed = yield* serving((response) =>
        void response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end("no gzip")
      )
      const unknown = yield* serving((response) =>
        void response.writeHead(200, { "content-type": "text/html", "content-encoding": "zstd" }).end("a")
      )
      const { failure } = yield* bench()
      const open = limits({ privateHosts: ["127.0.0.1"] })
      assert.include((yield* open(failure(WebFetch, { url: `http://${short.host}/` }))).message, "could not be fetched")
      assert.include(
        (yield* open(failure(WebFetch, { url: `http://${picture.host}/` }))).message,
        "can't be shown as text"
      )
      assert.include(
        (yield* open(failure(WebFetch, { url: `http://${packed.host}/` }))).message,
        "can't be unpacked"
      )
      assert.include(
        (yield* open(failure(WebFetch, { url: `http://${unknown.host}/` }))).message,
        "in the encoding `zstd`"
      )
    }))

  it.live("what is packed is unpacked, and a bomb only as far as the limit", () =>
    Effect.gen(function*() {
      const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
      const { text } = yield* bench()
      for (const [encoding, pack] of Object.entries(packers)) {
        const page = pack(Buffer.from("a page, é"))
        const bomb = pack(Buffer.alloc(encoding === "br" ? 5_000_000 : 200_000_000, "a"))
        const { host } = yield* serving((response, { url }) =>
          void response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding }).end(
            url === "/bomb" ? bomb : page
          )
        )
        const open = limits({ privateHosts: [host], bytes: 100_000 })
        assert.strictEqual(yield* open(text(WebFetch, { url: `http://${host}/` })), "a page, é")
        const cut = yield* open(text(WebFetch, { url: `http://${host}/bomb` }))
        assert.match(cut, /^a{100000}\n\[the page is longer, this is its first [^\]]+\]$/)
      }
    }))

  it.effect("an answer is good for 15 minutes, a redirect to another host too, and an error is not kept", () =>
    Effect.gen(function*() {
      const { asked, host } = yield* serving((response, request) => {
        if (request.url === "/gone") return void response.writeHead(404, { "content-type": "text/plain" }).end("gone")
        if (request.url === "/away") return void response.writeHead(302, { location: "http://example.com/" }).end()
        response.writeHead(200, { "content-type": "text/plain" }).end("text")
      })
      const { failure, text } = yield* bench()
      const same = { ...(yield* WebLimits), privateHosts: [host] }
      const open = Effect.provideService(WebLimits, same)
      const fetched = (path: string) => open(text(WebFetch, { url: `http://${host}${path}` }))
      const first = [yield* fetched("/"), yield* fetched("/away")]
      assert.deepStrictEqual([yield* fetched("/"), yield* fetched("/away")], first)
      assert.strictEqual(asked(), 2)
      for (let turn = 0; turn < 2; turn += 1) yield* open(failure(WebFetch, { url: `http://${host}/gone` }))
      assert.strictEqual(asked(), 4)
      yield* TestClock.adjust("16 minutes")
      yield* fetched("/")
      assert.strictEqual(asked(), 5)
    }))

  it.live("an error of the server shows its status and what it had to say", () =>
    Effect.gen(function*() {
      const { host } = yield* serving((response) =>
        void response.writeHead(404, { "content-type": "text/html" }).end("<h1>No such page</h1>")
      )
      const { failure } = yield* bench()
      const failed = yield* limits({ privateHosts: [host] })(failure(WebFetch, { url: `http://${host}/x` }))
      assert.deepInclude(failed, { output: "# No such page" })
      assert.include(failed.message, "answers with status 404")
    }))

  it.live(
    "a page nested beyond all measure still has its words, and old encodings are read",
    () =>
      Effect.gen(function*() {
        const deep = yield* serving(html(`${"<div>".repeat(20_000)}deep words`))
        const latin = yield* serving((response) =>
          void response.writeHead(200, { "content-type": "text/html; charset=iso-8859-1" }).end(
            Buffer.from("<p>caf\xe9", "latin1")
          )
        )
        const { text } = yield* bench()
        const open = limits({ privateHosts: ["127.0.0.1"] })
        assert.include(yield* open(text(WebFetch, { url: `http://${deep.host}/` })), "deep words")
        assert.strictEqual(yield* open(text(WebFetch, { url: `http://${latin.host}/` })), "café")
      })
  )

  it.live("a page is read in the encoding that it has, whatever it or its server says", () =>
    Effect.gen(function*() {
      const wide = (text: string) => Buffer.from(text, "utf16le")
      const latin = (text: string) => Buffer.from(text, "latin1")
      const words = "<p>naïve café, «déjà vu»"
      const euro = latin("<p>caf\xe9 \x80\x93")
      const pages: ReadonlyArray<readonly [kind: string, type: string, body: Buffer, shown: string]> = [
        ["UTF-16 with its mark, unnamed", "text/html", wide(`\ufeff${words}`), words],
        ["big-endian UTF-16 with its mark", "text/html", wide(`\ufeff${words}`).swap16(), words],
        ["UTF-16 with its mark, named UTF-8", "text/html; charset=utf-8", wide(`\ufeff${words}`), words],
        ["UTF-16 without a mark, named", "text/html; charset=utf-16le", wide(words), words],
        ["UTF-8 with its mark, named Latin-1", "text/html; charset=latin1", Buffer.from(`\ufeff${words}`), words],
        ["Latin-1 by the header", "text/html; charset=ISO-8859-1", latin(words), words],
        ["Latin-1 by the header, in quotes", "text/html; charset='iso-8859-1'", latin(words), words],
        ["Latin-1 as plain text", "text/plain; charset=iso-8859-1", latin("café"), "café"],
        [
          "Windows-1252 by a meta tag",
          "text/html",
          Buffer.concat([latin("<meta charset=windows-1252>"), euro]),
          "café €“"
        ],
        [
          "Windows-1252 by the older meta tag",
          "text/html",
          Buffer.concat([latin("<meta http-equiv='Content-Type' content='text/html; charset=windows-1252'>"), euro]),
          "café €“"
        ],
        [
          "Windows-1251 by a meta tag",
          "text/html",
          latin("<meta charset=\"windows-1251\"><p>\xcf\xf0\xe8\xe2\xe5\xf2"),
          "Привет"
        ],
        ["Shift_JIS by the header", "text/html; charset=shift_jis", latin("<p>\x93\xfa\x96{"), "日本"],
        [
          "Latin-1 by an XML declaration",
          "application/xhtml+xml",
          latin("<?xml version='1.0' encoding='iso-8859-1'?><p>é"),
          "é"
        ],
        ["a header that says Latin-1 of UTF-8", "text/html; charset=iso-8859-1", Buffer.from(words), words],
        ["a header that says UTF-8 of Latin-1", "text/html; charset=utf-8", latin(words), words],
        [
          "a header that says UTF-8 of Windows-1251, which a meta tag knows",
          "text/html; charset=utf-8",
          latin("<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2"),
          "Привет"
        ],
        [
          "a header that names what does not exist",
          "text/html; charset=klingon",
          latin(`<meta charset=latin1>${words}`),
          words
        ],
        ["a meta tag that lies about UTF-8", "text/html", Buffer.from(`<meta charset="utf-16">${words}`), words],
        ["a meta tag in a comment", "text/html", Buffer.from(`<!-- <meta charset=shift_jis> -->${words}`), words],
        ["nothing said of UTF-8", "text/html", Buffer.from(words), words],
        ["nothing said of Latin-1", "text/html", latin(words), words],
        ["no type at all", "", Buffer.from(`<html>${words}`), words],
        [
          "UTF-8 with one wrong byte",
          "text/html; charset=utf-8",
          Buffer.concat([Buffer.from(words), latin("\xff")]),
          `${words}\ufffd`
        ]
      ]
      const { text } = yield* bench()
      for (const [kind, type, body, shown] of pages) {
        const { host } = yield* serving((response) =>
          void response.writeHead(200, type === "" ? {} : { "content-type": type }).end(body)
        )
        const said = yield* limits({ privateHosts: [host] })(text(WebFetch, { url: `http://${host}/` }))
        assert.strictEqual(said, shown.replace("<p>", ""), kind)
      }
    }))

  it.live("a page of UTF-8 that is cut within a character is still one", () =>
    Effect.gen(function*() {
      const { host } = yield* serving((response) =>
        void response.writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" }).end("é".repeat(100))
      )
      const { text } = yield* bench()
      const said = yield* limits({ privateHosts: [host], bytes: 21 })(text(WebFetch, { url: `http://${host}/` }))
      assert.match(said, /^é{10}\n\[the page is longer/)
    }))

  it.live("what is no web address is refused before anybody is asked, a password before it is sent", () =>
    Effect.gen(function*() {
      const { failure, validate } = yield* bench()
      const told = yield* failure(WebFetch, { url: "http://a:b@example.com/" })
      assert.include(told.message, "holds a name or password")
      for (
        const url of ["example.com", "file:///etc/passwd", `http://a/${"x".repeat(2_000)}`]
      ) {
        assert.strictEqual((yield* validate(WebFetch, { url }))._tag, "Refused", url)
      }
    }))
})

describe("plainWords", () => {
  it("hostile pages take a moment and no more", () => {
    const pages = ["<script".repeat(300_000), "<".repeat(2_000_000), "<div>".repeat(300_000), "</style".repeat(200_000)]
    const readAll = () => {
      for (const page of pages) plainWords(page)
      assert.deepStrictEqual(pages.map(isWalkable), [false, true, false, true])
    }
    assert.isBelow(processorMillis(readAll), 5_000)
  })
})

describe("isPublic", () => {
  it("only addresses of the open network are", () => {
    const open = ["1.1.1.1", "93.184.215.14", "2606:4700::1111"]
    assert.deepStrictEqual(open.filter((address) => !isPublic(address)), [])
    const closed = [
      "0.0.0.0",
      "10.1.2.3",
      "100.64.0.1",
      "127.9.9.9",
      "169.254.169.254",
      "172.31.0.1",
      "192.168.1.1",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::ffff:10.0.0.1",
      "64:ff9b::7f00:1",
      "fc00::1",
      "fd12::1",
      "fe80::1",
      "ff02::1",
      "2002:7f00:1::",
      "2001:db8::1",
      "example.com",
      ""
    ]
    assert.deepStrictEqual(closed.filter(isPublic), [])
  })
})
