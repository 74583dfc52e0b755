import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"

const source = new URL("../../src/cli/loadCompiled.ts", import.meta.url)

const program = `(function(exports,require,module,__filename,__dirname){
const late = () => "late"
exports.answer = () => [module.filename === __filename, require("./other.cjs").mine === exports, late()]
})`

describe("loadCompiled", () => {
  let root: string
  let file: string
  let folder: string
  let kept: string
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), "toolgate-compiled-"))
    file = path.join(root, "plain-1.cjs")
    folder = path.join(root, "cache")
    kept = path.join(folder, "plain")
    mkdirSync(folder)
    writeFileSync(file, program)
    writeFileSync(path.join(root, "other.cjs"), "exports.mine = require(\"./plain-1.cjs\")")
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const run = (...options: ReadonlyArray<string>) => {
    const code = `
      import { createRequire } from "node:module"
      import { loadCompiled } from ${JSON.stringify(source)}
      loadCompiled(${JSON.stringify(file)}, ${JSON.stringify(kept)})
      console.log(JSON.stringify(createRequire(${JSON.stringify(pathToFileURL(file))})("./plain-1.cjs").answer()))`
    const args = [...options, "--input-type=module", "-e", code]
    const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
    return stdout + stderr
  }
  const fine = "[true,true,\"late\"]\n"
  const runs = () => readFileSync(kept).at(-1)

  it("gives one module to whoever requires the file, and keeps its code for the user alone", () => {
    assert.strictEqual(run(), fine)
    assert.strictEqual(statSync(kept).mode & 0o777, 0o600)
    assert.strictEqual(runs(), 1)
  })

  it("adds what the first runs compile, and writes nothing after them", () => {
    for (let nth = 1; nth <= 8; nth++) {
      assert.strictEqual(run(), fine)
      assert.strictEqual(runs(), nth)
    }
    const { ino } = statSync(kept)
    assert.strictEqual(run(), fine)
    assert.strictEqual(statSync(kept).ino, ino)
  })

  it("adds what later runs compile after longer and longer pauses, of an hour at most", () => {
    for (let nth = 1; nth <= 8; nth++) run()
    const added = (minutes: number): boolean => {
      const before = new Date(Date.now() - minutes * 60_000)
      utimesSync(kept, before, before)
      const { ino } = statSync(kept)
      assert.strictEqual(run(), fine)
      return statSync(kept).ino !== ino
    }
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      assert.deepStrictEqual([added(minutes - 0.5), added(minutes + 0.5)], [false, true], `${minutes} minutes`)
    }
  })

  it("begins again where what was kept is no use", () => {
    run()
    run()
    truncateSync(kept, 40)
    assert.strictEqual(run(), fine)
    assert.strictEqual(runs(), 1)
    for (const rubbish of ["", "abc", "x".repeat(5000)]) {
      writeFileSync(kept, rubbish)
      assert.strictEqual(run(), fine)
      assert.strictEqual(runs(), 1)
    }
  })

  it("begins again where a disk lost a sector of what was kept, wherever that is", () => {
    run()
    const whole = readFileSync(kept)
    for (let at = 0; at < whole.length; at += 512) {
      for (const byte of [0, 0xa5]) {
        const lost = Buffer.from(whole)
        lost.fill(byte, at, Math.min(at + 512, whole.length))
        writeFileSync(kept, lost)
        assert.strictEqual(run(), fine)
        assert.strictEqual(runs(), 1, `${byte} at ${at}`)
      }
    }
  })

  it("takes away what other versions left a month ago, once, and nothing else", () => {
    const old = ["plain-0-_A.cjs.main", "plain-0.cjs.plain.v22.19.0-x64", "plain-0.cjs.main.4711"]
    const others = ["debfeeba", "plain.cjs.main", "my-plain-0.cjs.main"]
    const monthAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
    const leave = (name: string, time: Date) => {
      writeFileSync(path.join(folder, name), "")
      utimesSync(path.join(folder, name), time, time)
    }
    for (const name of [...old, ...others]) leave(name, monthAgo)
    leave("plain-2.cjs.main", new Date())
    mkdirSync(path.join(folder, "plain-3.cjs.main"))
    utimesSync(path.join(folder, "plain-3.cjs.main"), monthAgo, monthAgo)
    assert.strictEqual(run(), fine)
    const left = [...others, "plain", "plain-2.cjs.main", "plain-3.cjs.main"].sort()
    assert.deepStrictEqual(readdirSync(folder).sort(), left)
    leave("plain-0.cjs.main", monthAgo)
    assert.strictEqual(run(), fine)
    assert.deepStrictEqual(readdirSync(folder).sort(), [...left, "plain-0.cjs.main"].sort())
  })

  it("loads all the same where nothing can be kept", () => {
    rmSync(folder, { recursive: true })
    assert.strictEqual(run(), fine)
    assert.isFalse(existsSync(folder))
  })

  it("says nothing of a folder that it may not write to, and leaves nothing there", () => {
    assert.strictEqual(run("--permission", "--allow-fs-read=*"), fine)
    assert.deepStrictEqual(readdirSync(folder), [])
  })

  it("leaves nothing unfinished where the code can't have its name", () => {
    mkdirSync(path.join(kept, "in the way"), { recursive: true })
    assert.strictEqual(run(), fine)
    assert.deepStrictEqual(readdirSync(folder), ["plain"])
  })
})
