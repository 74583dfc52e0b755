import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { ChatLine, ChatOutput } from "../../src/cli/Output.ts"
import { Message, problemOf } from "../../src/domain/Message.ts"
import { inTerminal, keys } from "../layers/approver/inTerminal.ts"
import { hookServer } from "../layers/hooks/hookServer.ts"
import { misbehaving } from "../mcp/servers.ts"
import { kept, type ModelServer, modelServer, type Reply, streamed } from "../support/modelServer.ts"
import { main, makePlace, type Place, type RunOptions, runToolgate } from "./runToolgate.ts"

const placed = Effect.acquireRelease(Effect.sync(() => makePlace()), ({ remove }) => Effect.sync(remove))

const flagsOf = (server: ModelServer): ReadonlyArray<string> => ["--model", "local", "--base-url", server.address]

const chatting = Effect.fnUntraced(function*(
  replies: ReadonlyArray<Reply>,
  args: ReadonlyArray<string>,
  options: RunOptions & { readonly prepare?: (place: Place) => void } = {}
) {
  const server = yield* modelServer(replies)
  const place = yield* placed
  options.prepare?.(place)
  const ran = yield* Effect.promise(() => runToolgate(place, ["chat", ...args, ...flagsOf(server)], options))
  return { ...ran, place, asked: server.asked() }
})

const bash = (id: string, command: string) => [id, "Bash", { command }] as const

const two: ReadonlyArray<Reply> = [
  { stream: streamed(["I look, and remove.", bash("t1", "cat long.txt"), bash("t2", "rm -rf kept")]) },
  { stream: streamed(["It is long, and I may not remove it."]) }
]

const long = (place: Place) => {
  writeFileSync(path.join(place.cwd, "long.txt"), "a line of text\n".repeat(5_000))
  writeFileSync(path.join(place.cwd, "kept"), "")
}

