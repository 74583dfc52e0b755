import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as TestClock from "effect/testing/TestClock"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type FetchOptions, makeFetchManaged } from "../../../src/layers/settings/fetchManaged.ts"
import { serves, type SettingsServer, settingsServer, status } from "./settingsServer.ts"
import { type Files, policyOf, withFiles } from "./withFiles.ts"

const denies = (rule: string) => JSON.stringify({ permissions: { deny: [rule] } })

const fetcher = ({ at }: Files, options: Partial<FetchOptions> = {}) =>
  makeFetchManaged({ stateDirectory: at("state"), ...options }).pipe(
    Effect.provide([NodeServices.layer, FetchHttpClient.layer])
  )

const copies = ({ at }: Files) => readdirSync(at("state/managed")).map((name) => join(at("state/managed"), name))

const withServer = <A, E>(use: (server: SettingsServer, files: Files) => Effect.Effect<A, E>) =>
  withFiles({}, (files) => Effect.scoped(Effect.flatMap(settingsServer, (server) => use(server, files))))

describe("makeFetchManaged", () => {
  it.effect("settings are fetched once, kept for the user alone, and asked about again an hour later", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        server.answer = serves(denies("Bash(a)"), "\"1\"")
        const fetch = yield* fetcher(files)
        const first = yield* fetch(server.address)
        assert.deepStrictEqual(first, { view: { _tag: "Read", value: denies("Bash(a)") }, note: undefined })
        assert.strictEqual(statSync(copies(files)[0] ?? "").mode & 0o777, 0o600)
        assert.strictEqual(statSync(files.at("state/managed")).mode & 0o777, 0o700)

        yield* TestClock.adjust("59 minutes")
        assert.strictEqual((yield* fetch(server.address)).view, first.view)
        assert.deepStrictEqual(server.asked, [undefined])

        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* fetch(server.address)).view, first.view)
        assert.deepStrictEqual(server.asked, [undefined, "\"1\""])

        server.answer = serves(denies("Bash(b)"), "\"2\"")
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual((yield* fetch(server.address)).view, { _tag: "Read", value: denies("Bash(b)") })
      })
    ))

  it.effect("another process uses the copy without asking, and how long a copy counts can be chosen", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        server.answer = serves(denies("Bash(a)"))
        yield* (yield* fetcher(files))(server.address, 5)
        const other = yield* fetcher(files)
        yield* TestClock.adjust("4 minutes")
        assert.strictEqual((yield* other(server.address, 5)).view._tag, "Read")
        assert.strictEqual(server.asked.length, 1)
        yield* TestClock.adjust("1 minute")
        yield* other(server.address, 5)
        assert.strictEqual(server.asked.length, 2)
      })
    ))

  it.effect("when the server fails the copy counts, with a note, and the server is left alone for a while", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        const bad: ReadonlyArray<readonly [SettingsServer["answer"], RegExp]> = [
          [status(500), /status 500/],
          [status(302, { location: "http://127.0.0.1:1/" }), /redirect/],
          [serves("<html>sign in</html>"), /no JSON object/],
          [serves("[1]"), /no JSON object/],
          [serves("[".repeat(900)), /no JSON object/],
          [serves(`{"x":"${"y".repeat(3000)}"}`), /more than 2000 bytes/],
          [(_, response) => void response.destroy(), /can't be reached/],
          [
            (_, response) =>
              void response.writeHead(200, { "content-length": "900" }).write("{", () => response.destroy()),
            /can't be reached/
          ],
          [(_, response) => void response.writeHead(200).end(Buffer.from([0x7b, 0xff, 0x7d])), /UTF-8/]
        ]
        for (const [answer, why] of bad) {
          server.answer = serves(denies("Bash(a)"))
          const fetch = yield* fetcher(files, { maxBytes: 2000 })
          const first = yield* fetch(server.address)
          yield* TestClock.adjust("2 hours")
          server.answer = answer
          const copy = yield* fetch(server.address)
          assert.strictEqual(copy.view, first.view)
          assert.match(copy.note ?? "", why)
          const asked = server.asked.length
          yield* fetch(server.address)
          // Nor does another process ask so soon.
          assert.match((yield* (yield* fetcher(files))(server.address)).note ?? "", why)
          assert.strictEqual(server.asked.length, asked)

          server.answer = serves(denies("Bash(a)"))
          yield* TestClock.adjust("6 minutes")
          assert.isUndefined((yield* fetch(server.address)).note)
          yield* TestClock.adjust("2 hours")
        }
      })
    ))

  it.effect("without any copy it is refused, the same each time, and asked again soon", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        server.answer = status(503)
        const fetch = yield* fetcher(files)
        const first = yield* fetch(server.address)
        assert.deepStrictEqual(first.view, { _tag: "Refused", reason: "answers with status 503" })
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* fetch(server.address)).view, first.view)
        assert.strictEqual(server.asked.length, 2)
        yield* server.stop
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual((yield* fetch(server.address)).view, { _tag: "Refused", reason: "can't be reached" })
      })
    ))

  it.live("a server that hangs, before or within its answer, is given up", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        const fetch = yield* fetcher(files, { timeout: "100 millis" })
        server.answer = () => {}
        assert.deepStrictEqual((yield* fetch(server.address)).view, {
          _tag: "Refused",
          reason: "does not answer in time"
        })
        server.answer = (_, response) => void response.writeHead(200).write("{")
        const other = `${server.address}?other`
        assert.deepStrictEqual((yield* fetch(other)).view, { _tag: "Refused", reason: "does not answer in time" })
      })
    ))

  it.effect("only https and this machine are asked", () =>
    withFiles({}, (files) =>
      Effect.gen(function*() {
        const fetch = yield* fetcher(files)
        for (
          const address of [
            "http://example.com/",
            "file:///etc/passwd",
            "ftp://127.0.0.1/",
            "http://127.0.0.1.example.com/",
            "https://user:word@example.com/",
            "nonsense",
            ""
          ]
        ) assert.strictEqual((yield* fetch(address)).view._tag, "Refused", address)
      })))

  it.effect("a copy that somebody damaged, or that is of another address, is none", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        server.answer = serves(denies("Bash(a)"))
        yield* (yield* fetcher(files))(server.address)
        const [file = ""] = copies(files)
        const kept = readFileSync(file, "utf8")
        yield* server.stop
        for (const text of ["", "{}", kept.slice(0, -5), kept.replaceAll(server.address, "https://other.test/")]) {
          writeFileSync(file, text)
          assert.strictEqual((yield* (yield* fetcher(files))(server.address)).view._tag, "Refused", text)
        }
      })
    ))
})

