import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import type { Question } from "../../../src/domain/Question.ts"
import { inTerminal, keys, type Session } from "./inTerminal.ts"
import { harmless, question } from "./question.ts"

const program = fileURLToPath(new URL("askOnce.ts", import.meta.url))

interface Asked {
  readonly answer: unknown
  readonly touched: number
}

const asking = async (
  asked: Question,
  talk: (session: Session) => Promise<void>,
  options: {
    readonly env?: Record<string, string>
    readonly withdrawAfter?: number
    readonly timeLimit?: number
    readonly times?: number
  } = {}
): Promise<{ readonly code: number; readonly asked: Asked | undefined; readonly raw: string }> => {
  const folder = mkdtempSync(path.join(tmpdir(), "toolgate-ask-"))
  const file = path.join(folder, "answer.json")
  const { HOME = "/", PATH = "" } = process.env
  const { timeLimit = "", times = 1, withdrawAfter = "" } = options
  const session = inTerminal(
    process.execPath,
    [program, JSON.stringify(asked), file, `${withdrawAfter}`, `${timeLimit}`, `${times}`],
    { cwd: folder, env: { HOME, PATH, TERM: "xterm-256color", LANG: "C.UTF-8", ...options.env } }
  )
  await talk(session)
  const code = await session.exit
  const found = code === 0 ? JSON.parse(readFileSync(file, "utf8")) : undefined
  rmSync(folder, { recursive: true })
  return { code, asked: found, raw: session.raw() }
}

const choose = (downs: number) => async (session: Session) => {
  await session.sees("Deny, and say why")
  for (let count = 0; count < downs; count++) session.types(keys.down)
  session.types(keys.enter)
}