describe("toolgate chat", () => {
  it.live("runs two calls, one denied, one kept on disk, and tells of both", () =>
    Effect.gen(function*() {
      const flags = ["Look and remove", "--disallowed-tools", "Bash(rm *)"]
      const { asked, code, place, stderr, stdout } = yield* chatting(two, flags, { prepare: long })
      assert.deepStrictEqual([code, stdout], [0, "It is long, and I may not remove it.\n"])
      assert.match(stderr, /done {5}Bash {2}cat long\.txt\n {2}denied {3}Bash {2}rm -rf kept\n/)
      assert.match(stderr, /denied {3}Bash {2}rm -rf kept\n.*deny rule `Bash\(rm \*\)`\)\n/)
      assert.match(stderr, /2 turns, 2 calls, 1 denied, 20 tokens in, 10 out\n$/)
      assert.isTrue(existsSync(path.join(place.cwd, "kept")))

      const results = asked[1]?.messages.at(-1)?.content ?? []
      assert.deepStrictEqual(results.map(({ is_error, tool_use_id }) => [tool_use_id, is_error]), [
        ["t1", undefined],
        ["t2", true]
      ])
      const [stored = ""] = /\/\S+results\/\S+/.exec(String(results[0]?.["content"])) ?? []
      assert.strictEqual(readFileSync(stored.replace(/[.,;:)\]]+$/, ""), "utf8").length, 75_000)
    }).pipe(Effect.scoped))

  it.live("writes one object, or one event a line, as the published schemas say", () =>
    Effect.gen(function*() {
      const flags = ["-p", "Go", "--disallowed-tools", "Bash(rm *)", "--prices", "3,15"]
      const object = yield* chatting(two, [...flags, "--json"], { prepare: long })
      const output = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(ChatOutput))(object.stdout)
      assert.deepStrictEqual([output.why, output.calls.length, output.cost], ["answered", 2, 0.00021])
      assert.strictEqual(object.stderr, "")

      const lines = yield* chatting(two, [...flags, "--output", "stream-json"], { prepare: long })
      const events = yield* Effect.forEach(
        lines.stdout.trimEnd().split("\n"),
        (text) => Schema.decodeUnknownEffect(Schema.fromJsonString(ChatLine), { onExcessProperty: "error" })(text)
      )
      assert.deepStrictEqual([events[0]?._tag, events.at(-1)?._tag], ["ConversationStarted", "ConversationEnded"])
      assert.strictEqual(events.filter(({ _tag }) => _tag === "Finished").length, 2)
    }).pipe(Effect.scoped))

  it.live("withholds what a bare deny rule forbids, and takes its question from a pipe", () =>
    Effect.gen(function*() {
      const replies = [{ stream: streamed(["No."]) }]
      const { asked, code } = yield* chatting(replies, ["--disallowed-tools", "Bash WebFetch"], {
        stdin: "What now?\n"
      })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(asked[0]?.messages, [
        { role: "user", content: [{ type: "text", text: "What now?\n", ...kept }] }
      ])
      const names = asked[0]?.tools.map(({ name }) => name) ?? []
      assert.include(names, "Read")
      assert.notInclude(names, "Bash")
      assert.notInclude(names, "WebFetch")
    }).pipe(Effect.scoped))

  it.live(
    "offers the tools of MCP servers at once, and does not wait for ever for one that is silent",
    () =>
      Effect.gen(function*() {
        const mcpServers = { good: misbehaving(), gone: misbehaving("exits"), mute: misbehaving("silent") }
        const replies = [{ stream: streamed(["No."]) }]
        const { asked, code, stderr } = yield* chatting(
          replies,
          ["Hi", "--mcp-config", JSON.stringify({ mcpServers })],
          { env: { MCP_TIMEOUT: "60000" } }
        )
        assert.strictEqual(code, 0)
        const names = asked[0]?.tools.map(({ name }) => name) ?? []
        assert.include(names, "mcp__good__echo")
        assert.isFalse(names.some((name) => /mcp__(gone|mute)__/.test(name)))
        assert.match(stderr, /the MCP server `gone` is missing \(failed\): its program ended with code 3/)
        assert.match(stderr, /the MCP server `mute` is missing \(connecting\): its tools come once it is there/)
        assert.notInclude(stderr, "`good`")
      }).pipe(Effect.scoped)
  )

  it.live("says in one line what it needs", () =>
    Effect.gen(function*() {
      const place = yield* placed
      const told = yield* Effect.forEach(
        [
          [["Hi"], {}],
          [["Hi", "--model", "m"], {}],
          [["Hi", "--model", "m", "--base-url", "nowhere"], {}],
          [["Hi", "--model", "m", "--base-url", "http://ann:k@127.0.0.1:1"], { ANTHROPIC_API_KEY: "k" }],
          [["Hi", "-p", "Ho", "--model", "m"], {}],
          [["", "--model", "m"], {}],
          [["Hi", "--model", "m", "--prices", "cheap"], { ANTHROPIC_API_KEY: "k" }],
          [["Hi", "--model", "m", "--prices", "3,15,1"], { ANTHROPIC_API_KEY: "k" }],
          [["Hi", "--model", "m", "--max-turns", "0"], { ANTHROPIC_API_KEY: "k" }]
        ] as const,
        ([args, env]) => Effect.promise(() => runToolgate(place, ["chat", ...args], { env })),
        {
          concurrency: 2
        }
      )
      assert.deepStrictEqual(told.map(({ code, stderr }) => `${code} ${stderr.trimEnd()}`), [
        "2 toolgate: no model is named, give `--model` or set ANTHROPIC_MODEL",
        "2 toolgate: there is no key, set ANTHROPIC_API_KEY, or name another address with `--base-url`",
        "2 toolgate: `nowhere` is no address, write one such as `https://example.com`",
        "2 toolgate: the model's address holds a name or a password, which nobody would send: set ANTHROPIC_API_KEY instead",
        "2 toolgate: `--prompt` and QUESTION are the same, give one of them",
        "2 toolgate: QUESTION is empty",
        "2 toolgate: `--prices` are two numbers, for a million tokens in and out, such as `3,15`",
        "2 toolgate: `--prices` for the cache are two numbers more, read and written, such as `3,15,0.3,3.75`",
        "2 toolgate: `--max-turns` has to be 1 at least"
      ])
    }).pipe(Effect.scoped))

  it.live("says why there is no answer", () =>
    Effect.gen(function*() {
      const wrong = yield* chatting([{ status: 401, message: "invalid x-api-key" }], ["Hi"])
      assert.deepStrictEqual([wrong.code, wrong.stdout], [1, ""])
      assert.match(wrong.stderr, /^toolgate: the model can't be asked: status 401, invalid x-api-key\n/)
      const asks = [{ stream: streamed([bash("t1", "pwd")]) }]
      const limited = yield* chatting(asks, ["Hi", "--max-turns", "1"])
      assert.strictEqual(limited.code, 1)
      assert.match(limited.stderr, /stopped after 1 turns?, `--max-turns` allows more/)
    }).pipe(Effect.scoped))

  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    it.live(`ends at ${signal} with every call answered`, () =>
      Effect.gen(function*() {
        const replies = [{ stream: streamed(["So.", bash("t1", "tail -f /dev/null"), bash("t2", "pwd")]) }]
        let sent = false
        const ran = yield* chatting(replies, ["Go", "--output", "stream-json", "--allowed-tools", "Bash"], {
          onStdout: (text, kill) => {
            if (sent || !text.includes("\"stage\":\"execute\"")) return
            sent = true
            kill(signal)
          }
        })
        assert.strictEqual(ran.code, code)
        const events = ran.stdout.trimEnd().split("\n").map((text): { _tag: string; outcome?: string; why?: string } =>
          JSON.parse(text)
        )
        assert.strictEqual(events.at(-1)?.why, "interrupted")
        assert.deepStrictEqual(
          events.flatMap(({ _tag, outcome }) => _tag === "Finished" ? [outcome] : []),
          ["stopped", "stopped"]
        )
      }).pipe(Effect.scoped))
  }
})

