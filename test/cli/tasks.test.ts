import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import * as Output from "../../src/cli/Output.ts"
import { until } from "../support/until.ts"
import { makePlace, type Place, runToolgate } from "./runToolgate.ts"

describe.concurrent("tasks of the command line", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
  })
  afterAll(() => place.remove())
  const call = (session: string, tool: string, input: object) =>
    runToolgate(place, ["call", tool, JSON.stringify(input), "--session", session, "--allowed-tools", "Bash TaskStop"])
  const there = (name: string) => Effect.runPromise(until(() => existsSync(path.join(place.cwd, name))))
  const idIn = (text: string): string => /task `([0-9a-f]{8})`/.exec(text)?.[1] ?? ""

  it("a command in the background outlives the process that began it, and others of the session know it", async () => {
    const command = "until [ -e go ]; do sleep 0.1; done; echo out; exit 7"
    const begun = await call("s", "Bash", { command, run_in_background: true })
    assert.strictEqual(begun.code, 0, begun.stderr)
    writeFileSync(path.join(place.cwd, "go"), "")
    const shown = await call("s", "TaskOutput", { task_id: idIn(begun.stdout) })
    assert.match(shown.stdout, /has ended with exit code 7\]\nout\n$/)
    const other = await call("t", "TaskOutput", { task_id: idIn(begun.stdout) })
    assert.deepStrictEqual([other.code, other.stderr.includes("there is no task")], [1, true], other.stderr)
  })

  it("so does one that reached its time limit, exit code included", async () => {
    const command = "echo a; until [ -e on ]; do sleep 0.1; done; echo b; exit 6"
    const begun = await call("limit", "Bash", { command, timeout: 300 })
    // A machine may be too busy to begin it in that time.
    assert.match(begun.stdout, /^(a\n)?\[still running after 300 ms, so it goes on in the background as the task `/)
    writeFileSync(path.join(place.cwd, "on"), "")
    const shown = await call("limit", "BashOutput", { task_id: idIn(begun.stdout) })
    assert.match(shown.stdout, /has ended with exit code 6\]\na\nb\n/)
  })

  it("another process ends a task under its old name as well", async () => {
    const begun = await call("old", "Bash", { command: "touch begun; sleep 500; touch ended", run_in_background: true })
    await there("begun")
    const stopped = await call("old", "KillShell", { shell_id: idIn(begun.stdout) })
    assert.match(stopped.stdout, /^stopped the task/)
    assert.match(stopped.stdout, /`KillShell` is deprecated, use `TaskStop`/)
    assert.isFalse(existsSync(path.join(place.cwd, "ended")))
  })

  it("the next call of the session is told of its end, once", async () => {
    const begun = await call("news", "Bash", { command: "sleep 1; exit 7", run_in_background: true })
    const id = idIn(begun.stdout)
    const note = `[note: the task \`${id}\` (\`sleep 1; exit 7\`) has ended with exit code 7; its output is in `
    let told = ""
    while (!told.includes("the task")) told = (await call("news", "Bash", { command: "true" })).stdout
    assert.include(told, note)
    const again = await call("news", "Bash", { command: "true" })
    assert.notInclude(again.stdout, "the task")
  })

  it("are listed for people and for programs, and ended", async () => {
    const begun = await call("list", "Bash", { command: "sleep 400; touch never", run_in_background: true })
    const id = idIn(begun.stdout)
    const tasks = (...args: ReadonlyArray<string>) => runToolgate(place, ["tasks", ...args, "--session", "list"])
    const running = await tasks()
    assert.match(running.stdout, new RegExp(`^${id}  running   [-0-9]{10} [:0-9]{8}  sleep 400; touch never\\n$`))
    const stopped = await tasks("stop", id)
    assert.deepStrictEqual([stopped.code, stopped.stdout], [0, `stopped \`${id}\`\n`])
    const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Output.TasksOutput))
    const [task] = decode((await tasks("--json")).stdout).tasks
    assert.deepInclude(task, { id, status: "ended", state: "was stopped" })
    const again = await tasks("stop", id)
    assert.deepStrictEqual([again.code, again.stderr], [1, `toolgate: the task \`${id}\` was stopped already\n`])
    assert.match((await tasks("stop", "none")).stderr, /there is no task `none` in this session/)
  })

  it("there are none where the environment says so", async () => {
    const args = [
      "call",
      "Bash",
      JSON.stringify({ command: "true", run_in_background: true }),
      "--allowed-tools",
      "Bash"
    ]
    const ran = await runToolgate(place, args, { env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" } })
    assert.strictEqual(ran.code, 1)
    assert.include(ran.stderr, "commands may not run in the background here")
  })
})
