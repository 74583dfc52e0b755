import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { SimpleCommand, Word } from "../../../src/domain/ShellCommand.ts"
import { readLine } from "../../../src/permission/bash/readLine.ts"

interface Snippet {
  readonly snippet: string
  readonly bash_n_ok: boolean
  /** Bash's own words after quote removal, with `⟨⟩` for an expansion; none where bash itself could not say. */
  readonly commands: ReadonlyArray<ReadonlyArray<string>> | null
}

const snippets: ReadonlyArray<Snippet> = readFileSync(
  new URL("../../fixtures/shell/snippets.jsonl", import.meta.url),
  "utf8"
).trimEnd().split("\n").map((line) => JSON.parse(line))

const fitsWord = (theirs: string, ours: Word): boolean => {
  if (ours.value !== undefined) return theirs === ours.value
  const pieces = ours.known.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${pieces.join("[\\s\\S]*")}$`).test(theirs)
}

const fits = (theirs: ReadonlyArray<string>, ours: ReadonlyArray<Word>): boolean => {
  const from = (at: number, seen: number): boolean => {
    const text = theirs[at]
    const word = ours[seen]
    if (text === undefined) return ours.slice(seen).every((rest) => rest.splits)
    if (word === undefined) return false
    if (fitsWord(text, word) && from(at + 1, seen + 1)) return true
    // Their words are those before brace expansion, ours those after it.
    let end = seen
    while (ours[end]?.source === word.source) end++
    return /\{[\s\S]*[,.][\s\S]*\}/.test(text) && from(at + 1, end)
  }
  return from(0, 0)
}

const everyCommand = (commands: ReadonlyArray<SimpleCommand>): ReadonlyArray<SimpleCommand> =>
  commands.flatMap((command) => [command, ...everyCommand(command.inner)])

describe("readLine on lines made to mislead", () => {
  it("finds every command that bash finds wherever it understands the line", () => {
    const missed = snippets.flatMap(({ commands, snippet }) => {
      const line = readLine(snippet)
      const ours = everyCommand(line.commands)
      if (line.refused !== undefined) return []
      return (commands ?? []).filter((theirs) => theirs.length > 0 && !ours.some(({ words }) => fits(theirs, words)))
        .map((theirs) => `${JSON.stringify(snippet)}: ${JSON.stringify(theirs)}`)
    })
    assert.deepStrictEqual(missed, [])
  })

  it("finds the name of every command even where it refuses the line", () => {
    const missed = snippets.flatMap(({ commands, snippet }) => {
      const ours = everyCommand(readLine(snippet).commands)
      return (commands ?? []).filter(([name]) =>
        name !== undefined && !ours.some(({ words: [program] }) => program !== undefined && fitsWord(name, program))
      ).map(([name]) => `${JSON.stringify(snippet)}: ${name}`)
    })
    // Process substitutions glued to a name: the name is cut, what is in the substitution is found.
    assert.isAtMost(missed.length, 3, missed.join("\n"))
  })

  it("accepts no more than a few lines that bash rejects, and refuses few that it takes", () => {
    const refused = (valid: boolean): number =>
      snippets.filter(({ bash_n_ok, snippet }) => bash_n_ok === valid && readLine(snippet).refused !== undefined).length
    const count = (valid: boolean): number => snippets.filter(({ bash_n_ok }) => bash_n_ok === valid).length
    assert.isAtMost(count(false) - refused(false), 6)
    assert.isAtMost(refused(true), 90)
  })
})
