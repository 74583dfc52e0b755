import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import type { ShellLine, SimpleCommand, Word } from "../../../src/domain/ShellCommand.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { dice, list, startable } from "./shellLines.ts"

/** How many lines bash runs; `DIFFERENTIAL_LINES` asks for another number, such as 20000 before a release. */
const count = Number(process.env["DIFFERENTIAL_LINES"] ?? 2_000)

interface Started {
  readonly directory: string
  readonly words: ReadonlyArray<string>
}

/** Says whether a command of ours may have become these words. */
const fits = (command: ReadonlyArray<Word>, words: ReadonlyArray<string>): boolean => {
  const from = (at: number, seen: number): boolean => {
    const word = command[at]
    if (word === undefined) return seen === words.length
    if (word.splits) {
      for (let next = seen; next <= words.length; next++) if (from(at + 1, next)) return true
      return false
    }
    const text = words[seen]
    return text !== undefined && fitsWord(word, text) && from(at + 1, seen + 1)
  }
  return from(0, 0)
}

const fitsWord = (word: Word, text: string): boolean => {
  if (word.tilde === true) return text === `/home/someone${word.known[0].slice(1)}` || text === word.value
  if (word.value !== undefined) return word.value === text
  const pieces = word.known.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${pieces.join("[\\s\\S]*")}$`).test(text)
}

const everyCommand = (line: ShellLine): ReadonlyArray<SimpleCommand> => {
  const all: Array<SimpleCommand> = []
  const add = (command: SimpleCommand): void => {
    all.push(command)
    command.inner.forEach(add)
  }
  line.commands.forEach(add)
  return all
}

/** Where bash itself gets the commands wrong, ours are others; that the line is refused is what counts. */
const mangled = /here-document inside a substitution/

const driver = `
command_not_found_handle() {
  builtin printf '%s\\0' "$NUMBER" "$PWD" "\${@//$'\\n'/$'\\3'}" $'\\1' >>"$LOG"
  return $(( \${#1} % 2 ))
}
export -f command_not_found_handle
v='va lue' v2=7
export NUMBER=-1
while IFS= read -r -d '' line; do
  NUMBER=$((NUMBER + 1))
  ( cd "$ROOM/work" || exit; eval "$line"; wait ) </dev/null >/dev/null 2>&1
done <"$ROOM/lines"
`

const programsOfSystem = ["bash", "sh", "timeout", "env", "nice", "xargs", "nohup", "find", "setsid", "cat"]

const locate = (name: string): string | undefined =>
  ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map((folder) => `${folder}/${name}`).find((path) =>
    existsSync(path)
  )

/** Runs every line in a scratch folder and returns what each one started. */
const run = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Started>> => {
  const room = realpathSync(mkdtempSync(join(tmpdir(), "lines-")))
  try {
    for (const folder of ["bin", "work/one/three", "work/two"]) mkdirSync(join(room, folder), { recursive: true })
    for (const name of programsOfSystem) {
      const path = locate(name)
      if (path !== undefined) symlinkSync(path, join(room, "bin", name))
    }
    for (const name of startable) {
      const path = join(room, "bin", name)
      writeFileSync(
        path,
        `#!${locate("bash")}\nprintf '%s\\0' "$NUMBER" "$PWD" ${name} "\${@//$'\\n'/$'\\3'}" $'\\1' >>"$LOG"\n`
      )
      chmodSync(path, 0o755)
    }
    writeFileSync(join(room, "lines"), lines.map((line) => `${line}\0`).join(""))
    writeFileSync(join(room, "log"), "")
    spawnSync(locate("bash") ?? "bash", ["--norc", "--noprofile", "-c", driver], {
      env: { PATH: join(room, "bin"), LC_ALL: "C.UTF-8", HOME: "/home/someone", LOG: join(room, "log"), ROOM: room },
      stdio: "ignore",
      cwd: join(room, "work"),
      timeout: 500_000 + count * 60
    })
    const started: Array<Array<Started>> = lines.map(() => [])
    for (const record of readFileSync(join(room, "log"), "utf8").split("\u0001\0").slice(0, -1)) {
      const [number = "", directory = "", ...words] = record.replaceAll("\u0003", "\n").split("\0").slice(0, -1)
      started[Number(number)]?.push({ directory: relative(join(room, "work"), directory) || ".", words })
    }
    return started
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}

const directories = (command: SimpleCommand): ReadonlyArray<string> | undefined =>
  command.directory === undefined
    ? undefined
    : [command.directory, ...command.elsewhere ?? []]

describe("readLine beside bash", () => {
  it("lists every command that bash really starts, where it starts it", { timeout: 600_000 + count * 80 }, () => {
    const bash = locate("bash") ?? "bash"
    assert.match(execFileSync(bash, ["-c", "echo $BASH_VERSION"], { encoding: "utf8" }), /^[3-9]/)
    const seed = 20_261
    const lines = Array.from(
      { length: count },
      (_, index) => list(dice(seed + index), 2)
    )
    const runs = run(lines)
    assert.strictEqual(runs.length, lines.length)
    const missing: Array<string> = []
    let starts = 0
    let refused = 0
    lines.forEach((text, index) => {
      const line = readLine(text)
      const commands = everyCommand(line)
      if (line.refused !== undefined) refused++
      for (const started of runs[index] ?? []) {
        starts++
        if (line.refused !== undefined && mangled.test(line.refused)) continue
        const found = commands.filter((command) => fits(command.words, started.words))
        const there = found.some((command) => directories(command)?.includes(started.directory) ?? true)
        if (found.length === 0) {
          missing.push(`${JSON.stringify(text)} started ${JSON.stringify(started.words)} ${line.refused}`)
        } else if (!there) {
          missing.push(`${JSON.stringify(text)} was in ${started.directory} for ${JSON.stringify(started.words)}`)
        }
      }
    })
    assert.deepStrictEqual(missing.slice(0, 20), [])
    assert.isAbove(starts, count * 2.5)
    assert.isBelow(refused / lines.length, 0.1)
  })
})
