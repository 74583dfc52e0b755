import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
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

  const run = () => {
    const code = `
      import { createRequire } from "node:module"
      import { loadCompiled } from ${JSON.stringify(source)}
      loadCompiled(${JSON.stringify(file)}, ${JSON.stringify(kept)})
      console.log(JSON.stringify(createRequire(${JSON.stringify(pathToFileURL(file))})("./plain-1.cjs").answer()))`
    const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" })
    return stdout === "" ? stderr : stdout
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

  it("begins again where what was kept is no use", () => {
    run()
    run()
    truncateSync(kept, 40)
    assert.strictEqual(run(), fine)
    assert.strictEqual(runs(), 1)
    writeFileSync(kept, "")
    assert.strictEqual(run(), fine)
    assert.strictEqual(runs(), 1)
  })

  it("loads all the same where nothing can be kept", () => {
    rmSync(folder, { recursive: true })
    assert.strictEqual(run(), fine)
    assert.isFalse(existsSync(folder))
  })
})
