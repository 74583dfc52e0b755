import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createWriteStream, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { finished } from "node:stream/promises"
import type { AuditEntry } from "../../src/domain/AuditEntry.ts"
import { main, makePlace, type Place, runToolgate } from "./runToolgate.ts"

const entry = (at: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  version: 1,
  time: new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString(),
  session: "s",
  id: `t${at}`,
  tool: "Bash",
  cwd: "/repo",
  mode: "default",
  verdict: "allow",
  by: "rule",
  why: "a rule allows it",
  input: { command: `echo ${at}` },
  decision: {
    verdict: "allow",
    mustAsk: false,
    row: 6,
    by: "rule",
    why: "a rule allows it",
    judged: [{
      demand: `echo ${at}`,
      verdict: "allow",
      mustAsk: false,
      row: 6,
      by: "rule",
      why: "a rule allows it",
      candidates: []
    }],
    suggestions: []
  },
  ...more
})

const folderOf = (place: Place): string => {
  const folder = path.join(String(place.env["TOOLGATE_STATE_DIR"]), "audit")
  mkdirSync(folder, { recursive: true })
  return folder
}

const withPlace = async (use: (place: Place) => Promise<void>): Promise<void> => {
  const place = makePlace()
  try {
    await use(place)
  } finally {
    place.remove()
  }
}

const ndjson = (entries: ReadonlyArray<AuditEntry>): string => entries.map((one) => `${JSON.stringify(one)}\n`).join("")

const settings = (place: Place, text: unknown): void => {
  mkdirSync(path.join(place.home, ".claude"))
  writeFileSync(path.join(place.home, ".claude", "settings.json"), JSON.stringify(text))
}

