import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { makePlace, type Place } from "./runToolgate.ts"

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
      [start, "check", "Bash", "{\"command\":\"ls\"}"],
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
    assert.deepStrictEqual(readdirSync(path.join(caches, "toolgate", "compiled")), [])
  })

  it("that can't be kept costs nothing but time", () => {
    assert.deepStrictEqual(run({ XDG_CACHE_HOME: "/dev/null/nowhere" }), fine)
  })
})