describe("toolgate chat --continue", () => {
  const folderOf = (place: Place) => path.join(place.env["TOOLGATE_STATE_DIR"] ?? "", "sessions")
  const fileIn = (place: Place) =>
    path.join(folderOf(place), readdirSync(folderOf(place))[0] ?? "", "conversation.json")

  it.live("goes on with the last conversation of the session, and nothing else does", () =>
    Effect.gen(function*() {
      const server = yield* modelServer([{ stream: streamed(["So be it."]) }])
      const place = yield* placed
      const say = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => runToolgate(place, ["chat", ...args, ...flagsOf(server)]))
      yield* say("One", "--session", "s")
      const two = yield* say("Two", "-c", "--session", "s")
      const other = yield* say("Three", "--continue")
      yield* say("Four", "--session", "s")
      yield* say("Five", "--session", "s", "--continue")
      assert.deepStrictEqual(
        server.asked().map(({ messages }) =>
          messages.map(({ content }) => content.map(({ text }) => text).join()).join("|")
        ),
        ["One", "One|So be it.|Two", "Three", "Four", "Four|So be it.|Five"]
      )
      assert.notInclude(two.stderr, "note")
      assert.include(other.stderr, "note: nothing was said in this session so far, this is a new conversation\n")
      const file = path.join(folderOf(place), "s", "conversation.json")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)

      writeFileSync(file, "{\"version\": 1, \"messages\": [{\"role\": \"assistant\", \"content\": []}]}")
      const broken = yield* say("Six", "--session", "s", "--continue")
      assert.deepStrictEqual([broken.code, broken.stderr], [
        2,
        `toolgate: \`${file}\` is no conversation that can go on: the first message is not the user's; ` +
        "move it away to begin anew\n"
      ])
    }).pipe(Effect.scoped))

  it.live("goes on after a kill in the middle, with a history that a model takes", () =>
    Effect.gen(function*() {
      const call = { stream: streamed(["I look.", bash("t1", "echo looked")]) }
      const server = yield* modelServer([call, "never", { stream: streamed(["It looked."]) }])
      const place = yield* placed
      const run = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
        Effect.promise(() => runToolgate(place, ["chat", ...args, ...flagsOf(server)], options))
      const killed = yield* run(["Look", "--output", "stream-json", "--allowed-tools", "Bash(echo *)"], {
        onStdout: (text, kill) => {
          if (text.includes("\"_tag\":\"TurnStarted\",\"turn\":2")) kill("SIGKILL")
        }
      })
      assert.isNull(killed.code)
      const { messages } = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Kept))(
        readFileSync(fileIn(place), "utf8")
      )
      assert.isUndefined(problemOf(messages))

      const { code, stdout } = yield* run(["And?", "-c"])
      assert.deepStrictEqual([code, stdout], [0, "It looked.\n"])
      const said = server.asked().at(-1)?.messages ?? []
      assert.isUndefined(problemOf(said))
      assert.deepStrictEqual(said.map(({ content }) => content.map(({ type }) => type)), [
        ["text"],
        ["text", "tool_use"],
        ["tool_result", "text"]
      ])
    }).pipe(Effect.scoped))

  it.live("is told where nothing can be kept, and answers all the same", () =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* chatting([{ stream: streamed(["Hello."]) }], ["Hi", "--session", "s"], {
        prepare: (place) => mkdirSync(path.join(folderOf(place), "s", "conversation.json", "x"), { recursive: true })
      })
      assert.deepStrictEqual([code, stdout], [0, "Hello.\n"])
      assert.strictEqual(stderr.split("note: `--continue` will not know of this, ").length, 2)
    }).pipe(Effect.scoped))
})