describe.concurrent("layerTerminal", () => {
  const answers = [
    ["allow once", 0, { _tag: "Once" }],
    ["allow for the session", 1, { _tag: "Always", destination: "session" }],
    ["allow for the project", 2, { _tag: "Always", destination: "localSettings" }],
    ["allow everywhere", 3, { _tag: "Always", destination: "userSettings" }],
    ["deny", 4, { _tag: "Denied" }]
  ] as const
  for (const [title, downs, answer] of answers) {
    it(`a person can ${title}`, async () => {
      const { asked } = await asking(harmless, choose(downs))
      assert.deepStrictEqual(asked, { answer, touched: 1 })
    })
  }

  it("a person can deny and say why", async () => {
    const { asked } = await asking(harmless, async (session) => {
      await choose(5)(session)
      await session.sees("Why not?")
      session.types("not on a Friday")
      await session.sees("not on a Friday")
      session.types(keys.enter)
    })
    assert.deepStrictEqual(asked?.answer, { _tag: "Denied", reason: "not on a Friday" })
  })

  it("Enter alone never permits what destroys something", async () => {
    const { asked } = await asking(question, choose(0))
    assert.deepStrictEqual(asked?.answer, { _tag: "Denied" })
  })

  for (const [name, key] of [["Escape", keys.escape], ["Ctrl-D", keys.ctrlD]] as const) {
    it(`${name} denies`, async () => {
      const { asked } = await asking(harmless, async (session) => {
        await session.sees("Deny, and say why")
        session.types(key)
      })
      assert.deepStrictEqual(asked?.answer, { _tag: "Denied" })
    })
  }

  it("Ctrl-C interrupts the program, and the terminal is as before", async () => {
    const { code, raw } = await asking(harmless, async (session) => {
      await session.sees("Deny, and say why")
      session.types(keys.ctrlC)
    })
    assert.strictEqual(code, 130)
    assert.isAbove(raw.lastIndexOf("\u001B[?25h"), raw.lastIndexOf("\u001B[?25l"))
  })

  it("what was typed before the question answers nothing", async () => {
    const { asked } = await asking(harmless, async (session) => {
      session.types(`${keys.enter}${keys.enter}`)
      await choose(4)(session)
    })
    assert.deepStrictEqual(asked?.answer, { _tag: "Denied" })
  })

  it("a question that is taken back goes off the screen and gives the cursor back", async () => {
    const { asked, raw } = await asking(harmless, async () => {}, { withdrawAfter: 1500 })
    assert.deepStrictEqual(asked, { answer: "withdrawn", touched: 0 })
    assert.match(raw, /\u001B\[\d+A\u001B\[J\u001B\[\?25h/)
    assert.isAbove(raw.lastIndexOf("\u001B[?25h"), raw.lastIndexOf("\u001B[?25l"))
  })

  it("questions of several calls come one after the other", async () => {
    const { asked } = await asking(harmless, async (session) => {
      const first = await session.sees("Deny, and say why")
      assert.strictEqual(first.split("wants to run").length, 2)
      session.types(keys.enter)
      await session.sees("Deny, and say why")
      for (let count = 0; count < 4; count++) session.types(keys.down)
      session.types(keys.enter)
    }, { times: 2 })
    assert.deepStrictEqual(asked, { answer: [{ _tag: "Once" }, { _tag: "Denied" }], touched: 2 })
  })

  it("a time limit counts as nobody's answer", async () => {
    const { asked } = await asking(harmless, async () => {}, { timeLimit: 1500 })
    assert.deepStrictEqual(asked, { answer: { _tag: "Nobody", why: "nobody answered in time" }, touched: 0 })
  })

  it("what was left out can be looked at, and Enter alone does so first", async () => {
    const content = Array.from({ length: 90 }, (_, index) => `row ${index}.`).join("\n")
    const { asked } = await asking({ ...harmless, tool: "Write", input: { content } }, async (session) => {
      const before = await session.sees("hidden rows first")
      assert.notInclude(before, "row 60.")
      session.types(keys.enter)
      assert.include(await session.sees("Deny, and say why"), "row 60.")
      session.types(keys.enter)
    })
    assert.deepStrictEqual(asked?.answer, { _tag: "Once" })
  })

  it("nothing that the model wrote reaches the terminal as a command", async () => {
    const command = "echo \u001B[2K\u001B[1A\r\u202Ehsilbup\u202C; npm publish"
    const { raw } = await asking({ ...harmless, input: { command } }, choose(4))
    assert.include(raw, "echo <ESC>[2K<ESC>[1A<CR><U+202E>hsilbup<U+202C>; npm publish")
    assert.notInclude(raw, "\u202E")
  })

  it("shows no colours with NO_COLOR", async () => {
    const coloured = await asking(question, choose(0))
    const bare = await asking(question, choose(0), { env: { NO_COLOR: "1" } })
    assert.match(coloured.raw, /\u001B\[[0-9;]+m/)
    assert.notMatch(bare.raw, /\u001B\[[0-9;]*m/)
  })

  for (const env of [{ TOOLGATE_PLAIN: "1" }, { TERM: "dumb" }]) {
    it(`with ${Object.keys(env)[0]} it is a numbered list without any escape sequence`, async () => {
      const { asked, raw } = await asking(harmless, async (session) => {
        await session.sees("from 1 to 6: ")
        session.types("9\r")
        await session.sees("Please answer")
        session.types("66\u007F\r")
        await session.sees("Why not?")
        session.types("no\r")
      }, { env })
      assert.deepStrictEqual(asked, { answer: { _tag: "Denied", reason: "no" }, touched: 1 })
      assert.notInclude(raw.replaceAll("\b \b", ""), "\u001B")
    })
  }

  it("without a terminal nobody is asked, at once", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "toolgate-ask-"))
    const file = path.join(folder, "answer.json")
    // Detached, so that the terminal of whoever runs the tests is left behind.
    const child = spawn(process.execPath, [program, JSON.stringify(harmless), file], {
      stdio: "ignore",
      detached: true
    })
    await new Promise((resolve) => child.on("close", resolve))
    assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), {
      answer: { _tag: "Nobody", why: "there is no terminal to ask at" },
      touched: 0
    })
    rmSync(folder, { recursive: true })
  })
})
