import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import * as path from "node:path"
import * as Output from "../../src/cli/Output.ts"
import { isAlive } from "../support/processes.ts"
import { main, makePlace, type Place, runToolgate } from "./runToolgate.ts"

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Output.StreamLine))

describe("a call that is told to stop", () => {
  let place: Place
  beforeAll(() => {
    place = makePlace()
  })
  afterAll(() => place.remove())

  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    it(`still answers with one result at ${signal}, leaves no child and ends with ${code}`, async () => {
      const command = `sleep 300 & echo $! > ${signal}.pid; echo started; wait`
      const args = ["call", "Bash", JSON.stringify({ command }), "--allowed-tools", "Bash", "--output", "stream-json"]
      let sent = false
      const ran = await runToolgate(place, args, {
        onStdout: (text, kill) => {
          if (sent || !text.includes("started\\n")) return
          sent = true
          kill(signal)
        }
      })
      assert.strictEqual(ran.code, code, ran.stderr)
      const events = ran.stdout.trimEnd().split("\n").map((line) => decodeLine(line))
      const finished = events.flatMap((event) => event._tag === "Finished" ? [event] : [])
      assert.deepStrictEqual(finished.map((event) => [event.outcome, event.result.is_error]), [["stopped", true]])
      assert.match(String(finished[0]?.result.content), /^started\n(The person interrupted|This call was cancelled)/)
      assert.isFalse(isAlive(Number(readFileSync(path.join(place.cwd, `${signal}.pid`), "utf8"))))
    })
  }

  it("prints what the command had printed by then", async () => {
    const command = "seq 1 20000; touch printed; sleep 300"
    const args = [main, "call", "Bash", JSON.stringify({ command }), "--allowed-tools", "Bash"]
    const child = spawn(process.execPath, args, { cwd: place.cwd, env: place.env, detached: true })
    let stdout = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    const waiting = setInterval(() => {
      if (!existsSync(path.join(place.cwd, "printed"))) return
      clearInterval(waiting)
      child.kill("SIGINT")
    }, 50)
    await new Promise((resolve) => child.on("close", resolve))
    assert.match(stdout, /^1\n2\n.* characters left out .*\n20000\nthe full output is in \S+\nThe person interrupted/s)
    const [, file = ""] = /the full output is in (\S+)/.exec(stdout) ?? []
    assert.isTrue(readFileSync(file, "utf8").endsWith("\n19999\n20000\n"))
  })

  it("ends when it is told so again, though nobody takes the rest of its output", async () => {
    const command = Array.from({ length: 2000 }, (_, nth) => `ls ${nth}`).join(" && ")
    const args = [main, "check", "Bash", JSON.stringify({ command }), "--json"]
    const child = spawn(process.execPath, args, { cwd: place.cwd, env: place.env, detached: true })
    await new Promise((resolve) => child.stdout.once("readable", resolve))
    const telling = setInterval(() => child.kill("SIGTERM"), 200)
    const code = await new Promise((resolve) => child.on("exit", resolve))
    clearInterval(telling)
    child.stdout.destroy()
    assert.strictEqual(code, 143)
  })

  it("stops, and quietly, when nobody reads its events any more", async () => {
    // It says so again and again, so that there is something to write when the reader is gone.
    const command = "echo $$ > talking.pid; while :; do echo talking; sleep 0.1; done"
    const args = [
      main,
      "call",
      "Bash",
      JSON.stringify({ command }),
      "--allowed-tools",
      "Bash",
      "--output",
      "stream-json"
    ]
    const child = spawn(process.execPath, args, { cwd: place.cwd, env: place.env, detached: true })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    let stdout = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
      if (stdout.includes("talking\\n")) child.stdout.destroy()
    })
    const code = await new Promise((resolve) => child.on("close", resolve))
    assert.deepStrictEqual([code, stderr], [141, ""])
    assert.isFalse(isAlive(Number(readFileSync(path.join(place.cwd, "talking.pid"), "utf8"))))
  })

  it("ends as it should when a reader takes only the first line of a result", async () => {
    const script = `"$NODE" "$MAIN" call Bash '{"command":"seq 1 100000"}' --allowed-tools Bash 2>err | head -n 1; ` +
      "echo \"${PIPESTATUS[0]}\"; grep -c toolgate err"
    const child = spawn("bash", ["-c", script], {
      cwd: place.cwd,
      env: { ...place.env, NODE: process.execPath, MAIN: main },
      detached: true
    })
    let stdout = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    await new Promise((resolve) => child.on("close", resolve))
    assert.strictEqual(stdout, "1\n0\n0\n")
  })
})
