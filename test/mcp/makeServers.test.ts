import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { CallEvent } from "../../src/domain/CallEvent.ts"
import type { Elicitation } from "../../src/domain/Elicitation.ts"
import { Pipeline } from "../../src/pipeline.ts"
import { Approver } from "../../src/services/Approver.ts"
import { McpServers } from "../../src/services/McpServers.ts"
import { ToolRegistry } from "../../src/services/ToolRegistry.ts"
import { isAlive } from "../support/processes.ts"
import { use } from "../support/services.ts"
import { until } from "../support/until.ts"
import { counting, gated } from "./gated.ts"
import { misbehaving, real } from "./servers.ts"

const readLog = (log: string): string => existsSync(log) ? readFileSync(log, "utf8") : ""

const writing = (file: string, text: string): Effect.Effect<void> =>
  Effect.sync(() => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  })

const states = Effect.gen(function*() {
  const { servers } = yield* (yield* McpServers).status
  return Object.fromEntries(servers.map(({ entry, state }) => [entry.name, state._tag]))
})

describe("a server's tools", () => {
  it.live("are called like any other", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
        assert.strictEqual(yield* call("mcp__it__structured"), "{\"celsius\":21}")
      })))

  it.live("have their input read by the server's schema, with the forgiveness that built-in tools have", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello", count: "3" }), "hello")
        const refused = yield* call("mcp__it__echo", { count: 0, other: 1 })
        assert.include(refused, "`text`: expected string, received nothing")
        assert.include(refused, "`count`: expected a value greater than or equal to 1, received number 0")
        assert.include(refused, "`other`: expected no field of this name")
      })))

  it.live("run no pattern here, neither of their input's schema nor of their output's", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__patterns", { name: "c" }), "{\"name\":\"b\"}")
      })))

  it.live("show what the Messages API has blocks for, and name the rest", () =>
    gated({ it: misbehaving() }, ({ result }) =>
      Effect.gen(function*() {
        const { content } = yield* result("mcp__it__blocks")
        if (typeof content === "string") return assert.fail("no blocks")
        assert.deepStrictEqual(content.map(({ type }) => type), [
          "text",
          "image",
          "text",
          "text",
          "text",
          "text",
          "text"
        ])
        const texts = content.map((block) => block.type === "text" ? block.text : "")
        assert.deepStrictEqual(texts.slice(2), [
          "[an image of the type image/tiff with 70 bytes, which can't be shown]",
          "[a sound of the type audio/wav with 3 bytes, which can't be shown]",
          "[the resource file:///notes.txt]\nthe notes",
          "[the resource file:///a.bin of the type application/octet-stream with 3 bytes, which can't be shown]",
          "[the resource `big` at file:///big.csv: all of it]"
        ])
      })))

  it.live("are shown to the model alike where a hook passes on what they gave, and where it changes a text of it", () =>
    Effect.gen(function*() {
      const through = (change: (text: string) => string) =>
        gated(
          { it: misbehaving() },
          ({ result }) => Effect.forEach(["blocks", "structured", "list"], (name) => result(`mcp__it__${name}`)),
          {
            hooks: [{
              name: "redact",
              event: "PostToolUse",
              run: ({ own }) => Effect.succeed({ output: JSON.parse(change(JSON.stringify(own["tool_response"]))) })
            }]
          }
        )
      const plain = yield* gated(
        { it: misbehaving() },
        ({ result }) => Effect.forEach(["blocks", "structured", "list"], (name) => result(`mcp__it__${name}`))
      )
      assert.deepStrictEqual(yield* through((text) => text), plain)
      const [blocks, structured, list] = yield* through((text) =>
        text.replace("a text", "***").replace("21", "0").replace("listed", "***")
      )
      const [before] = plain
      assert.deepStrictEqual(
        JSON.stringify(blocks?.content),
        JSON.stringify(before?.content).replace("a text", "***")
      )
      assert.deepStrictEqual([structured?.content, list?.content], ["{\"celsius\":0}", "***"])
    }))

  it.live("are denied by rules that name them as their server calls itself", () =>
    gated({ "müller's git.hub": misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.include(yield* call("mcp__m_ller_s_git_hub__echo", { text: "hello" }), "failed: ")
        assert.strictEqual(yield* call("mcp__m_ller_s_git_hub__structured"), "{\"celsius\":21}")
      }), { allowedTools: ["mcp__m_ller_s_git_hub"], disallowedTools: ["mcp__müller_s git.hub__echo"] }))

  it.live("are not there where their server's name is too long for a rule", () => {
    const name = "n".repeat(65)
    return gated({ [name]: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.include(yield* call(`mcp__${name}__echo`, { text: "hello" }), "is longer than 64 characters")
      }))
  })

  it.live("fail with the server's words", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(
          yield* call("mcp__it__fail"),
          "failed: the call to the server `it` failed: the disk is on fire"
        )
        assert.include(yield* call("mcp__it__refuse"), "not today")
      })))

  it.live("tell of their progress", () =>
    gated({ it: misbehaving() }, ({ events }) =>
      Effect.gen(function*() {
        const told = (yield* events("mcp__it__progress")).flatMap((event) =>
          event._tag === "Progress" ? [event.text] : []
        )
        assert.deepStrictEqual(told, ["1/4 one\n", "4/4\n"])
      })))

  it.live("are told when their call is cancelled", () =>
    gated({}, ({ again, folder }) => {
      const log = join(folder, "log")
      const config = JSON.stringify({ mcpServers: { it: misbehaving(`log=${log}`) } })
      return again(
        Effect.gen(function*() {
          const { run } = yield* Pipeline
          const calling = yield* Effect.forkChild(run(use("mcp__it__hang")))
          yield* until(() => readLog(log).includes("\"hang\""))
          yield* Fiber.interrupt(calling)
          yield* until(() => readLog(log).includes("notifications/cancelled"))
        }),
        { allowedTools: ["mcp__it"], mcp: { configs: [config], environment: process.env } }
      )
    }))

  it.effect("are stopped at the time limit of their server", () =>
    gated({}, ({ again, call, folder }) => {
      const log = join(folder, "log")
      const config = JSON.stringify({ mcpServers: { it: { ...misbehaving(`log=${log}`), timeout: 1_000 } } })
      return again(
        Effect.gen(function*() {
          const calling = yield* Effect.forkChild(call("mcp__it__hang"))
          yield* until(() => readLog(log).includes("\"hang\""))
          yield* TestClock.adjust(1_000)
          assert.include(yield* Fiber.join(calling), "stopped at its time limit of 1000 ms")
          assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
        }),
        { allowedTools: ["mcp__it"], mcp: { configs: [config], environment: process.env } }
      )
    }))

  it.live("have long results kept in the store, at the limit that they claim or that the environment sets", () =>
    gated({ it: misbehaving() }, ({ again, call }) =>
      Effect.gen(function*() {
        assert.strictEqual((yield* call("mcp__it__long")).length, 150_000)
        const short = yield* again(call("mcp__it__echo", { text: "z".repeat(5_000) }), {
          environment: { MAX_MCP_OUTPUT_TOKENS: "1000" },
          mcp: {
            configs: [JSON.stringify({ mcpServers: { it: misbehaving() } })],
            environment: { MAX_MCP_OUTPUT_TOKENS: "1000" }
          },
          allowedTools: ["mcp__it"]
        })
        assert.include(short, "the whole is in")
      })))

  it.live("have the person told of a result of more than 10,000 tokens that goes to the model whole", () =>
    gated({ it: misbehaving() }, ({ events }) =>
      Effect.gen(function*() {
        const notes = (all: ReadonlyArray<CallEvent>) =>
          all.flatMap((event) => event._tag === "Noted" ? [event.note.text] : [])
        assert.deepStrictEqual(notes(yield* events("mcp__it__echo", { text: "y".repeat(40_000) })), [])
        assert.deepStrictEqual(notes(yield* events("mcp__it__echo", { text: "y".repeat(99_000) })), [
          "the result of `mcp__it__echo`, of about 24750 tokens, goes to the model whole; MAX_MCP_OUTPUT_TOKENS says " +
          "how many may, unless the tool's server or settings do"
        ])
        assert.deepStrictEqual(notes(yield* events("mcp__it__echo", { text: "y".repeat(200_000) })), [])
      })))

  it.live("are followed when the server changes them", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        const registry = yield* ToolRegistry
        assert.isUndefined(yield* registry.find("mcp__it__extra"))
        assert.strictEqual(yield* call("mcp__it__change"), "changed")
        const found = yield* registry.find("mcp__it__extra")
        assert.strictEqual(found?.tool.description, "Came later")
      })))
})

