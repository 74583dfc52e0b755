import { assert, describe, it } from "@effect/vitest"
import * as Place from "../../../src/permission/bash/Place.ts"
import { certainWord } from "../../../src/permission/bash/WordDraft.ts"

const words = (text: string) => text.split(" ").map((word) => certainWord(word, word))

describe("Place", () => {
  it("follows a path by its names", () => {
    const from = (start: string, target: string) => Place.into({ directories: [start] }, target).directories
    assert.deepStrictEqual(from(".", "a/./b//../c"), ["a/c"])
    assert.deepStrictEqual(from("a", ".."), ["."])
    assert.deepStrictEqual(from(".", "../.."), ["../.."])
    assert.deepStrictEqual(from("../a", "../../b"), ["../../b"])
    assert.deepStrictEqual(from("/a", "../../b"), ["/b"])
    assert.deepStrictEqual(from("a", "/"), ["/"])
    assert.deepStrictEqual(from("a", "~/x/.."), ["~"])
    assert.deepStrictEqual(from("~", "../x"), ["~/../x"])
  })

  it("knows no relative path from an unknown directory, and every absolute one", () => {
    assert.isUndefined(Place.into(Place.anywhere, "a").directories)
    assert.deepStrictEqual(Place.into(Place.anywhere, "/a").directories, ["/a"])
  })

  it("reads the options of cd", () => {
    const moved = (text: string) => Place.move(Place.start, words(text), false).directories
    assert.deepStrictEqual(moved("cd -L -- a"), ["a"])
    assert.deepStrictEqual(moved("cd -P a"), ["a"])
    assert.deepStrictEqual(moved("cd"), ["~"])
    for (const text of ["cd -", "cd -P a/..", "cd a b", "cd -x a", "pushd", "pushd +1"]) {
      assert.isUndefined(moved(text), text)
    }
  })

  it("joins ways that meet, the likelier first, and forgets when there are too many", () => {
    assert.deepStrictEqual(Place.join({ directories: ["a"] }, { directories: [".", "a"] }).directories, ["a", "."])
    assert.isUndefined(Place.join({ directories: ["a"] }, Place.anywhere).directories)
    const many = Array.from({ length: 9 }, (_, index) => `${index}`)
    assert.isUndefined(Place.join(Place.start, { directories: many }).directories)
    assert.strictEqual(Place.join(Place.nowhere, Place.start).directories?.[0], ".")
  })
})
