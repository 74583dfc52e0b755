import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

describe("a gigabyte of output", () => {
  it("takes no more memory than a little one would", async () => {
    const script = fileURLToPath(new URL("../../bench/gigabyte.ts", import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script])
    const measured: unknown = JSON.parse(stdout)
    assert.isObject(measured)
    // What the script writes is what it says it does.
    const { beforeMiB, mostMiB } = measured as { readonly beforeMiB: number; readonly mostMiB: number }
    assert.isBelow(mostMiB - beforeMiB, 30)
  })
})
