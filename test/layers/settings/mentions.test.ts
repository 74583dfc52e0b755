import { assert, describe, it } from "@effect/vitest"
import { mentions } from "../../../src/layers/settings/mentions.ts"

const file = ".claude/settings.local.json"

const number = (
  value: number
): ReadonlyArray<number> => [value >>> 24, value >>> 16 & 255, value >>> 8 & 255, value & 255]

const bytes = (text: string): ReadonlyArray<number> => [...Buffer.from(text)]

const zeros = (length: number): ReadonlyArray<number> => Array.from({ length }, () => 0)

const index = (
  version: number,
  names: ReadonlyArray<string>,
  options: { readonly hash?: number; readonly extension?: string; readonly extended?: boolean } = {}
): Uint8Array => {
  const hash = options.hash ?? 20
  let previous = ""
  const entries = names.flatMap((name) => {
    const fixed = options.extended === true
      ? [...zeros(40 + hash), 0x40, name.length, 0x20, 0]
      : [...zeros(40 + hash), 0, name.length]
    if (version === 4) {
      let shared = 0
      while (shared < name.length && name[shared] === previous[shared]) shared++
      const strip = previous.length - shared
      previous = name
      return [...fixed, strip, ...bytes(name.slice(shared)), 0]
    }
    const length = fixed.length + name.length
    return [...fixed, ...bytes(name), ...zeros((Math.floor(length / 8) + 1) * 8 - length)]
  })
  const extension = options.extension === undefined ? [] : [...bytes(options.extension), ...number(3), 1, 2, 3]
  return new Uint8Array([
    ...bytes("DIRC"),
    ...number(version),
    ...number(names.length),
    ...entries,
    ...extension,
    ...zeros(hash)
  ])
}

describe("mentions", () => {
  it.each([2, 3, 4])("an index of version %i tells what it lists", (version) => {
    const others = [".claude/settings.json", "bin/link", "src/settings.local.json"]
    assert.isFalse(mentions(index(version, others), file))
    assert.isTrue(mentions(index(version, [".claude/settings.json", file, "src/a"]), file))
  })

  it("an empty index lists nothing", () => {
    assert.isFalse(mentions(index(2, []), file))
  })

  it("hashes of 32 bytes are read as well", () => {
    assert.isFalse(mentions(index(2, ["a", "b/c"], { hash: 32 }), file))
    assert.isTrue(mentions(index(2, ["a", file], { hash: 32 }), file))
  })

  it("entries with more flags are read as well", () => {
    for (const version of [3, 4]) {
      assert.isFalse(mentions(index(version, ["a", "b/c"], { extended: true }), file))
      assert.isTrue(mentions(index(version, ["a", file, "b"], { extended: true }), file))
    }
  })

  it("another repository that the file lies in counts", () => {
    assert.isTrue(mentions(index(2, [".claude", "b"]), file))
    assert.isFalse(mentions(index(2, [".claude2", "claude"]), file))
  })

  it("a name that differs in case alone counts", () => {
    assert.isTrue(mentions(index(2, [".Claude/Settings.local.json"]), file))
  })

  it("extensions are passed over, unless they leave paths out", () => {
    assert.isFalse(mentions(index(2, ["a"], { extension: "TREE" }), file))
    assert.isTrue(mentions(index(2, ["a"], { extension: "link" }), file))
    assert.isTrue(mentions(index(2, ["a"], { extension: "sdir" }), file))
  })

  it("what can't be read counts as listed", () => {
    const whole = index(2, ["a", "b"])
    assert.isTrue(mentions(new Uint8Array(), file))
    assert.isTrue(mentions(new Uint8Array(bytes("no index")), file))
    assert.isTrue(mentions(index(5, ["a"]), file))
    for (let length = 0; length < whole.length; length++) {
      assert.isTrue(mentions(whole.subarray(0, length), file), `${length} bytes`)
    }
  })
})