describe("permission", () => {
  it.live("a tool that says that it destroys asks, unless a rule names that very tool", () => {
    const asked: Array<string> = []
    return gated({ it: misbehaving() }, ({ again, call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__remove", { text: "all" }), "removed all")
        assert.deepStrictEqual(asked, [
          "mcp__it__remove: the server `it` says that this tool may destroy something"
        ])
        asked.length = 0
        const mcp = { configs: [JSON.stringify({ mcpServers: { it: misbehaving() } })], environment: {} }
        const named = { mcp, approver: counting(asked), allowedTools: ["mcp__it__remove"] }
        assert.strictEqual(yield* again(call("mcp__it__remove", { text: "all" }), named), "removed all")
        assert.deepStrictEqual(asked, [])
      }), { approver: counting(asked) })
  })

  it.live("a tool that wants a person gets one, whatever the mode", () => {
    const asked: Array<string> = []
    return gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__person"), "a person was asked")
        assert.strictEqual(asked.length, 1)
      }), { approver: counting(asked), mode: "bypassPermissions" })
  })

  it.live("a claim to only read permits nothing, and lets calls overlap", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.include(yield* call("mcp__it__look"), "failed: ")
        const { find } = yield* ToolRegistry
        for (const [name, safe] of [["look", true], ["echo", false]] as const) {
          const found = yield* find(`mcp__it__${name}`)
          const prepared = found?.tool.prepare({ text: "" })
          assert.strictEqual(prepared?._tag === "Success" && prepared.success.concurrencySafe, safe)
        }
      }), { allowedTools: [] }))

  it.live("a tool that changed since it was permitted asks, in a later process too, until a person permits it", () => {
    const asked: Array<string> = []
    const approver = counting(asked)
    return gated({ it: misbehaving() }, ({ again, call }) =>
      Effect.gen(function*() {
        const changing = Effect.andThen(call("mcp__it__change"), call("mcp__it__echo", { text: "hello" }))
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
        assert.strictEqual(yield* again(changing), "hello")
        assert.deepStrictEqual(asked, [
          "mcp__it__echo: the server `it` says something else of this tool since it was approved"
        ])
        assert.strictEqual(yield* again(changing), "hello")
        assert.strictEqual(asked.length, 1)
      }), { approver })
  })

  it.live("what was approved can't be found out: it asks", () => {
    const asked: Array<string> = []
    return gated({ it: misbehaving() }, ({ call, folder }) =>
      Effect.gen(function*() {
        yield* writing(join(folder, "state/mcp-tools.json"), "{ broken")
        yield* call("mcp__it__echo", { text: "hello" })
        assert.include(asked[0], "whether it was approved can't be found out")
      }), { approver: counting(asked) })
  })
})

