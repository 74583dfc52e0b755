import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync
} from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { makePlace, type Place } from "./runToolgate.ts"

/** Runs a program between two pipes that do not block, gives it its input in halves and lets its output pile up. */
const impatient = `
import fcntl, os, subprocess, sys, time
given = sys.stdin.buffer.read()
(stdin, ours), (theirs, stdout) = os.pipe(), os.pipe()
for end in (stdin, stdout): fcntl.fcntl(end, fcntl.F_SETFL, os.O_NONBLOCK)
program = subprocess.Popen(sys.argv[1:], stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL)
os.close(stdin), os.close(stdout)
half = len(given) // 2
for part in (given[:half], given[half:]):
    time.sleep(0.5)
    os.write(ours, part)
os.close(ours)
time.sleep(1)
with open(theirs, "rb") as taken: sys.stdout.buffer.write(taken.read())
`

const start = fileURLToPath(new URL("../../src/cli/start.ts", import.meta.url))

describe("the compile cache", () => {
  let place: Place
  let caches: string
  beforeEach(() => {
    place = makePlace()
    caches = path.join(place.home, "caches")
    mkdirSync(caches)
  })
  afterEach(() => place.remove())
  const run = (env: Record<string, string> = {}) => {
    const options = { cwd: place.cwd, env: { ...place.env, XDG_CACHE_HOME: caches, ...env }, encoding: "utf8" } as const
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      [start, "check", "Bash", "{\"command\":\"ls\"}", "--ask", "deny"],
      options
    )
    return { status, stderr, first: stdout.split("\n", 1)[0] }
  }
  const fine = { status: 0, stderr: "", first: "allow Bash: it only reads" }

  it("is kept in a folder for the user alone", () => {
    assert.deepStrictEqual(run(), fine)
    const folder = path.join(caches, "toolgate", "compiled")
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
    assert.isAbove(readdirSync(folder).length, 0)
    assert.deepStrictEqual(run(), fine)
  })

  it("is where no tool may write, whatever rules allow", () => {
    for (const XDG_CACHE_HOME of [caches, "", "relative"]) {
      run({ XDG_CACHE_HOME })
      const names = readdirSync(place.home, { recursive: true, encoding: "utf8" })
      const folder = path.join(place.home, names.find((name) => path.basename(name) === "compiled") ?? "none")
      const kept = path.join(folder, "plain")
      const input = JSON.stringify({ command: `echo a > ${kept}` })
      const { status, stdout } = spawnSync(
        process.execPath,
        [start, "check", "Bash", input, "--allowed-tools", "Bash"],
        {
          cwd: place.cwd,
          env: { ...place.env, XDG_CACHE_HOME },
          encoding: "utf8"
        }
      )
      assert.strictEqual(status, 4)
      assert.include(stdout, `\`${kept}\` is a protected path`)
      rmSync(folder, { recursive: true })
    }
  })

  it("is not kept where others may write", () => {
    chmodSync(caches, 0o777)
    assert.deepStrictEqual(run(), fine)
    assert.isFalse(existsSync(path.join(caches, "toolgate")))
  })

  it("is not used where others may have written to it", () => {
    const folder = path.join(caches, "toolgate", "compiled")
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o777)
    assert.deepStrictEqual(run(), fine)
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("is switched off by Node's own variable", () => {
    assert.deepStrictEqual(run({ NODE_DISABLE_COMPILE_CACHE: "1" }), fine)
    assert.isFalse(existsSync(path.join(caches, "toolgate")))
  })

  it("is not kept where the command was started, whatever the home is called", () => {
    for (const HOME of ["", "home", "."]) {
      const { status, stderr } = run({ HOME, XDG_CACHE_HOME: "" })
      assert.strictEqual(status, 2)
      assert.strictEqual(stderr, `toolgate: \`HOME\` is \`${HOME}\`, set it to an absolute path or unset it\n`)
      assert.deepStrictEqual(readdirSync(place.cwd), [])
    }
  })

  it("that can't be kept costs nothing but time", () => {
    assert.deepStrictEqual(run({ XDG_CACHE_HOME: "/dev/null/nowhere" }), fine)
  })
})

describe("an answer as a hook", () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.remove())
  const source = (name: string) => fileURLToPath(new URL(`../../src/cli/${name}.ts`, import.meta.url))
  const input = () =>
    JSON.stringify({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      cwd: place.cwd
    })

  it.skipIf(!existsSync("/dev/full"))("that can't be written blocks the call", () => {
    const full = openSync("/dev/full", "w")
    for (const name of ["start", "main", "client"]) {
      const { status, stderr } = spawnSync(process.execPath, [source(name), "hook"], {
        cwd: place.cwd,
        env: place.env,
        input: input(),
        stdio: ["pipe", full, "pipe"],
        encoding: "utf8"
      })
      assert.strictEqual(status, 2, name)
      assert.include(stderr, "standard output can't be written to (ENOSPC)", name)
    }
    closeSync(full)
  })

  it("is whole where neither pipe waits for anybody", () => {
    const command = Array.from({ length: 400 }, (_, nth) => `ls ${nth}`).join(" && ")
    const tool_input = { command }
    const asked = JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input, cwd: place.cwd })
    const over = (input: string, ...args: ReadonlyArray<string>) => {
      const ran = spawnSync("python3", ["-c", impatient, process.execPath, ...args], {
        cwd: place.cwd,
        env: place.env,
        input,
        encoding: "utf8"
      })
      assert.strictEqual(ran.stderr, "")
      return ran.stdout
    }
    assert.include(JSON.parse(over(asked, source("start"), "hook")).hookSpecificOutput, { permissionDecision: "allow" })
    assert.include(
      over(asked, source("client"), "--socket", path.join(place.home, "t.sock"), "hook"),
      "no server answers"
    )
    const { decision } = JSON.parse(over(JSON.stringify(tool_input), source("start"), "check", "Bash", "-", "--json"))
    assert.strictEqual(decision.judged.length, 800)
  })

  it("of a command that lacks a part of itself blocks the call, whatever stands before its name", () => {
    const broken = path.join(place.home, "toolgate.cjs")
    copyFileSync(fileURLToPath(new URL("../../bin/toolgate.cjs", import.meta.url)), broken)
    const status = (...args: ReadonlyArray<string>) => {
      const ran = spawnSync(process.execPath, [broken, ...args], { env: place.env, encoding: "utf8" })
      assert.strictEqual(ran.stderr, "toolgate: it could not start: MODULE_NOT_FOUND\n")
      return ran.status
    }
    assert.deepStrictEqual([status("hook"), status("--cwd", "/", "hook"), status("tools")], [2, 2, 70])
  })
})
