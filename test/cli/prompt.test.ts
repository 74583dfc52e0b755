import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { inTerminal, keys, type Session } from "../layers/approver/inTerminal.ts"
import { main, makePlace, type Place } from "./runToolgate.ts"

/** Runs a shell line at a terminal, in a place of its own. */
const atTerminal = async (
  line: string,
  talk: (session: Session, place: Place) => Promise<void>,
  size: { readonly columns?: number } = {}
) => {
  const place = makePlace()
  const env = { ...place.env, NODE: process.execPath, MAIN: main }
  const session = inTerminal("bash", ["-c", line], { cwd: place.cwd, env, ...size })
  await talk(session, place)
  const code = await session.exit
  return { code, place, raw: session.raw() }
}

const toolgate = "\"$NODE\" \"$MAIN\""
const touch = (name: string) => `'{"command":"touch ${name}"}'`

const choose = async (session: Session, downs: number) => {
  await session.sees("Deny, and say why")
  for (let count = 0; count < downs; count++) session.types(keys.down)
  session.types(keys.enter)
}

describe.concurrent("toolgate call at a terminal", () => {
  it("asks, and runs what was allowed once", async () => {
    const { code, place } = await atTerminal(`${toolgate} call Bash ${touch("made")}`, (session) => choose(session, 0))
    assert.strictEqual(code, 0)
    assert.isTrue(existsSync(path.join(place.cwd, "made")))
    place.remove()
  })

  it("asks although its input came through a pipe and its output goes to a file", async () => {
    const line = `echo ${touch("made")} | ${toolgate} call Bash - --json > out.json 2> err.txt`
    const { code, place } = await atTerminal(line, (session) => choose(session, 0))
    assert.strictEqual(code, 0)
    assert.isTrue(existsSync(path.join(place.cwd, "made")))
    const { outcome } = JSON.parse(readFileSync(path.join(place.cwd, "out.json"), "utf8"))
    assert.deepStrictEqual([outcome, readFileSync(path.join(place.cwd, "err.txt"), "utf8")], ["done", ""])
    place.remove()
  })

  it("does not run what was denied, and hands the reason on", async () => {
    const { code, place } = await atTerminal(
      `${toolgate} call Bash ${touch("made")} --json > out.json`,
      async (session) => {
        await choose(session, 5)
        await session.sees("Why not?")
        session.types("use another name\r")
      }
    )
    assert.strictEqual(code, 3)
    assert.isFalse(existsSync(path.join(place.cwd, "made")))
    assert.include(readFileSync(path.join(place.cwd, "out.json"), "utf8"), "use another name")
    place.remove()
  })

  it("saves what is always allowed where the person wants it, and does not ask again", async () => {
    // Local settings are the person's own in a checkout alone.
    const line = `mkdir .git && touch .git/HEAD && ${toolgate} call Bash ${touch("one")} && ${toolgate} call Bash ${
      touch("one")
    } && echo twice`
    const always = async (downs: number) => {
      const { code, place } = await atTerminal(line, async (session) => {
        await choose(session, downs)
        await session.sees("twice")
      })
      assert.strictEqual(code, 0)
      return place
    }
    ;(await always(1)).remove()
    const local = await always(2)
    assert.include(readFileSync(path.join(local.cwd, ".claude/settings.local.json"), "utf8"), "Bash(touch")
    local.remove()
    const user = await always(3)
    assert.include(readFileSync(path.join(user.home, ".claude/settings.json"), "utf8"), "Bash(touch")
    user.remove()
  })

  for (
    const [title, code, end] of [
      ["Ctrl-C", 130, "\u0003"],
      ["SIGTERM", 143, undefined]
    ] as const
  ) {
    it(
      `${title} at the question ends the call with its result and ${code}, and the terminal is as before`,
      async () => {
        const line = `${toolgate} call Bash ${touch("made")} --json > out.json & echo $! > pid; fg > /dev/null; ` +
          "code=$?; stty -a > tty.txt; exit $code"
        const ran = await atTerminal(`set -m; ${line}`, async (session, place) => {
          await session.sees("Deny, and say why")
          if (end !== undefined) return session.types(end)
          process.kill(Number(readFileSync(path.join(place.cwd, "pid"), "utf8")), "SIGTERM")
        })
        assert.strictEqual(ran.code, code)
        const { outcome, result } = JSON.parse(readFileSync(path.join(ran.place.cwd, "out.json"), "utf8"))
        assert.deepStrictEqual([outcome, result.is_error], ["stopped", true])
        assert.isFalse(existsSync(path.join(ran.place.cwd, "made")))
        assert.match(readFileSync(path.join(ran.place.cwd, "tty.txt"), "utf8"), /(^|\s)isig icanon iexten echo\s/)
        assert.isAbove(ran.raw.lastIndexOf("\u001B[?25h"), ran.raw.lastIndexOf("\u001B[?25l"))
        ran.place.remove()
      }
    )
  }

  it("shows the result once, and progress on a line that goes away", async () => {
    const command = "echo early; until [ -e go ]; do sleep 0.1; done; echo late"
    const line = `${toolgate} call Bash '{"command":"${command}"}' --allowed-tools Bash`
    const { code, place, raw } = await atTerminal(line, async (session, { cwd }) => {
      await session.sees("early")
      writeFileSync(path.join(cwd, "go"), "")
      await session.sees("late\n")
    })
    assert.strictEqual(code, 0)
    assert.match(raw, /\r\u001B\[2Kearly[^]*\r\u001B\[2Kearly\r?\nlate\r?\n$/)
    place.remove()
  })

  it("lets no output of a tool command the terminal", async () => {
    const line =
      `${toolgate} call Bash '{"command":"printf \\"a\\\\007b\\\\033]0;title\\\\007c\\""}' --allowed-tools Bash`
    const { code, place, raw } = await atTerminal(line, async (session) => {
      await session.sees("c\n")
    })
    assert.strictEqual(code, 0)
    assert.notMatch(raw, /\u0007|\u001B\]/)
    place.remove()
  })

  it("breaks what it says of itself between words, and leaves it on one line for a file", async () => {
    const call = `${toolgate} call Read '{"file":1}'`
    const whole = /^toolgate: the input of `Read` is not valid: .* `file_path`: .*; see `toolgate tools`\n$/
    for (const columns of [80, 40]) {
      const { code, place, raw } = await atTerminal(
        `${call} 2> err.txt; ${call}`,
        async (session) => void await session.sees("see `toolgate"),
        { columns }
      )
      assert.strictEqual(code, 2)
      const told = readFileSync(path.join(place.cwd, "err.txt"), "utf8")
      assert.match(told, whole)
      const rows = raw.trimEnd().split("\r\n")
      assert.isAbove(rows.length, 1)
      assert.isTrue(rows.every((row) => row.length < columns && /^(?:toolgate: | {10})\S/.test(row)), raw)
      assert.strictEqual(`${rows.map((row) => row.trim()).join(" ")}\n`, told)
      place.remove()
    }
  })

  it("--help has colours at a terminal, and none with NO_COLOR", async () => {
    const { place, raw } = await atTerminal(
      `${toolgate} call --help`,
      async (session) => void await session.sees("Examples")
    )
    assert.match(raw, /\u001B\[1m/)
    place.remove()
    const bare = await atTerminal(
      `NO_COLOR=1 ${toolgate} call --help`,
      async (session) => void await session.sees("Examples")
    )
    assert.notInclude(bare.raw, "\u001B")
    bare.place.remove()
  })
})