describe("a server's question", () => {
  it.live("goes to the person, and the answer back", () => {
    const asked: Array<Elicitation> = []
    const approver = Layer.succeed(Approver, {
      ask: () => Effect.succeed({ _tag: "Nobody", why: "no" }),
      elicit: (elicitation) =>
        Effect.sync(() => {
          asked.push(elicitation)
          return { _tag: "Given", values: { colour: "blue" } }
        })
    })
    return gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__ask"), "{\"action\":\"accept\",\"content\":{\"colour\":\"blue\"}}")
        assert.deepInclude(asked[0], { id: "toolu_1", server: "it", message: "which colour?" })
        assert.deepStrictEqual(asked[0]?.asks, {
          _tag: "Form",
          fields: [{ name: "colour", title: "colour", required: true, kind: "text", options: [] }]
        })
      }), { approver })
  })

  it.live("is declined where nobody can be asked", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__ask"), "{\"action\":\"decline\"}")
      })))
})

describe("a server that misbehaves", () => {
  it.live("and never greets delays nobody but its own tools", () =>
    gated({ slow: misbehaving("silent"), it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        const slow = yield* Effect.forkChild(call("mcp__slow__echo", { text: "hello" }))
        const registry = yield* ToolRegistry
        yield* registry.all
        assert.isDefined(yield* registry.find("Read"))
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
        assert.deepStrictEqual(yield* states, { slow: "Connecting", it: "Connected" })
        assert.include((yield* registry.all).map(({ name }) => name), "mcp__it__echo")
        assert.isUndefined(slow.pollUnsafe())
        yield* Fiber.interrupt(slow)
      }), { environment: { MCP_TIMEOUT: "600000" } }))

  it.live("and ends at once fails its calls alone, with what it said", () =>
    gated({ dead: misbehaving("exits") }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(
          yield* call("mcp__dead__echo", { text: "hello" }),
          "failed: the call to the server `dead` failed: its program ended with code 3; its program said: no licence found"
        )
        assert.deepStrictEqual(yield* states, { dead: "Failed" })
      })))

  it.live("and dies in the middle of a call fails that one, and the next is answered by a new one", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(
          yield* call("mcp__it__die"),
          "failed: the call to the server `it` failed: its program ended with code 7; its program said: out of luck"
        )
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
      })))

  it.effect("and dies again and again is not started all the time", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        yield* call("mcp__it__die")
        yield* call("mcp__it__die")
        assert.match(
          yield* call("mcp__it__echo", { text: "hello" }),
          /it ended 2 times in a row, and is started again in 1000 ms/
        )
      })))

  it.live("and sends what is no message is listened to all the same", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__garbage"), "after the garbage")
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
      })))

  it.live("and answers with what is no answer fails that call at once, in one line", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        const broken: ReadonlyArray<unknown> = [
          {},
          { result: 5 },
          { result: null },
          { error: "no" },
          { error: null },
          { error: {} },
          { error: { code: "five", message: "no" } }
        ]
        for (const answer of broken) {
          const said = yield* call("mcp__it__half", { answer })
          assert.match(said, /^failed: the call to the server `it` failed: it answered with neither .*$/)
        }
        const unread: ReadonlyArray<readonly [result: unknown, why: string]> = [
          [{ content: null }, "`content`: expected array, received null"],
          [{ content: "text" }, "`content`: expected array, received string"],
          [{ content: [{ type: "hologram" }] }, "`content.0`: none of the forms that the protocol has"]
        ]
        for (const [result, why] of unread) {
          assert.strictEqual(
            yield* call("mcp__it__odd", { result }),
            `failed: the call to the server \`it\` failed: its answer to \`tools/call\` can't be read: ${why}`
          )
        }
        assert.strictEqual(
          yield* call("mcp__it__half", { answer: { jsonrpc: "2.0", error: { code: -1, message: " " } } }),
          "failed: the call to the server `it` failed: it did not say why"
        )
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
      })))

  it.live("and lists tools that are none has the others, and says which are left out", () =>
    gated({ it: misbehaving("oddities") }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
        const { servers: [status] } = yield* (yield* McpServers).status
        assert.deepStrictEqual(status?.state._tag === "Connected" ? status.state.problems : [], [
          "`bare` is left out, since its `inputSchema` is not one of an object",
          "`listed` is left out, since its `inputSchema` is not one of an object",
          "the tool with the number 3 is left out, since it has no name",
          "the tool with the number 4 is left out, since it has no name",
          "`told` is left out, since what the server says of it can't be read",
          "the tool with the number 6 is left out, since it has no name",
          "the tool with the number 7 is left out, since it has no name"
        ])
      })))

  it.live("and floods still has its newest progress told and its answer taken", () =>
    gated({ it: misbehaving() }, ({ events }) =>
      Effect.gen(function*() {
        const all = yield* events("mcp__it__flood")
        const told = all.flatMap((event) => event._tag === "Progress" ? [event.text] : [])
        assert.strictEqual(told.at(-1), "4999 step 4999\n")
        const last = all.at(-1)
        assert.isTrue(last?._tag === "Finished" && last.result.content === "after the flood")
      })))

  it.live("and answers with 200 MB fails the call, and the next is answered", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        const before = process.memoryUsage().rss
        assert.include(yield* call("mcp__it__huge"), "it sent a message of more than 33554432 bytes")
        assert.isBelow(process.memoryUsage().rss - before, 300 * 1024 * 1024)
        assert.strictEqual(yield* call("mcp__it__echo", { text: "hello" }), "hello")
      })))

  it.live("leaves no process when the gate is closed", () =>
    gated({}, ({ again, call, folder }) =>
      Effect.gen(function*() {
        const log = join(folder, "log")
        const config = JSON.stringify({ mcpServers: { it: misbehaving("stubborn", `log=${log}`) } })
        yield* again(call("mcp__it__echo", { text: "hello" }), {
          allowedTools: ["mcp__it"],
          mcp: { configs: [config], environment: process.env }
        })
        assert.isFalse(isAlive(Number(readLog(log).split("\n", 1)[0])))
      })))
})

