import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { modelServer, streamed } from "../support/modelServer.ts"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

describe.concurrent("toolgate trace", () => {
  let place: Place
  beforeAll(async () => {
    place = makePlace()
    const call = (command: string) =>
      runToolgate(place, ["call", "Bash", JSON.stringify({ command }), "--ask", "deny", "--output", "stream-json"])
    const calls = await Promise.all([call("echo hello"), call("npm publish"), call("seq 1 20000 | cat")])
    writeFileSync(path.join(place.cwd, "calls.ndjson"), calls.map(({ stdout }) => stdout).join(""))
  })
  afterAll(() => place.remove())
  const run = (...args: ReadonlyArray<string>) => runToolgate(place, ["trace", ...args])

  it("shows what `call` recorded, several calls one after the other", async () => {
    const { code, stderr, stdout } = await run("calls.ndjson")
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /^3 calls\n3 calls: 2 done, 1 denied · /)
    assert.match(stdout, /gate -> tool {3}1 execute: runs the tool\n/)
    assert.match(
      stdout,
      /2 permission: holds it back, the call ends here\n +not reached: execute, result, postHook\n/
    )
    assert.match(stdout, /gate -> disk {3}3 keeps the whole result\n {10}\| /)
    assert.notInclude(stdout, "\u001B")
  })

  it.live(
    "shows a conversation as `chat` recorded it: two calls, one denied, one kept on disk",
    () =>
      Effect.gen(function*() {
        const server = yield* modelServer([
          {
            stream: streamed([
              "I look, and remove.",
              ["t1", "Bash", { command: "seq 1 20000" }],
              ["t2", "Bash", { command: "rm -rf kept" }]
            ])
          },
          { stream: streamed(["It is long, and I may not remove it."]) }
        ])
        const flags = ["--model", "local", "--base-url", server.address, "--disallowed-tools", "Bash(rm *)"]
        const recording = yield* Effect.promise(() =>
          runToolgate(place, ["chat", "Look and remove", ...flags, "--output", "stream-json"])
        )
        const shown = (...args: ReadonlyArray<string>) =>
          Effect.promise(() => runToolgate(place, ["trace", "-", ...args], { stdin: recording.stdout }))

        const { code, stderr, stdout } = yield* shown()
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.match(stdout, /^Look and remove\nlocal · 2 turns · 2 calls: 1 done, 1 denied · /)
        assert.match(
          stdout,
          /Turn 1\n.*host -> model {2}passes the question on\n.*model -> host {2}asks for Bash twice\n/
        )
        assert.match(stdout, /gate -> disk {3}1 keeps the whole result\n/)
        assert.match(stdout, /2 decides: deny, by a rule\n[^]* +not reached: execute, result, postHook\n/)
        assert.match(stdout, /host -> you {4}gives you the answer\n {10}\| It is long, and I may not remove it\.\n/)
        assert.include((yield* shown("--html", "-")).stdout, "Stages of call 2: denied at permission")
      }).pipe(Effect.scoped)
  )

  it("reads standard input, and says of a line that was cut off that it was", async () => {
    const recording = readFileSync(path.join(place.cwd, "calls.ndjson"), "utf8")
    // How long its lines are is another number each time.
    const within = recording.indexOf("\n", 2_000) - 5
    const { code, stderr, stdout } = await runToolgate(place, ["trace", "-"], { stdin: recording.slice(0, within) })
    assert.strictEqual(code, 0)
    assert.match(stderr, /^toolgate: the recording `-`: line \d+ is cut off, the recording ends in it\n$/)
    assert.include(stdout, "wants to run Bash")
  })

  it("writes a page for its owner alone, also over one that others may read, or to standard output", async () => {
    const file = path.join(place.cwd, "calls.html")
    for (const others of [false, true]) {
      if (others) chmodSync(file, 0o644)
      const { code, stderr, stdout } = await run("calls.ndjson", "--html", "calls.html")
      assert.deepStrictEqual([code, stdout], [0, ""])
      assert.strictEqual(stderr, "toolgate: `calls.html` is written, open it in a browser\n")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    }
    const piped = await run("calls.ndjson", "--html", "-")
    assert.strictEqual(piped.stderr, "")
    assert.strictEqual(piped.stdout, readFileSync(file, "utf8"))
    assert.match(piped.stdout, /^<!doctype html>\n[^]*<\/html>\n$/)
  })

  it("never writes over the recording", async () => {
    symlinkSync("calls.ndjson", path.join(place.cwd, "link.html"))
    for (const target of ["calls.ndjson", "./calls.ndjson", "link.html"]) {
      const { code, stderr } = await run("calls.ndjson", "--html", target)
      assert.strictEqual(code, 2)
      assert.strictEqual(stderr, "toolgate: `--html` names the recording itself, which would be lost\n")
    }
  })

  it("says in one line what can't be read, written or done", async () => {
    writeFileSync(path.join(place.cwd, "empty.ndjson"), "")
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, RegExp]> = [
      [["nowhere.ndjson"], 2, /^toolgate: the file `nowhere\.ndjson` of the recording is not there\n$/],
      [["."], 2, /^toolgate: the file `\.` of the recording is a folder, name a file\n$/],
      [["empty.ndjson"], 1, /^toolgate: `empty\.ndjson` holds no event, record with `--output stream-json`\n$/],
      [
        ["calls.ndjson", "--html", "no/such/folder.html"],
        1,
        /^toolgate: the page can't be written, there is no folder `no\/such`\n$/
      ],
      [["calls.ndjson", "--html", ""], 2, /^toolgate: `--html` needs a (file|value).*\n$/],
      [["calls.ndjson", "--json"], 2, /^toolgate: `trace` writes text or a page: the recording itself is the JSON\n$/],
      [[], 2, /^toolgate: `FILE` is missing; .*\n$/]
    ]
    for (const [args, expected, message] of cases) {
      const { code, stderr, stdout } = await run(...args)
      assert.match(stderr, message)
      assert.deepStrictEqual([code, stdout], [expected, ""], args.join(" "))
    }
  })

  it("names each line that is no event, and shows the others", async () => {
    const recording = readFileSync(path.join(place.cwd, "calls.ndjson"), "utf8")
    const { code, stderr, stdout } = await runToolgate(place, ["trace", "-"], { stdin: `oops\n${recording}` })
    assert.strictEqual(code, 0)
    assert.strictEqual(stderr, "toolgate: the recording `-`: line 1 is not JSON, it is left out\n")
    assert.match(stdout, /^3 calls\n/)
  })
})
