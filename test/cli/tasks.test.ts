import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

const timeout = 60_000

describe.concurrent("tasks of the command line", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
  })
  afterAll(() => place.remove())
  const call = (session: string, tool: string, input: object) =>
    runToolgate(place, ["call", tool, JSON.stringify(input), "--session", session, "--allowed-tools", "Bash TaskStop"])
  const idIn = (text: string): string => /task `([0-9a-f]{8})`/.exec(text)?.[1] ?? ""

  it("a command in the background outlives the process that began it, and others of the session know it", async () => {
    const begun = await call("s", "Bash", { command: "sleep 2; echo out; exit 7", run_in_background: true })
    assert.strictEqual(begun.code, 0, begun.stderr)
    const shown = await call("s", "TaskOutput", { task_id: idIn(begun.stdout) })
    assert.match(shown.stdout, /has ended with exit code 7\]\nout\n$/)
    const other = await call("t", "TaskOutput", { task_id: idIn(begun.stdout) })
    assert.deepStrictEqual([other.code, other.stderr.includes("there is no task")], [1, true], other.stderr)
  }, timeout)

  it("so does one that reached its time limit, exit code included", async () => {
    const begun = await call("s", "Bash", { command: "echo a; read -t 3 < <(sleep 3); echo b; exit 6", timeout: 300 })
    assert.match(begun.stdout, /^a\n\[still running after 300 ms, so it goes on in the background as the task `/)
    const shown = await call("s", "BashOutput", { task_id: idIn(begun.stdout) })
    assert.match(shown.stdout, /has ended with exit code 6\]\na\nb\n/)
  }, timeout)

  it("another process ends a task under its old name as well", async () => {
    const begun = await call("s", "Bash", { command: "touch begun; sleep 500; touch ended", run_in_background: true })
    const stopped = await call("s", "KillShell", { shell_id: idIn(begun.stdout) })
    assert.match(stopped.stdout, /^stopped the task/)
    assert.match(stopped.stdout, /`KillShell` is deprecated, use `TaskStop`/)
    assert.isTrue(existsSync(path.join(place.cwd, "begun")) && !existsSync(path.join(place.cwd, "ended")))
  }, timeout)
})
