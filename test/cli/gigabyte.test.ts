import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as path from "node:path"
import { makePlace, runToolgate } from "./runToolgate.ts"

/** Has a process note the most memory that it ever had, in MiB, when it ends. */
const noting = "data:text/javascript,import { writeFileSync } from 'node:fs'; const file = process.env.MEMORY_FILE; " +
  "process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS / 1024)))"

const mostMebibytes = async (command: string): Promise<number> => {
  const place = makePlace()
  try {
    const file = path.join(place.home, "memory")
    const args = ["call", "Bash", JSON.stringify({ command }), "--allowed-tools", "Bash"]
    const env = { NODE_OPTIONS: `--import="${noting}"`, MEMORY_FILE: file }
    const ran = await runToolgate(place, args, { env })
    assert.strictEqual(ran.code, 0, ran.stderr)
    return Number(readFileSync(file, "utf8"))
  } finally {
    place.remove()
  }
}

describe("a gigabyte of output on the command line", () => {
  it("takes hardly more memory than none", async () => {
    const none = await mostMebibytes("true")
    const gigabyte = await mostMebibytes("yes 'a line that somebody would like to read' | head -c 1000000000")
    assert.isBelow(gigabyte - none, 25)
    // From source, Node's own reading of TypeScript takes some 80 of them.
    if (process.env["TOOLGATE_BUILT"] !== undefined) assert.isBelow(gigabyte, 120)
  })
})
