import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { answerHook } from "../../src/cli/answerHook.ts"
import * as Toolgate from "../../src/toolgate.ts"
import { makePlace, type Place } from "./runToolgate.ts"

describe("answerHook", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    mkdirSync(path.join(place.cwd, ".claude"))
    mkdirSync(path.join(place.cwd, "sub"))
    writeFileSync(
      path.join(place.cwd, ".claude", "settings.json"),
      JSON.stringify({ permissions: { deny: ["Bash(curl *)", "Agent", "mcp__github__delete_repo", "TodoWrite"] } })
    )
  })
  afterAll(() => place.remove())

  const inputOf = (tool_name: string, tool_input: object, more: object = {}) => ({
    session_id: "8f14e45f",
    transcript_path: "/t.jsonl",
    cwd: place.cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
    tool_use_id: "toolu_1",
    ...more
  })
  const decide = Effect.fnUntraced(
    function*(input: unknown, project?: string) {
      const { hookSpecificOutput: output } = yield* answerHook(input, project)
      return output === undefined ? ["none", ""] : [output.permissionDecision, output.permissionDecisionReason]
    },
    (effect) =>
      Effect.provide(
        effect,
        Toolgate.layer({
          context: { session: "server", cwd: place.home, directories: [] },
          home: place.home,
          managedRoot: path.join(place.home, "managed"),
          state: path.join(place.home, "state"),
          allowedTools: ["mcp__gitlab", "mcp__gitlab__list", "mcp__git__*"],
          mode: "acceptEdits"
        })
      )
  )

  it.effect("allows, asks and denies as check does, with the reason", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* decide(inputOf("Bash", { command: "ls", description: "List" })), [
        "allow",
        "toolgate: it only reads"
      ])
      const [asked, why] = yield* decide(inputOf("Bash", { command: "touch x" }))
      assert.strictEqual(asked, "ask")
      assert.match(why ?? "", /^toolgate: no rule allows it/)
      const [denied, told] = yield* decide(inputOf("Bash", { command: "curl x" }))
      assert.strictEqual(denied, "deny")
      assert.match(told ?? "", /^A rule \(`Bash\(curl \*\)`\) denies this use of Bash/)
    }))

  it.effect("goes by the mode that the hook was told, and by default for one that is not known", () =>
    Effect.gen(function*() {
      const write = { file_path: path.join(place.cwd, "a.txt"), content: "a" }
      const verdict = (more: object) => Effect.map(decide(inputOf("Write", write, more)), ([verdict]) => verdict)
      assert.strictEqual(yield* verdict({ permission_mode: "acceptEdits" }), "allow")
      assert.strictEqual(yield* verdict({ permission_mode: "dontAsk" }), "deny")
      assert.strictEqual(yield* verdict({ permission_mode: "yolo" }), "ask")
      assert.strictEqual(yield* verdict({ permission_mode: undefined }), "allow")
    }))

  it.effect("has the project's rules when the shell stands below it, and reads from where it stands", () =>
    Effect.gen(function*() {
      const below = { cwd: path.join(place.cwd, "sub") }
      const curl = inputOf("Bash", { command: "curl x" }, below)
      assert.strictEqual((yield* decide(curl))[0], "ask")
      assert.strictEqual((yield* decide(curl, place.cwd))[0], "deny")
      const above = inputOf("Bash", { command: "cat ../../x" }, below)
      assert.strictEqual((yield* decide(above, place.cwd))[0], "ask")
      assert.strictEqual((yield* decide(inputOf("Bash", { command: "cat ../x" }, below), place.cwd))[0], "allow")
    }))

  it.effect("has an opinion of a tool that is not here where a rule names it, and else none", () =>
    Effect.gen(function*() {
      const verdict = (tool: string, input: object, more = {}) =>
        Effect.map(decide(inputOf(tool, input, more)), ([verdict]) => verdict)
      assert.strictEqual(yield* verdict("Task", { prompt: "x", subagent_type: "Explore" }), "deny")
      assert.strictEqual(yield* verdict("mcp__github__delete_repo", {}), "deny")
      assert.strictEqual(yield* verdict("mcp__gitlab__list", {}), "allow")
      // A rule for a whole server says nothing against what that server claims of a tool.
      assert.strictEqual(yield* verdict("mcp__gitlab__delete", {}), "none")
      assert.strictEqual(yield* verdict("mcp__gitlab__other__tool", {}), "none")
      assert.strictEqual(yield* verdict("mcp__git__push", {}), "none")
      for (const permission_mode of ["default", "bypassPermissions", "dontAsk", "plan"]) {
        assert.strictEqual(yield* verdict("mcp__github__list", {}, { permission_mode }), "none")
      }
    }))

  it.effect("asks about a field that it does not know where it would have allowed, and denies all the same", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* decide(inputOf("Bash", { command: "ls", host: "prod" })), [
        "ask",
        "toolgate knows no field `host` of `Bash`, and can't tell what it would do"
      ])
      assert.strictEqual((yield* decide(inputOf("Bash", { command: "curl x", host: "prod" })))[0], "deny")
    }))

  it.effect("asks about an input that it can't judge, unless the tool is denied", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* decide(inputOf("Bash", { command: {} })), [
        "ask",
        "toolgate can't judge it: the input of `Bash` is not valid: `command`: expected string, received an object"
      ])
      assert.strictEqual((yield* decide(inputOf("TodoWrite", { todos: 5 })))[0], "deny")
    }))

  it.effect.each<readonly [unknown, string]>([
    [[], "what a hook reads is an object"],
    [{ hook_event_name: "PostToolUse" }, "the hook event `PostToolUse` is not decided here, only `PreToolUse` is"],
    [{ hook_event_name: "PreToolUse" }, "`tool_input`: expected object, received nothing"],
    [{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, cwd: "." }, "`.` has to be an absolute path"],
    [{ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, cwd: "/no/such" }, "is not there"],
    [
      { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {}, cwd: process.execPath },
      `\`cwd\` \`${process.execPath}\` is no folder`
    ]
  ])("fails where it can't decide: %j", ([input, problem]) =>
    Effect.gen(function*() {
      assert.include((yield* Effect.flip(decide(input))).problem, problem)
    }))
})
