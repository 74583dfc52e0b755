import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { main, makePlace, type Place, type RunOptions, runToolgate } from "./runToolgate.ts"

const start = fileURLToPath(new URL("../../src/cli/start.ts", import.meta.url))

describe.concurrent("bad input", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
    mkdirSync(path.join(place.cwd, "folder"))
    writeFileSync(path.join(place.cwd, "binary"), Uint8Array.from({ length: 512 }, (_, index) => index % 7))
  })
  afterAll(() => place.remove())

  interface Row {
    readonly args: ReadonlyArray<string>
    readonly code: number
    readonly says: ReadonlyArray<string>
    readonly options?: RunOptions
  }

  const rows: { readonly [title: string]: Row } = {
    "text that is not JSON": {
      args: ["call", "Bash", "{command:ls}"],
      code: 2,
      says: ["INPUT is not JSON, line 1, column 2", "single quotes"]
    },
    "JSON that breaks off in its third line": {
      args: ["call", "Bash", "{\n\"command\": \"hunter2\",\n\"description\": oops}"],
      code: 2,
      says: ["line 3, column 16"]
    },
    "JSON of another shape": { args: ["call", "Bash", "[]"], code: 2, says: ["expected an object"] },
    "JSON nested too deep": {
      args: ["call", "Bash", "[".repeat(5000) + "]".repeat(5000)],
      code: 2,
      says: ["500 levels"]
    },
    "nothing on standard input": { args: ["call", "Bash", "-"], code: 2, says: ["INPUT is empty"] },
    "bytes that are no text": {
      args: ["call", "Bash", "-"],
      code: 2,
      says: ["not UTF-8"],
      options: { stdin: Uint8Array.of(0x7b, 0xff, 0x7d) }
    },
    "more than 50 MB": {
      args: ["call", "Write", "-"],
      code: 2,
      says: ["longer than 50 MB"],
      options: { stdin: Buffer.alloc(52_000_000, " ") }
    },
    "little more than 50 MB, all of it there at once": {
      args: ["check", "Write", "-"],
      code: 2,
      says: ["longer than 50 MB"],
      options: { stdin: Buffer.alloc(50_000_001, " "), program: start }
    },
    "an unknown tool": { args: ["call", "Bsh", "{}"], code: 2, says: ["no tool is named `Bsh`", "`Bash`"] },
    "an unknown tool, checked": { args: ["check", "Bsh", "{}"], code: 2, says: ["no tool is named `Bsh`"] },
    "a wrong type": { args: ["call", "Bash", "{\"command\":{}}"], code: 2, says: ["`command`", "received an object"] },
    "a missing field": { args: ["check", "Bash", "{}"], code: 2, says: ["`command`", "received nothing"] },
    "an unknown flag": {
      args: ["call", "--outptu", "json", "Bash", "{}"],
      code: 2,
      says: ["`--outptu`", "`--output`"]
    },
    "an unknown command": { args: ["cal"], code: 2, says: ["`cal`", "`call`"] },
    "no command": { args: [], code: 2, says: ["a command is missing"] },
    "a choice that there is not": { args: ["tools", "--output", "xml"], code: 2, says: ["text, json, stream-json"] },
    "an argument too many": { args: ["call", "Bash", "{}", "x"], code: 2, says: ["`x` is one argument too many"] },
    "no input": { args: ["call", "Bash"], code: 2, says: ["INPUT is missing"] },
    "a block that is none": { args: ["call", "--tool-use", "{\"type\":\"text\"}"], code: 2, says: ["`id`", "`name`"] },
    "an input file that is not there": { args: ["call", "Bash", "@nope.json"], code: 2, says: ["`nope.json`"] },
    "an input file that is a folder": { args: ["call", "Bash", "@folder"], code: 2, says: ["is a folder"] },
    "a directory that is not there": {
      args: ["tools", "--cwd", "/nope"],
      code: 2,
      says: ["`--cwd`", "does not exist"]
    },
    "settings that are not there": {
      args: ["call", "Bash", "{}", "--settings", "no.json"],
      code: 2,
      says: ["no.json"]
    },
    "servers that are not there": {
      args: ["call", "mcp__a__b", "{}", "--mcp-config", "no.json"],
      code: 2,
      says: ["the file of MCP servers", "no.json"]
    },
    "a number that is none": { args: ["log", "-n", "many"], code: 2, says: ["`many`: expected is a number"] },
    "a number with a fraction": { args: ["log", "-n", "1.5"], code: 2, says: ["`1.5`: expected is a whole number"] },
    "a file that is missing": { args: ["call", "Read", "{\"file_path\":\"nope.txt\"}"], code: 1, says: ["nope.txt"] },
    "a folder in place of a file": { args: ["call", "Read", "{\"file_path\":\"folder\"}"], code: 1, says: ["folder"] },
    "a binary file": { args: ["call", "Read", "{\"file_path\":\"binary\"}"], code: 1, says: ["binary"] }
  }

  for (const [title, { args, code, options, says }] of Object.entries(rows)) {
    it(`${title} gets one line and exit code ${code}`, async () => {
      const before = readdirSync(place.cwd)
      const ran = await runToolgate(place, args, options)
      assert.deepStrictEqual({ code: ran.code, stdout: ran.stdout }, { code, stdout: "" }, ran.stderr)
      assert.match(ran.stderr, /^toolgate: [^\n]+\n$/)
      for (const text of says) assert.include(ran.stderr, text)
      assert.notInclude(ran.stderr, "hunter2")
      assert.deepStrictEqual(readdirSync(place.cwd), before)
    })
  }

  it.each([
    ["trust", ""],
    ["trust", "--untrust", ""],
    ["check", "Bash", "{\"command\":\"ls\"}", "--cwd", ""],
    ["check", "Bash", "{\"command\":\"ls\"}", "--cwd="],
    ["check", "Bash", "{\"command\":\"ls\"}", "--add-dir", ""],
    ["check", "Bash", "{\"command\":\"ls\"}", "--settings", ""],
    ["check", "Bash", "{\"command\":\"ls\"}", "--mcp-config", ""],
    ["check", "Bash", "{\"command\":\"ls\"}", "--command", ""],
    ["check", "Bash", "{\"command\":\"ls\"}", "--session", ""],
    ["serve", "--socket", ""]
  ])("a name that is empty stands for nothing that is there: %s %s %s %s", async (...args) => {
    const ran = await runToolgate(place, args)
    assert.deepStrictEqual({ code: ran.code, stdout: ran.stdout }, { code: 2, stdout: "" }, ran.stderr)
    assert.match(ran.stderr, /^toolgate: [^\n]+\n$/)
  })

  it("a folder on standard input gets one line", () => {
    const folder = openSync(place.cwd, "r")
    for (const args of [["call", "Bash", "-"], ["check", "Bash", "-"], ["hook"]]) {
      const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
        cwd: place.cwd,
        env: place.env,
        stdio: [folder, "pipe", "pipe"],
        encoding: "utf8"
      })
      assert.strictEqual(status, 2)
      assert.match(stderr, /^toolgate: [^\n]+ from standard input is a folder, name a file\n$/)
    }
    closeSync(folder)
  })

  it.skipIf(!existsSync("/dev/full"))("output that can't be written gets one line, in every form", () => {
    const full = openSync("/dev/full", "w")
    for (const form of ["text", "json", "stream-json"]) {
      const args = ["call", "Bash", "{\"command\":\"ls; echo a\"}", "--output", form]
      const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
        cwd: place.cwd,
        env: place.env,
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8"
      })
      assert.deepStrictEqual([status, stderr], [2, "toolgate: standard output can't be written to (ENOSPC)\n"], form)
    }
    closeSync(full)
  })

  it("a path with NUL gets one line, and is refused by the tool", async () => {
    const ran = await runToolgate(place, ["call", "Read", "{\"file_path\":\"a\\u0000b\"}", "--allowed-tools", "Read"])
    assert.include([1, 2, 3], ran.code)
    assert.match(ran.stderr, /^toolgate: [^\n\0]+\n$/)
  })

  it("a file that may not be read gets one line", async () => {
    // Root may read everything, so root hands the place over and runs the command as somebody else.
    const nobody = process.getuid?.() === 0 ? 65534 : undefined
    const theirs = makePlace(nobody)
    writeFileSync(path.join(theirs.cwd, "secret"), "mine", { mode: 0o000 })
    const ran = await runToolgate(theirs, ["call", "Read", "{\"file_path\":\"secret\"}"], { uid: nobody })
    theirs.remove()
    assert.strictEqual(ran.code, 1, ran.stderr)
    assert.match(ran.stderr, /^toolgate: [^\n]*secret[^\n]*\n$/)
  })

  it("as JSON, a call that is wrong is a result as well", async () => {
    const ran = await runToolgate(place, ["call", "Bsh", "{}", "--json"])
    assert.strictEqual(ran.code, 2)
    assert.match(ran.stderr, /^toolgate: [^\n]+\n$/)
    const { outcome, result } = JSON.parse(ran.stdout)
    assert.deepStrictEqual([outcome, result.is_error], ["wrong", true])
  })
})