describe("names", () => {
  it.live("servers whose tools would have the same names are told apart by refusing the later", () =>
    gated({ "a b": misbehaving(), "a.b": misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__a_b__echo", { text: "hello" }), "hello")
        const { servers } = yield* (yield* McpServers).status
        assert.include(servers[1]?.entry.refused?.why, "its tools would have the names of those of `a b`")
      }), { allowedTools: ["mcp__a_b"] }))

  it.live("a server that is not to be used says so before anybody is asked", () =>
    gated({ it: { command: "" } }, ({ call }) =>
      Effect.gen(function*() {
        assert.include(yield* call("mcp__it__echo"), "the server `it` may not be used: `command` is wrong")
        assert.include(yield* call("mcp__other__echo"), "mcp__other__echo")
      })))
})

describe("a configuration that changes", () => {
  const configure = (folder: string, servers: object) =>
    writing(join(folder, ".claude.json"), JSON.stringify({ mcpServers: servers }))
  const allowed = { allowedTools: ["mcp__one", "mcp__two"] }

  it.live("is followed: servers come, go, and are others, while the rest goes on", () =>
    gated({}, ({ call, folder }) =>
      Effect.gen(function*() {
        const [first, second] = [join(folder, "first"), join(folder, "second")]
        const starts = (log: string) => readLog(log).split("\n").filter((line) => /^\d+$/.test(line)).map(Number)
        yield* configure(folder, { one: misbehaving(`log=${first}`) })
        assert.strictEqual(yield* call("mcp__one__echo", { text: "hello" }), "hello")
        assert.include(yield* call("mcp__two__folder"), "failed: ")

        yield* configure(folder, { zero: { command: "no-such-program" }, one: misbehaving(`log=${first}`) })
        assert.strictEqual(yield* call("mcp__one__echo", { text: "again" }), "again")
        assert.strictEqual(starts(first).length, 1)

        yield* configure(folder, {
          one: { ...misbehaving(`log=${first}`), env: { NAME: "new" } },
          two: misbehaving(`log=${second}`)
        })
        assert.strictEqual(yield* call("mcp__one__environment", { name: "NAME" }), "new")
        assert.strictEqual(yield* call("mcp__two__folder"), folder)
        assert.deepStrictEqual(starts(first).map(isAlive), [false, true])

        yield* configure(folder, { two: misbehaving(`log=${second}`) })
        assert.include(yield* call("mcp__one__echo", { text: "gone" }), "failed: ")
        assert.deepStrictEqual(starts(first).map(isAlive), [false, false])
        assert.deepStrictEqual(yield* states, { two: "Connected" })
      }), allowed))

  it.live("ends a server with the call that is running, which is told", () =>
    gated({}, ({ call, folder }) =>
      Effect.gen(function*() {
        const log = join(folder, "log")
        yield* configure(folder, { one: misbehaving(`log=${log}`) })
        const running = yield* Effect.forkChild(call("mcp__one__hang"))
        yield* until(() => readLog(log).includes("tools/call"))
        yield* configure(folder, {})
        yield* call("mcp__two__echo")
        assert.match(yield* Fiber.join(running), /^failed: the call to the server `one` failed: /)
      }), allowed))

  it.live("tells a call that still waits for the server to be there", () =>
    gated({}, ({ call, folder }) =>
      Effect.gen(function*() {
        const log = join(folder, "log")
        yield* configure(folder, { one: misbehaving("silent", `log=${log}`) })
        const waiting = yield* Effect.forkChild(call("mcp__one__echo", { text: "x" }))
        yield* until(() => readLog(log).includes("initialize"))
        yield* configure(folder, { one: misbehaving() })
        assert.strictEqual(yield* call("mcp__one__echo", { text: "new" }), "new")
        assert.include(yield* Fiber.join(waiting), "its configuration was changed meanwhile: call again")
      }), allowed))
})

