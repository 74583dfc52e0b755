import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Elicitation } from "../../../src/domain/Elicitation.ts"
import type { Pipeline } from "../../../src/pipeline.ts"
import { Approver } from "../../../src/services/Approver.ts"
import { McpServers } from "../../../src/services/McpServers.ts"
import { ToolRegistry } from "../../../src/services/ToolRegistry.ts"
import { guarded } from "../../fixtures/mcp/guarded.ts"
import { collector } from "../../support/collector.ts"
import { type Gate, gated } from "../gated.ts"

/** A person who goes to the page, or who doesn't, and what they were asked. */
const person = (asked: Array<Elicitation>, goes = true) =>
  Layer.succeed(Approver, {
    ask: () => Effect.succeed({ _tag: "Once" }),
    elicit: (elicitation) =>
      Effect.sync(() => {
        asked.push(elicitation)
        if (!goes || elicitation.asks._tag !== "Address") return { _tag: "Declined" }
        void fetch(elicitation.asks.url).catch(() => {})
        return { _tag: "Given", values: {} }
      })
  })

/** Runs the gate around one server that wants a sign-in, with an audit log. */
const around = <A, E>(
  body: (
    server: Effect.Success<typeof guarded>,
    gate: Gate
  ) => Effect.Effect<A, E, McpServers | Pipeline | ToolRegistry>,
  approver?: Layer.Layer<Approver>
) =>
  Effect.scoped(
    Effect.flatMap(guarded, (server) =>
      gated({ notes: { url: server.url } }, (gate) => body(server, gate), {
        settings: JSON.stringify({ audit: true }),
        ...(approver === undefined ? {} : { approver })
      }))
  )

const whoami = "mcp__notes__whoami"

describe("a call that needs a sign-in", () => {
  it.live("asks the person and goes on", () => {
    const asked: Array<Elicitation> = []
    return around((server, gate) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* gate.call(whoami), "you are the one with [token]")
        assert.deepStrictEqual(asked.map(({ asks, server, tool }) => [server, tool, asks._tag]), [
          ["notes", whoami, "Address"]
        ])
        server.expire()
        server.refresh.clear()
        assert.strictEqual(yield* gate.call(whoami), "you are the one with [token]")
        assert.strictEqual(asked.length, 2)
        assert.strictEqual(yield* gate.call(whoami), "you are the one with [token]")
        assert.strictEqual(asked.length, 2)
      }), person(asked))
  })

  it.live("says what to do where nobody can be asked, and prepares nothing", () =>
    around((server, gate) =>
      Effect.gen(function*() {
        const said = "failed: the server `notes` wants you to sign in: run `toolgate mcp login notes`, then call again"
        assert.include(yield* gate.call(whoami), said)
        assert.strictEqual(server.seen.registered, 0)
      })
    ))

  it.live("asks one question for all calls at the same time, whatever the answer", () => {
    const asked: Array<Elicitation> = []
    return around((_, gate) =>
      Effect.gen(function*() {
        const calls = [gate.call(whoami), gate.call(whoami), gate.call(whoami)]
        const results = yield* Effect.all(calls, { concurrency: "unbounded" })
        for (const result of results) assert.include(result, "failed: the server `notes` wants you to sign in: nobody")
        assert.strictEqual(asked.length, 1)
        yield* gate.call(whoami)
        assert.strictEqual(asked.length, 2)
      }), person(asked, false))
  })

  it.live("asks again for a tool that turns out to have something to say of itself", () =>
    around((server, gate) =>
      Effect.gen(function*() {
        server.destructive = true
        assert.include(
          yield* gate.call(whoami),
          "failed: the call to the server `notes` failed: you are signed in to it now: call again"
        )
        assert.include(yield* gate.call(whoami), "you are the one")
      }), person([])))

  it.live("is the only thing that asks: looking at tools and servers does not", () => {
    const asked: Array<Elicitation> = []
    return around(() =>
      Effect.gen(function*() {
        const { ready, status } = yield* McpServers
        yield* ready
        assert.strictEqual((yield* status).servers[0]?.state._tag, "NeedsSignIn")
        yield* (yield* ToolRegistry).find(whoami)
        assert.deepStrictEqual(asked, [])
      }), person(asked))
  })
})

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())

describe("tokens", () => {
  it.live("are in nothing that is written or sent but the file that keeps them", () =>
    around((server, gate) =>
      Effect.scoped(Effect.gen(function*() {
        const { layer, sent } = yield* collector
        const told: Array<unknown> = []
        yield* Effect.scoped(Effect.gen(function*() {
          const context = yield* Layer.build(layer)
          const call = Effect.gen(function*() {
            told.push(yield* gate.events(whoami), yield* gate.result(whoami))
            yield* Effect.logInfo("a call ended")
          }).pipe(Effect.withSpan("test"), Effect.provideContext(context))
          yield* call
          server.expire()
          yield* call
          server.tokenEndpoint = "fails"
          server.expire()
          yield* call
          server.tokenEndpoint = "works"
          server.badToken = 500
          server.refresh.clear()
          yield* call
          const { signOut } = yield* McpServers
          server.revocation = "fails"
          told.push(yield* signOut("notes"))
          yield* call
        }))
        assert.isAbove(server.issued.length, 8)
        assert.isNotEmpty(sent.traces)
        assert.isNotEmpty(sent.logs)
        const files = filesIn(gate.folder)
        const kept = files.filter((file) => file.includes("/state/mcp/"))
        assert.strictEqual(kept.length, 1)
        const audit = files.filter((file) => file.includes("audit"))
        assert.isNotEmpty(audit)
        const texts = [
          JSON.stringify(told),
          ...Object.values(sent).flat(),
          ...files.filter((file) => !kept.includes(file)).map((file) => readFileSync(file, "utf8"))
        ]
        const text = texts.join("\n")
        assert.include(text, "[token]")
        for (const secret of server.issued) assert.notInclude(text, secret)
        assert.isTrue(server.issued.some((secret) => readFileSync(kept[0] ?? "", "utf8").includes(secret)))
      })), person([])))
})
