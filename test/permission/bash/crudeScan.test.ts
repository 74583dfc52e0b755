import { assert, describe, it } from "@effect/vitest"
import { crudeScan } from "../../../src/permission/bash/crudeScan.ts"

const scanned = (source: string) => crudeScan(source).map((words) => words.map(({ value }) => value).join(" "))

describe("crudeScan", () => {
  it("sees a command behind every separator, whatever quotes say", () => {
    assert.includeMembers([...scanned("a; b && c \"$(d 'e' | f) `g` <(h)")], ["a", "b", "c", "d e", "f", "g", "h"])
  })

  it("sees past keywords and assignments", () => {
    assert.includeMembers([...scanned("if a; then ! time X=1 rm 'x'")], ["a", "rm x"])
  })

  it("takes a continuation both ways", () => {
    assert.includeMembers([...scanned("r\\\nm x")], ["rm x", "m x"])
    assert.include(scanned("# a \\\nr\\\nm x"), "rm x")
  })
})
