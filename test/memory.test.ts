import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"

/** Bytes by what they are for, counted in a process of its own. */
const measured = promisify(execFile)(process.execPath, [
  "--expose-gc",
  "--min-semi-space-size=128",
  "--max-semi-space-size=128",
  join(import.meta.dirname, "../bench/memory.ts")
]).then(({ stdout }): { readonly [what in "asked" | "call" | "handle" | "inTurn"]: number } => JSON.parse(stdout))

// Bytes, never times: they are the same on a machine that is busy. Each has room for what a new Node brings.
describe("the memory that calls take", () => {
  it("a governed call allocates about what `handle` of an `effect/ai` Toolkit does", async () => {
    const { call, handle } = await measured
    assert.isAbove(call, 0)
    assert.isBelow(call / handle, 1.5)
  })

  it("ten thousand calls that people are asked about hold less than 10 KiB each", async () => {
    const { asked, inTurn } = await measured
    assert.isBelow(asked, 10 * 1_024)
    assert.isBelow(inTurn, 10 * 1_024)
  })
})