describe("a server is started", () => {
  const check = (name: string) =>
    Effect.flatMap(Pipeline, (pipeline) => Effect.result(pipeline.check(use(name, { text: "x" })))).pipe(
      Effect.map((result) => result._tag === "Success" ? result.success.verdict : result.failure._tag)
    )

  it.live("for no check that the rules alone settle, but for one that they would allow", () =>
    gated({ it: misbehaving() }, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* check("mcp__it__remove"), "ask")
        assert.strictEqual(yield* check("mcp__it__no_such_tool"), "ask")
        assert.strictEqual(yield* check("mcp__it__fail"), "deny")
        assert.strictEqual(yield* check("mcp__nobody__echo"), "ToolNotFound")
        assert.strictEqual(yield* check("Raed"), "ToolNotFound")
        assert.deepStrictEqual(yield* states, { it: "Waiting" })
        assert.strictEqual(yield* check("mcp__it__echo"), "allow")
        assert.deepStrictEqual(yield* states, { it: "Connected" })
        assert.strictEqual(yield* check("mcp__it__no_such_tool"), "ToolNotFound")
      }), { allowedTools: ["mcp__it__echo"], disallowedTools: ["mcp__it__fail"] }))

  it.live("for what the rules allow, since it may say that it destroys", () =>
    gated({ it: misbehaving() }, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* check("mcp__it__remove"), "ask")
        assert.deepStrictEqual(yield* states, { it: "Connected" })
      })))

  it.live("for no call that a rule denies altogether, nor for a tool that nobody knows", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.include(yield* call("mcp__it__echo", { text: "x" }), "failed: ")
        assert.include(yield* call("mcp__nobody__echo"), "failed: ")
        assert.include(yield* call("REPL", { code: "Object.keys(tools).length" }), "")
        assert.deepStrictEqual(yield* states, { it: "Waiting" })
      }), { disallowedTools: ["mcp__it"] }))

  it.live("for what a rule denies once a hook has allowed it", () =>
    gated({ it: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__it__echo", { text: "x" }), "x")
        assert.include(yield* call("mcp__it__echo", {}), "text")
      }), {
      disallowedTools: ["mcp__it"],
      hooks: [{ name: "it", event: "PreToolUse", run: () => Effect.succeed({ decision: "allow" }) }]
    }))

  it.live("where another one may have a tool of that name, too", () =>
    gated({ a: misbehaving(), a__b: misbehaving() }, ({ call }) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* call("mcp__a__b__echo", { text: "x" }), "x")
      }), { allowedTools: ["mcp__a__b"] }))
})