const Kept = Schema.Struct({ version: Schema.Literal(1), messages: Schema.Array(Message) })

describe("toolgate chat at a terminal", () => {
  it.live(
    "answers one question after the other; Ctrl-C stops an answer, and what was said stays said",
    () =>
      Effect.gen(function*() {
        const server = yield* modelServer([
          { stream: `${streamed(["I could go on for"]).split("event: content_block_stop")[0]}`, hangs: true },
          { stream: streamed(["Touching.", bash("t1", "touch made")]) },
          { stream: streamed(["Made it."]) }
        ])
        const place = yield* placed
        const session = inTerminal(process.execPath, [main, "chat", ...flagsOf(server)], {
          cwd: place.cwd,
          env: place.env
        })
        yield* Effect.promise(async () => {
          await session.sees("> ")
          session.types("Tell me\r")
          await session.sees("I could go on")
          session.types("\u0003")
          // Not before it listens again: what is typed before belongs to nobody.
          await session.sees(" 1 out\n> ")
          session.types("Make it\r")
          await session.sees("Deny, and say why")
          session.types(keys.enter)
          await session.sees(" 10 out\n> ")
          session.types("\u0004")
          assert.strictEqual(await session.exit, 0)
          assert.include(session.raw(), "the answer was interrupted")
        })
        assert.isTrue(existsSync(path.join(place.cwd, "made")))
        assert.deepStrictEqual(server.asked()[1]?.messages, [
          { role: "user", content: [{ type: "text", text: "Tell me", ...kept }] },
          { role: "assistant", content: [{ type: "text", text: "I could go on for" }] },
          { role: "user", content: [{ type: "text", text: "Make it", ...kept }] }
        ])
      }).pipe(Effect.scoped)
  )
})

describe("a call of toolgate chat", () => {
  it.live("that came to no good end is told with its reason", () =>
    Effect.gen(function*() {
      const { code, stderr } = yield* chatting(
        [{ stream: streamed([["t1", "Nope", {}], ["t2", "Read", { file_path: "missing.txt" }]]) }, {
          stream: streamed([])
        }],
        ["Go"]
      )
      assert.strictEqual(code, 0)
      assert.match(stderr, /wrong {4}Nope {2}\{\}\n {11}\S.*\n {2}failed {3}Read {2}missing\.txt\n {11}.*missing\.txt/)
      assert.match(stderr, /toolgate: the model ended without a word\n/)
    }).pipe(Effect.scoped))

  it.live("is seen at a terminal for as long as it runs", () =>
    Effect.gen(function*() {
      const stream = streamed([bash("t1", "sleep 600"), "And now?"])
      const middle = stream.indexOf("event: content_block_delta", stream.indexOf("\"index\":1,"))
      let finish: (() => void) | undefined
      const server = yield* hookServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(stream.slice(0, middle))
        finish = () => response.end(stream.slice(middle))
      })
      const place = yield* placed
      const session = inTerminal(
        process.execPath,
        [main, "chat", "Wait", "--allowed-tools", "Bash(sleep *)", "--model", "local", "--base-url", server.address],
        { cwd: place.cwd, env: place.env }
      )
      yield* Effect.promise(async () => {
        await session.sees("...      Bash  sleep 600")
        finish?.()
        await session.sees("And now?\n...      Bash  sleep 600")
        session.types(keys.ctrlC)
        await session.sees("stopped  Bash  sleep 600")
        await session.sees("1 turn, 1 call")
        assert.strictEqual(await session.exit, 130)
      })
      assert.strictEqual(server.got.length, 1)
    }).pipe(Effect.scoped))
})

describe("the conversation without a network", () => {
  it.live(
    "in the scratchpad shows one call that is kept on disk, and one that is denied",
    () =>
      Effect.gen(function*() {
        const place = yield* placed
        const { status, stderr, stdout } = spawnSync(process.execPath, ["scratchpad/local-model.ts"], {
          env: place.env,
          encoding: "utf8"
        })
        assert.strictEqual(status, 0)
        assert.match(stdout, /I may not publish/)
        assert.match(stderr, /done {5}Bash {2}cat package-lock\.json\n {2}denied {3}Bash {2}npm publish\n/)
      }).pipe(Effect.scoped)
  )
})
