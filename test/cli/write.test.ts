import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"

/** Runs a program whose output is a pipe that does not block, and lets the pipe fill before it reads. */
const unhurried = `
import fcntl, os, subprocess, sys, time
theirs, ours = os.pipe()
fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)
program = subprocess.Popen(sys.argv[1:], stdout=ours)
os.close(ours)
time.sleep(0.5)
with open(theirs, "rb") as taken: sys.stdout.buffer.write(taken.read())
sys.exit(program.wait())
`

/** Three that write lines at once, and give way to each other after so many steps. */
const writers = (steps: number): string => `
import * as Effect from "effect/Effect"
import { MaxOpsBeforeYield } from "effect/Scheduler"
import * as write from ${JSON.stringify(new URL("../../src/cli/write.ts", import.meta.url))}
const line = (name, nth) => write.out(name.repeat(9973 + nth) + "\\n")
const writer = (name) => Effect.forEach(Array(20).keys(), (nth) => line(name, nth), { discard: true })
await Effect.runPromise(
  Effect.forEach(["a", "b", "c"], writer, { concurrency: 3 }).pipe(Effect.provideService(MaxOpsBeforeYield, ${steps}))
)`

describe("write", () => {
  it("keeps what several write at once apart and in order, wherever one has to wait", () => {
    for (let steps = 3; steps <= 8; steps++) {
      const args = ["-c", unhurried, process.execPath, "--input-type=module", "-e", writers(steps)]
      const { stderr, stdout } = spawnSync("python3", args, { encoding: "utf8", cwd: import.meta.dirname })
      assert.strictEqual(stderr, "")
      const lines = stdout.trimEnd().split("\n")
      for (const name of ["a", "b", "c"]) {
        const own = lines.filter((line) => line.startsWith(name))
        assert.isTrue(own.every((line, nth) => line === name.repeat(9973 + nth)), `${name}, ${steps} steps`)
        assert.strictEqual(own.length, 20)
      }
    }
  })
})