describe("the protocol's own servers", () => {
  it.live("everything: list, call, error, progress", () =>
    gated({ everything: real("everything") }, ({ call, events }) =>
      Effect.gen(function*() {
        yield* (yield* McpServers).ready
        const names = (yield* (yield* ToolRegistry).all).map(({ name }) => name)
        assert.includeMembers(names, ["Read", "mcp__everything__echo", "mcp__everything__get-sum"])
        assert.strictEqual(yield* call("mcp__everything__echo", { message: "hello" }), "Echo: hello")
        assert.include(yield* call("mcp__everything__get-sum", { a: "2", b: 3 }), "5")
        assert.include(yield* call("mcp__everything__get-sum", { a: "x", b: 3 }), "`a`: expected number")
        const long = yield* events("mcp__everything__trigger-long-running-operation", { duration: 0.2, steps: 2 })
        assert.deepStrictEqual(long.flatMap((event) => event._tag === "Progress" ? [event.text] : []), [
          "1/2\n",
          "2/2\n"
        ])
      })))

  it.live("everything: cancel", () =>
    gated({ everything: real("everything") }, ({ call }) =>
      Effect.gen(function*() {
        const { stream } = yield* Pipeline
        const begun = yield* Deferred.make<void>()
        const calling = yield* stream(
          use("mcp__everything__trigger-long-running-operation", { duration: 600, steps: 6_000 })
        ).pipe(
          Stream.runForEach((event) => event._tag === "Progress" ? Deferred.succeed(begun, undefined) : Effect.void),
          Effect.forkChild
        )
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(calling)
        assert.strictEqual(yield* call("mcp__everything__echo", { message: "hello" }), "Echo: hello")
      })))

  it.live("filesystem: reads below its folder, and an error elsewhere", () =>
    gated({ files: real("filesystem", ".") }, ({ call, folder }) =>
      Effect.gen(function*() {
        yield* writing(join(folder, "a.txt"), "the text")
        assert.include(yield* call("mcp__files__read_text_file", { path: join(folder, "a.txt") }), "the text")
        assert.include(yield* call("mcp__files__read_text_file", { path: "/etc/hostname" }), "Access denied")
      })))

  it.live("memory: what is written is found again", () =>
    gated({ memory: real("memory") }, ({ again, call, folder }) =>
      Effect.gen(function*() {
        const memory = { ...real("memory"), env: { MEMORY_FILE_PATH: join(folder, "memory.json") } }
        const options = {
          allowedTools: ["mcp__memory"],
          mcp: { configs: [JSON.stringify({ mcpServers: { memory } })], environment: process.env }
        }
        const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }]
        yield* again(call("mcp__memory__create_entities", { entities }), options)
        assert.include(yield* again(call("mcp__memory__search_nodes", { query: "Ada" }), options), "writes programs")
      })))
})
