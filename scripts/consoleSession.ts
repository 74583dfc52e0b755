/**
 * Runs the commands of a `console` example and compares what they print.
 */
import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"

interface Step {
  readonly command: string
  readonly output: string
}

const end = "--- end of a step ---"

const normal = (text: string) => text.replace(/[ \t]+$/gm, "").replace(/\s+$/, "")

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const matches = (expected: string, actual: string) =>
  new RegExp(`^${expected.split("…").map(literally).join("[^]*?")}$`).test(actual)

/** Runs the steps in one shell, in a scratch copy of the project with a home of its own. */
export const consoleSession = (steps: ReadonlyArray<Step>): void => {
  const scratch = mkdtempSync(join(tmpdir(), "toolgate-console-"))
  const project = join(scratch, "toolgate")
  const bin = join(scratch, "bin")
  const home = join(scratch, "home")
  try {
    for (const folder of [project, bin, home]) mkdirSync(folder)
    for (const entry of ["package.json", "README.md", "LICENSE", "src"]) {
      cpSync(entry, join(project, entry), { recursive: true })
    }
    symlinkSync(resolve("node_modules"), join(project, "node_modules"))
    const main = resolve("src/cli/main.ts")
    writeFileSync(join(bin, "toolgate"), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
    chmodSync(join(bin, "toolgate"), 0o755)

    const script = steps.map(({ command }) => `${command}\necho; echo '${end}'\n`).join("")
    const { stdout } = spawnSync("bash", ["-c", `exec 2>&1\n${script}`], {
      cwd: project,
      encoding: "utf8",
      env: { PATH: [bin, process.env.PATH].join(delimiter), HOME: home, LANG: "C.UTF-8", NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      // Sooner than the limit of a test, which could not end it.
      timeout: 500_000
    })

    const printed = stdout.split(`${end}\n`)
    steps.forEach(({ command, output }, index) => {
      const actual = normal(printed[index] ?? "")
      if (!matches(normal(output), actual)) assert.strictEqual(actual, normal(output), `$ ${command}`)
    })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