describe("managed settings from an address", () => {
  it.effect("they are in force beside those of the disk, and their problems are told with their line", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        server.answer = serves(
          "{\n\"permissions\": {\"deny\": [\"Bash(a)\", 7],\n\"allow\": [\"Bash(\"]}, \"managedSettingsUrl\": \"https://x.test\"}"
        )
        files.write("etc/managed-settings.json", {
          managedSettingsUrl: server.address,
          permissions: { deny: ["Bash(b)"] }
        })
        const fetchManaged = yield* fetcher(files)
        yield* files.settings(
          Effect.gen(function*() {
            const policy = yield* policyOf(files.context)
            assert.deepStrictEqual(policy.rules.map(({ origin, text }) => [text, origin.file, origin.line]), [
              ["Bash(b)", files.at("etc/managed-settings.json"), 1],
              ["Bash(a)", server.address, 2]
            ])
            assert.deepStrictEqual(policy.unreadable, [])
            assert.deepStrictEqual(policy.diagnostics.map(({ origin, severity }) => [severity, origin.line]), [
              ["error", 2],
              ["warning", 3],
              ["warning", undefined]
            ])
            assert.notInclude(policy.settingsFiles, server.address)
            assert.strictEqual(yield* policyOf(files.context), policy)
          }),
          { fetchManaged }
        )
      })
    ))

  it.effect("without a copy, and without anybody to fetch them, nothing is permitted unasked", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        server.answer = status(500)
        files.write("etc/managed-settings.json", { managedSettingsUrl: server.address })
        const hidden = Effect.map(policyOf(files.context), ({ unreadable }) => unreadable)
        assert.deepStrictEqual(yield* files.settings(hidden, { fetchManaged: yield* fetcher(files) }), [
          { origin: { source: "policySettings", file: server.address }, reason: "answers with status 500" }
        ])
        assert.strictEqual((yield* files.settings(hidden)).length, 1)
        files.write("etc/managed-settings.json", { managedSettingsUrl: ["x"] })
        assert.strictEqual((yield* files.settings(hidden)).length, 1)
      })
    ))

  it.effect("the key counts in managed settings alone", () =>
    withServer((server, files) =>
      Effect.gen(function*() {
        files.write("home/.claude/settings.json", { managedSettingsUrl: server.address })
        files.write("repo/.claude/settings.json", {
          managedSettingsUrl: server.address,
          managedSettingsRefreshMinutes: 1
        })
        const policy = yield* files.settings(policyOf(files.context), { fetchManaged: yield* fetcher(files) })
        assert.deepStrictEqual(policy.diagnostics.map(({ severity }) => severity), ["warning", "warning", "warning"])
        assert.deepStrictEqual([policy.unreadable, server.asked], [[], []])
      })
    ))
})
