import { assert, describe, it } from "@effect/vitest"
import { readLine } from "../../../src/permission/bash/readLine.ts"
import { processorMillis } from "../../support/processorMillis.ts"
import { type Dice, dice, list } from "./shellLines.ts"

/** How many mutated lines are read; `FUZZ_LINES` asks for another number, such as 200000 before a release. */
const count = Number(process.env["FUZZ_LINES"] ?? 20_000)

const tokens = [
  "$(",
  ")",
  "`",
  "\"",
  "'",
  "${",
  "}",
  "<<E\n",
  "\nE\n",
  "<(",
  ">(",
  "((",
  "))",
  "[[ ",
  " ]]",
  "$'",
  "\\",
  "\\\n",
  "{",
  "{a,",
  "..",
  "$((",
  "2>",
  ">&",
  "&",
  "&&",
  "||",
  ";",
  ";;",
  "|",
  "if ",
  "then ",
  "fi",
  "for i in ",
  "do ",
  "done",
  "case x in ",
  "esac",
  "f() {",
  "!",
  "time ",
  "coproc ",
  "#",
  "~",
  "*",
  "?",
  "[",
  "]",
  "@(",
  "a[",
  "]=",
  "=",
  "\n",
  "\r",
  "\0",
  "\u2028",
  "\ud800",
  "é",
  "😀",
  "bash -c ",
  "eval ",
  "sudo -Z ",
  "xargs -I{} ",
  "find . -exec ",
  " {} +",
  "git -c alias.x=!",
  "cd ",
  "nice -",
  "env -S",
  "su -c ",
  "<<-'E'\n",
  "$x",
  "function ",
  "select ",
  "while ",
  "until ",
  "${x@P}",
  "${!x}",
  "<<<",
  "<>",
  "&>",
  "|&",
  "esac;",
  "-",
  "--",
  "timeout 1 "
]

const mutate = (text: string, draw: Dice): string => {
  let mutated = text
  for (let count = 1 + draw.below(4); count > 0; count--) {
    const at = draw.below(mutated.length + 1)
    const to = Math.min(mutated.length, at + draw.below(6))
    switch (draw.below(4)) {
      case 0:
        mutated = mutated.slice(0, at) + mutated.slice(to)
        break
      case 1:
        mutated = mutated.slice(0, at) + mutated.slice(at, to) + mutated.slice(at)
        break
      case 2:
        mutated = mutated.slice(0, at) + draw.pick(tokens) + mutated.slice(to)
        break
      default:
        mutated = mutated.slice(0, at) + draw.pick(tokens) + mutated.slice(at)
    }
  }
  return mutated
}

/** Says whether a text takes longer, tried again since garbage may be collected at any time. */
const takesLonger = (text: string, milliseconds: number): boolean =>
  Array.from({ length: 4 }).every(() => processorMillis(() => readLine(text)) > milliseconds)

describe("readLine under mutation", () => {
  it("neither throws nor takes long on mutated lines", { timeout: 600_000 + count * 10 }, () => {
    const slow: Array<string> = []
    for (let seed = 0; seed < count; seed++) {
      const draw = dice(seed * 7 + 1)
      const text = draw.chance(15)
        ? Array.from({ length: draw.below(14) }, () => draw.pick(tokens)).join("")
        : mutate(list(draw, 2), draw)
      if (takesLonger(text, 50)) slow.push(text)
    }
    assert.deepStrictEqual(slow, [])
  })

  it("takes a time in proportion to the length, up to 100,000 characters", () => {
    const slow: Array<string> = []
    const units = [
      ...tokens,
      "a ",
      "nice ",
      "sudo -Z ",
      "a; ",
      "a | ",
      "$(a ",
      "`a",
      "{a,b}",
      "((a",
      "if a; then ",
      "{ ",
      "( ",
      "f() { ",
      "<<A ",
      "a[$(",
      "${a:-",
      "\"$(",
      "'$(",
      "[[ a && ",
      "<(a ",
      "case a in b) ",
      "while a; do ",
      "timeout 1 ",
      "bash -c '",
      "eval \"",
      "xargs ",
      "x=1 ",
      "a\\\n",
      "git -C a ",
      "git -Z ",
      "docker run ",
      "cd a; ",
      "cd a && ",
      "f() { f; }; ",
      "$x ",
      "/bin/a ",
      "/bin/sudo -Z ",
      "trap '",
      "! ",
      "time ",
      "find . -exec ",
      "for i in a; do cd b; ",
      "'a' ",
      "\"a\" ",
      "$(cd a; ",
      "echo a | sh; ",
      "bash -c 'bash -c a'; ",
      "env -S ",
      "flock ",
      "((A=1)); ",
      "export A=1 ",
      "read A; ",
      "for A in a b; do ",
      "a[A=1]=",
      "docker -a ",
      "su -Z "
    ]
    const renaming = Array.from({ length: 8_000 }, (_, index) => `mv a${index} b`).join("\n")
    if (takesLonger(renaming, 1_500)) slow.push("renaming")
    for (const unit of units) {
      if (takesLonger(unit.repeat(Math.floor(100_000 / unit.length)), 1_500)) slow.push(`${JSON.stringify(unit)}, long`)
      if (takesLonger(unit.repeat(Math.floor(10_000 / unit.length)), 150)) slow.push(`${JSON.stringify(unit)}, short`)
    }
    assert.deepStrictEqual(slow, [])
  })
})