describe("toolgate log", () => {
  it("shows what `call` decided, once settings switch the log on", () =>
    withPlace(async (place) => {
      assert.match(
        (await runToolgate(place, ["log"])).stderr,
        /^toolgate: there is no audit log yet; .*switches it on\n$/
      )
      await runToolgate(place, ["call", "Bash", "{\"command\":\"echo before\"}", "--allowed-tools", "Bash(echo *)"])
      settings(place, { audit: true })
      await runToolgate(place, ["call", "Bash", "{\"command\":\"echo hello\"}", "--allowed-tools", "Bash(echo *)"])
      await runToolgate(place, ["call", "Bash", "{\"command\":\"npm publish\"}", "--ask", "deny"])
      await runToolgate(place, ["check", "Bash", "{\"command\":\"echo not run\"}"])

      const { code, stderr, stdout } = await runToolgate(place, ["log"])
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      const [first = "", second = "", ...more] = stdout.trimEnd().split("\n")
      assert.match(first, /^\d{4}-\d\d-\d\dT[\d:]+Z {2}allow {2}\w+ +Bash: echo hello {2}\(.+\)$/)
      assert.match(second, /^\S+ {2}deny {4}nobody +Bash: npm publish {2}\(.*`--ask deny` was given\)$/)
      assert.deepStrictEqual(more, [])

      const json = await runToolgate(place, ["log", "--json", "--verdict", "deny"])
      const denied = JSON.parse(json.stdout)
      assert.deepStrictEqual(denied.input, { command: "npm publish" })
      assert.strictEqual(denied.decision.verdict, "ask")
      assert.isAbove(denied.decision.judged[0].candidates.length, 0)
    }))

  it(
    "shows within which call another one was made, and a call with all that were made within it",
    () =>
      withPlace(async (place) => {
        settings(place, { audit: true })
        const code =
          "await tools.Bash({ command: 'echo hello' }); await tools.Bash({ command: 'npm publish' }).catch(() => 0)"
        await runToolgate(place, ["call", "Glob", "{\"pattern\":\"*.md\"}"])
        await runToolgate(place, ["call", "REPL", JSON.stringify({ code }), "--ask", "deny"])

        const whole = (await runToolgate(place, ["log", "--tool", "REPL", "--json"])).stdout
        const { id } = JSON.parse(whole)
        const within = await runToolgate(place, ["log", "--call", id])
        const shown = within.stdout.trimEnd().split("\n")
        assert.strictEqual(shown.length, 3)
        assert.match(shown[0] ?? "", / {2}REPL {2}\([^()]+\)$/)
        assert.include(shown[1], "Bash: echo hello")
        assert.include(shown[2], "Bash: npm publish")
        for (const row of shown.slice(1)) assert.isTrue(row.endsWith(`  inside ${id}`))

        const denied = await runToolgate(place, ["log", "--call", id, "--verdict", "deny", "--json"])
        assert.strictEqual(JSON.parse(denied.stdout).parent, id)
      })
  )

  it("keeps to a call though those between it and another are not shown", () =>
    withPlace(async (place) => {
      const entries = [
        entry(1, { id: "a" }),
        entry(2, { id: "a_1", parent: "a", tool: "Agent" }),
        entry(3, { id: "a_1_1", parent: "a_1" }),
        entry(4, { id: "b" }),
        entry(5, { id: "b_1", parent: "b" })
      ]
      writeFileSync(path.join(folderOf(place), "audit.ndjson"), ndjson(entries))
      const { stdout } = await runToolgate(place, ["log", "--call", "a", "--tool", "Bash", "--json"])
      assert.deepStrictEqual(stdout.trimEnd().split("\n").map((line) => JSON.parse(line).id), ["a", "a_1_1"])
    }))

  it("a project can't switch it on, trusted or not", () =>
    withPlace(async (place) => {
      mkdirSync(path.join(place.cwd, ".claude"))
      writeFileSync(path.join(place.cwd, ".claude", "settings.json"), "{\"audit\": true}")
      await runToolgate(place, ["trust"])
      await runToolgate(place, ["call", "Bash", "{\"command\":\"ls\"}"])
      assert.include((await runToolgate(place, ["log"])).stderr, "there is no audit log yet")
      assert.include((await runToolgate(place, ["rules"])).stdout, "`audit` counts in user settings")
    }))

  it("filters by tool, verdict, decider, session and time, and gives the last", () =>
    withPlace(async (place) => {
      const entries = Array.from({ length: 100 }, (_, at) =>
        entry(at, {
          tool: at % 2 === 0 ? "Bash" : "Read",
          verdict: at % 5 === 0 ? "deny" : "allow",
          by: at % 3 === 0 ? "person" : "rule",
          session: at < 50 ? "one" : "two"
        }))
      writeFileSync(path.join(folderOf(place), "audit-000001.ndjson"), ndjson(entries.slice(0, 60)))
      writeFileSync(path.join(folderOf(place), "audit.ndjson"), `${ndjson(entries.slice(60))}no entry\n{"version":2}\n`)
      const ids = async (...args: ReadonlyArray<string>) => {
        const { stderr, stdout } = await runToolgate(place, ["log", "--json", ...args])
        assert.strictEqual(
          stderr,
          "toolgate: 2 lines of the audit log are no entry that can be read, and left out\n"
        )
        return stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line).id)
      }
      const where = (test: (at: number) => boolean) => entries.map((_, at) => at).filter(test).map((at) => `t${at}`)
      assert.deepStrictEqual(await ids(), where(() => true))
      assert.deepStrictEqual(
        await ids("--tool", "Bash", "--verdict", "deny", "--by", "person", "--by", "rule"),
        where((at) => at % 10 === 0)
      )
      assert.deepStrictEqual(await ids("--session", "two", "--by", "person"), where((at) => at >= 50 && at % 3 === 0))
      assert.deepStrictEqual(
        await ids("--since", "2026-01-01T00:00:10Z", "--until", "2026-01-01T00:00:12Z"),
        ["t10", "t11"]
      )
      assert.deepStrictEqual(await ids("--since", "1m"), [])
      assert.deepStrictEqual(await ids("-n", "2"), ["t98", "t99"])
      const misused = await runToolgate(place, ["log", "--since", "yesterday"])
      assert.strictEqual(misused.code, 2)
      assert.match(misused.stderr, /^toolgate: `--since` can't be `yesterday`: .*\n$/)
    }))

  it("shows nothing that would move the cursor", () =>
    withPlace(async (place) => {
      const evil = "\u001B[2J\u0007\nnext"
      writeFileSync(
        path.join(folderOf(place), "audit.ndjson"),
        ndjson([entry(1, { tool: evil, why: evil, time: evil })])
      )
      const { stdout } = await runToolgate(place, ["log"])
      assert.strictEqual(stdout.split("\n").length, 2)
      assert.notInclude(stdout, "\u001B")
    }))

  it(
    "follows what is written from now on, over files that are set aside, until it is stopped",
    () =>
      withPlace(async (place) => {
        const file = path.join(folderOf(place), "audit.ndjson")
        writeFileSync(file, ndjson([entry(1), entry(2)]))
        let step = 0
        const { code, stdout } = await runToolgate(place, ["log", "--json", "-n", "1", "--follow"], {
          onStdout: (text, kill) => {
            const lines = text.split("\n").length - 1
            if (step === 0 && lines === 1) {
              step = 1
              writeFileSync(file, ndjson([entry(3)]), { flag: "a" })
            } else if (step === 1 && lines === 2) {
              step = 2
              // As a writer does it that found the file full.
              renameSync(file, path.join(folderOf(place), "audit-000001.ndjson"))
              writeFileSync(file, ndjson([entry(4)]))
            } else if (step === 2 && lines === 3) {
              step = 3
              kill("SIGINT")
            }
          }
        })
        assert.deepStrictEqual(
          stdout.trimEnd().split("\n").map((line) => JSON.parse(line).id),
          ["t2", "t3", "t4"]
        )
        assert.strictEqual(code, 130)
      })
  )

  it("says so where it can't be read", () =>
    withPlace(async (place) => {
      mkdirSync(path.join(folderOf(place), "audit.ndjson"))
      const { code, stderr } = await runToolgate(place, ["log"])
      assert.strictEqual(code, 1)
      assert.match(stderr, /^toolgate: the audit log in `.+` can't be read: a file is a folder\n$/)
    }))

  it("reads a million lines in bounded memory", () =>
    withPlace(async (place) => {
      const stream = createWriteStream(path.join(folderOf(place), "audit.ndjson"))
      const lines = 1_000_000
      for (let at = 0; at < lines; at += 1_000) {
        const block = Array.from({ length: 1_000 }, (_, number) =>
          entry(at + number, { verdict: (at + number) % 100_000 === 0 ? "deny" : "allow" }))
        if (!stream.write(ndjson(block))) {
          await once(stream, "drain")
        }
      }
      stream.end()
      await finished(stream)

      const child = spawn(process.execPath, [main, "log", "--verdict", "deny", "--json"], {
        env: place.env,
        stdio: ["ignore", "pipe", "inherit"]
      })
      let highest = 0
      let stdout = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text
      })
      const timer = setInterval(() => {
        try {
          const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
          highest = Math.max(highest, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0))
        } catch {
          // It ended.
        }
      }, 20)
      const code = await new Promise((resolve) =>
        child.on("close", resolve)
      )
      clearInterval(timer)
      assert.strictEqual(code, 0)
      assert.strictEqual(stdout.trimEnd().split("\n").length, 10)
      // The file has more than 400 MB; most of this is Node itself.
      assert.isBelow(highest, 300_000)
    }))
})
