import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { inTerminal } from "./inTerminal.ts"
import { question } from "./question.ts"

const program = fileURLToPath(new URL("askOnce.ts", import.meta.url))

describe("the prompt as the documentation shows it", () => {
  for (const file of ["README.md", "docs/hooks.md"]) {
    it(`${file} shows what a terminal of 80 columns shows`, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "toolgate-capture-"))
      const { HOME = "/", PATH = "" } = process.env
      const session = inTerminal(
        process.execPath,
        [program, JSON.stringify(question), path.join(folder, "answer"), "", "", "1"],
        { cwd: folder, env: { HOME, PATH, TERM: "xterm-256color", LANG: "C.UTF-8" } }
      )
      const seen = await session.sees("Deny, and say why")
      session.kill("SIGKILL")
      await session.exit
      rmSync(folder, { recursive: true })
      const screen = seen.split("\n").map((line) => line.trimEnd()).join("\n").trim()
      assert.include(readFileSync(file, "utf8"), screen)
    })
  }
})
