import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import * as Output from "../../src/cli/Output.ts"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

const strict = { onExcessProperty: "error" } as const
const decodeCall = Schema.decodeUnknownSync(Schema.fromJsonString(Output.CallOutput), strict)
const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Output.StreamLine), strict)

describe.concurrent("toolgate call", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    writeFileSync(path.join(place.cwd, "note.txt"), "a note\n")
  })
  afterAll(() => place.remove())
  const call = (command: string, ...flags: ReadonlyArray<string>) =>
    runToolgate(place, ["call", "Bash", JSON.stringify({ command }), ...flags])

  it("writes the result to standard output, once, and ends with 0", async () => {
    const ran = await call("echo one; echo two")
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "one\ntwo\n"])
  })

  it("says nothing of what the tool prints where nobody watches", async () => {
    const ran = await call("echo one; echo two")
    assert.deepStrictEqual([ran.stdout, ran.stderr], ["one\ntwo\n", ""])
  })

  it("reads its input from standard input", async () => {
    const ran = await runToolgate(place, ["call", "Bash", "-"], { stdin: "\uFEFF{\"command\": \"echo piped\"}\n" })
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "piped\n"])
  })

  it("reads its input from a file", async () => {
    writeFileSync(path.join(place.cwd, "input.json"), "{\"command\": \"echo filed\"}")
    const ran = await runToolgate(place, ["call", "Bash", "@input.json"])
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "filed\n"])
  })

  it("takes a whole block, and keeps its id", async () => {
    const block = { type: "tool_use", id: "toolu_mine", name: "Bash", input: { command: "echo whole" }, extra: 1 }
    const ran = await runToolgate(place, ["call", "--json", "--tool-use", "-"], { stdin: JSON.stringify(block) })
    const output = decodeCall(ran.stdout)
    assert.deepStrictEqual([output.result.tool_use_id, output.result.content], ["toolu_mine", "whole"])
  })

  it("ends with 1 when the tool failed", async () => {
    const ran = await call("echo before; exit 4", "--allowed-tools", "Bash")
    assert.strictEqual(ran.code, 1, ran.stderr)
    assert.match(ran.stdout, /Exit code 4\nbefore\n/)
    assert.match(ran.stderr, /^toolgate: `Bash` failed[^\n]*\n$/)
  })

  it("ends with 3 when a rule denies, and names the rule and its place", async () => {
    const ran = await call("echo one", "--disallowed-tools", "Bash(echo *)")
    assert.deepStrictEqual([ran.code, ran.stdout], [3, ""])
    assert.match(ran.stderr, /^toolgate: `Bash` was denied: [^\n]*deny rule `Bash\(echo \*\)`, cliArg[^\n]*\n$/)
  })

  it("ends with 3 when nobody can be asked, and says how to allow it", async () => {
    const ran = await call("touch made.txt")
    assert.deepStrictEqual([ran.code, ran.stdout], [3, ""])
    assert.match(ran.stderr, /^toolgate: [^\n]*no terminal to ask at; allow it with --allowed-tools '[^\n]*\n$/)
    assert.isFalse(existsSync(path.join(place.cwd, "made.txt")))
  })

  it("asks nobody when told to", async () => {
    const ran = await call("touch made.txt", "--ask", "deny")
    assert.strictEqual(ran.code, 3)
    assert.include(ran.stderr, "`--ask deny`")
  })

  it("takes shared flags before and behind its name, in both spellings", async () => {
    const flags = ["--allowedTools", "Read,Bash(touch *)", "--output", "json"]
    const input = ["Bash", "{\"command\":\"touch sub/made\"}"]
    mkdirSync(path.join(place.cwd, "sub"))
    for (const args of [["call", ...flags, ...input], [...flags, "call", ...input], ["call", ...input, ...flags]]) {
      const ran = await runToolgate(place, args)
      assert.strictEqual(decodeCall(ran.stdout).outcome, "done", ran.stderr)
    }
  })

  it("works in the directory that --cwd names", async () => {
    mkdirSync(path.join(place.cwd, "else where"))
    const ran = await call("pwd", "--cwd", "else where")
    assert.strictEqual(ran.stdout, `${path.join(place.cwd, "else where")}\n`)
  })

  it("remembers between runs what was read in the directory", async () => {
    const read = await runToolgate(place, ["call", "Read", "{\"file_path\":\"note.txt\"}"])
    assert.strictEqual(read.code, 0, read.stderr)
    const edit = { file_path: "note.txt", old_string: "a note", new_string: "noted" }
    const edited = await runToolgate(place, ["call", "Edit", JSON.stringify(edit), "--permission-mode", "acceptEdits"])
    assert.strictEqual(edited.code, 0, edited.stderr)
    const elsewhere = ["call", "Edit", JSON.stringify({ ...edit, old_string: "noted" }), "--session", "another"]
    const refused = await runToolgate(place, [...elsewhere, "--permission-mode", "acceptEdits"])
    assert.include([1, 2], refused.code)
  })

  it("as JSON is one object that its schema knows", async () => {
    const ran = await call("echo one", "--output", "json")
    const output = decodeCall(ran.stdout)
    assert.deepStrictEqual([output.version, output.outcome, output.result.content], [1, "done", "one"])
    assert.strictEqual(output.decision?.verdict, "allow")
    assert.strictEqual(ran.stderr, "")
  })

  it("as a stream is one event a line, the result last", async () => {
    const ran = await call("echo one", "--output", "stream-json")
    const events = ran.stdout.trimEnd().split("\n").map((line) => decodeLine(line))
    assert.deepStrictEqual(
      events.flatMap((event) => event._tag === "StageStarted" ? [event.stage] : []),
      ["lookup", "validate", "screen", "permission", "execute", "result", "postHook", "emit"]
    )
    const last = events.at(-1)
    assert.isTrue(last?._tag === "Finished" && last.outcome === "done")
    assert.strictEqual(events.filter((event) => event._tag === "Finished").length, 1)
  })

  it("flushes each event as it happens", async () => {
    let seenWhileRunning = false
    const block = ["call", "Bash", JSON.stringify({ command: "echo early; sleep 30" }), "--allowed-tools", "Bash"]
    const ran = await runToolgate(place, [...block, "--output", "stream-json"], {
      onStdout: (text, kill) => {
        if (seenWhileRunning || !text.includes("\"early\\n\"")) return
        seenWhileRunning = true
        kill("SIGTERM")
      }
    })
    assert.isTrue(seenWhileRunning)
    assert.strictEqual(ran.code, 143)
  })

  it("makes control characters visible in what it says itself", async () => {
    const ran = await runToolgate(place, ["call", "B\u001B[2Jsh", "{}"])
    assert.notInclude(ran.stderr, "\u001B")
    assert.include(ran.stderr, "<ESC>")
  })

  it("writes no colours into a pipe", async () => {
    for (const args of [["--help"], ["call", "--help"], ["check", "Bash", "{\"command\":\"ls\"}"]]) {
      const ran = await runToolgate(place, args)
      assert.notInclude(ran.stdout + ran.stderr, "\u001B")
    }
  })
})
