import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { nearestFolder, whyNotOwn } from "../../src/cli/ownFolder.ts"

describe("whyNotOwn", () => {
  let root: string
  beforeAll(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), "toolgate-own-")))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const make = (name: string, mode: number): string => {
    const folder = path.join(root, name)
    mkdirSync(folder)
    chmodSync(folder, mode)
    return folder
  }

  it("a folder for the user alone is the user's, also where the one above has a sticky bit", () => {
    const above = make("sticky", 0o1777)
    mkdirSync(path.join(above, "mine"), { mode: 0o700 })
    assert.isUndefined(whyNotOwn(path.join(above, "mine")))
  })

  it("a folder that others may write to is not", () => {
    for (const mode of [0o777, 0o770, 0o702, 0o1777]) {
      assert.strictEqual(whyNotOwn(make(`open-${mode.toString(8)}`, mode)), "others may write to")
    }
  })

  it("nor one that others could put another in the place of", () => {
    const above = make("shared", 0o777)
    const folder = path.join(above, "mine")
    mkdirSync(folder, { mode: 0o700 })
    assert.strictEqual(whyNotOwn(folder), `lies in \`${above}\`, which others may write to`)
  })

  it("nor one of somebody else's", () => {
    const folder = process.getuid?.() === 0 ? make("theirs", 0o700) : "/"
    if (process.getuid?.() === 0) chownSync(folder, 12345, 12345)
    assert.strictEqual(whyNotOwn(folder), "belongs to somebody else")
  })

  it("nor a file", () => {
    writeFileSync(path.join(root, "file"), "")
    assert.strictEqual(whyNotOwn(path.join(root, "file")), "is no folder")
  })

  it("the nearest folder of what is not there yet is found behind links", () => {
    const folder = make("target", 0o700)
    symlinkSync(folder, path.join(root, "link"))
    assert.strictEqual(nearestFolder(path.join(root, "link", "a", "b")), folder)
  })
})
