import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { below, folded, normalise } from "../../../src/permission/path/normalise.ts"
import { place, windows } from "./place.ts"

const linux = place()

describe("normalise", () => {
  const vectors: ReadonlyArray<readonly [string, string]> = [
    ["src/a.ts", "/repo/src/a.ts"],
    ["./src//a.ts", "/repo/src/a.ts"],
    ["src/../.env", "/repo/.env"],
    ["../../../etc", "/etc"],
    ["/a/./b/../c/", "/a/c"],
    ["//etc/passwd", "/etc/passwd"],
    ["", "/repo"],
    [".", "/repo"],
    ["/", "/"],
    ["~", "/home/dev"],
    ["~/x", "/home/dev/x"],
    ["~other/x", "/repo/~other/x"],
    ["...", "/repo/..."],
    ["a\\b", "/repo/a\\b"]
  ]
  for (const [path, expected] of vectors) {
    it(`\`${path}\` is ${expected}`, () => assert.strictEqual(normalise(path, linux), expected))
  }

  const onWindows: ReadonlyArray<readonly [string, string]> = [
    ["C:\\secrets\\a.txt", "/c/secrets/a.txt"],
    ["d:/x", "/d/x"],
    ["/c/x", "/c/x"],
    ["/C/x", "/c/x"],
    ["src\\a.ts", "/c/work/repo/src/a.ts"],
    ["\\Windows", "/c/Windows"],
    ["\\\\server\\share\\a", "//server/share/a"],
    ["\\\\?\\C:\\x", "/c/x"],
    ["\\\\?\\UNC\\server\\share", "//server/share"],
    ["C:\\a. \\b.txt.", "/c/a/b.txt"],
    ["C:\\a.txt::$DATA", "/c/a.txt"],
    ["~\\x", "/c/Users/dev/x"],
    ["..\\x", "/c/work/x"]
  ]
  for (const [path, expected] of onWindows) {
    it(`on Windows \`${path}\` is ${expected}`, () => assert.strictEqual(normalise(path, windows), expected))
  }

  it("no file has a null character in its name", () => assert.isUndefined(normalise("a\u0000b", linux)))

  const parts = Schema.Literals(["a", "b", "..", ".", "/", "//", "\\", "C:", "~", " ", "a.", "é"])
  const paths = Arbitrary.map(Arbitrary.array(Arbitrary.schema(parts), { maxLength: 8 }), (drawn) => drawn.join(""))

  it.prop("doing it twice changes nothing", { paths }, ({ paths }) => {
    for (const at of [linux, windows]) {
      const once = normalise(paths, at)
      assert.isDefined(once)
      assert.strictEqual(normalise(once ?? "", at), once)
      assert.notMatch(once ?? "", /\/\.{0,2}(?:\/|$)(?<!^\/|^\/\/)|(?!^)\/\//)
    }
  }, { arbitrary: { runs: 1000 } })
})

describe("folded", () => {
  it("case and composition count for nothing where the disk says so", () => {
    const disk = { platform: "darwin", caseInsensitive: true } as const
    assert.strictEqual(folded("/Re\u0301po/A", disk), folded("/r\u00e9PO/a", disk))
    assert.notStrictEqual(folded("/A", linux), folded("/a", linux))
  })
})

describe("below", () => {
  it("a folder is not a prefix of text", () => {
    assert.strictEqual(below("/repo/a", "/repo"), "a")
    assert.strictEqual(below("/repo", "/repo"), "")
    assert.strictEqual(below("/a", "/"), "a")
    assert.isUndefined(below("/repo-secrets/a", "/repo"))
  })
})
