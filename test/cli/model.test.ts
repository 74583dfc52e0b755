import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type MessagesServer, messagesServer, type Reply } from "../layers/classifier/messagesServer.ts"
import { makePlace, type Ran, runToolgate } from "./runToolgate.ts"

const settings = JSON.stringify({
  permissions: { allow: ["Bash(prompt: make marks)"], deny: ["Bash(prompt: erase things)"] }
})

const calling = (command: string, reply: Reply, flags: ReadonlyArray<string> = ["--settings", settings]) =>
  Effect.gen(function*() {
    const server = yield* messagesServer(() => reply)
    const place = yield* Effect.acquireRelease(Effect.sync(() => makePlace()), ({ remove }) => Effect.sync(remove))
    const ran = yield* Effect.promise(() =>
      runToolgate(place, ["call", "Bash", JSON.stringify({ command }), ...flags], {
        env: { TOOLGATE_MODEL: "judge", ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: server.address }
      })
    )
    const answer: readonly [Ran, MessagesServer] = [ran, server]
    return answer
  })

const matching = (description: number): Reply => ({
  text: JSON.stringify({ commands: [{ command: 0, matches: [{ description, confidence: "high" }] }] })
})

describe("a language model at the command line", () => {
  it.live("permits what a description allows", () =>
    Effect.gen(function*() {
      const [ran, server] = yield* calling("touch mark", matching(1))
      assert.deepStrictEqual([ran.code, ran.stderr], [0, ""])
      assert.strictEqual(server.asked()[0]?.model, "judge")
    }).pipe(Effect.scoped))

  it.live("denies what a description denies, and what nobody answers", () =>
    Effect.gen(function*() {
      const [denied] = yield* calling("shred mark", matching(0))
      assert.strictEqual(denied.code, 3)
      assert.match(denied.stderr, /denied/)
      const [refused] = yield* calling("touch mark", { text: "", stop: "refusal" })
      assert.strictEqual(refused.code, 3)
      const [out] = yield* calling("touch mark", { status: 503 })
      assert.strictEqual(out.code, 3)
    }).pipe(Effect.scoped))

  it.live("is asked nothing where no rule describes anything", () =>
    Effect.gen(function*() {
      const [ran, server] = yield* calling("touch mark", matching(1), ["--allowed-tools", "Bash(touch *)"])
      assert.strictEqual(ran.code, 0)
      assert.strictEqual(server.asked().length, 0)
    }).pipe(Effect.scoped))

  it.live("answers hooks that are prompts", () =>
    Effect.gen(function*() {
      const hooks = JSON.stringify({
        permissions: { allow: ["Bash"] },
        hooks: { PreToolUse: [{ hooks: [{ type: "prompt", prompt: "May it? $ARGUMENTS", model: "small" }] }] }
      })
      const [ran, server] = yield* calling(
        "touch mark",
        { text: "{\"ok\":false,\"reason\":\"it leaves marks\"}" },
        ["--settings", hooks]
      )
      assert.strictEqual(ran.code, 3)
      assert.match(ran.stderr, /it leaves marks/)
      assert.strictEqual(server.asked()[0]?.model, "small")
    }).pipe(Effect.scoped))
})
