/**
 * What a change did to a text, in lines.
 *
 * @since 0.1.0
 */
import * as TextDiff from "effect/TextDiff"

/**
 * One run of changed lines with those around it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: ReadonlyArray<string>
}

/**
 * A change: how many lines came and went, and the runs. Of a very large change
 * the runs are left out, from where they get too long.
 *
 * @category models
 * @since 0.1.0
 */
export interface Patch {
  readonly added: number
  readonly removed: number
  readonly hunks: ReadonlyArray<Hunk>
}

/**
 * Compares two texts line by line.
 *
 * @category constructors
 * @since 0.1.0
 */
export const patchOf = (before: string, after: string): Patch => {
  const changed = changedLines(before, after)
  // Comparing two long texts that have little in common takes too long to be of use.
  if (changed.removed + changed.added > mostLines) return { ...changed, hunks: [] }
  const edits = TextDiff.lines(before, after, { maxEdits: 1_000 })
  const count = (tag: "Insert" | "Delete") =>
    edits.reduce((sum, edit) => edit._tag === tag ? sum + edit.items.length : sum, 0)
  return { added: count("Insert"), removed: count("Delete"), hunks: fitting(hunksOf(TextDiff.unified(edits))) }
}

const mostLines = 10_000

const mostChars = 30_000

const fitting = (hunks: ReadonlyArray<Hunk>): ReadonlyArray<Hunk> => {
  let chars = 0
  const end = hunks.findIndex(({ lines }) => {
    chars += lines.reduce((sum, line) => sum + line.length + 1, 0)
    return chars > mostChars
  })
  return end === -1 ? hunks : hunks.slice(0, end)
}

/** How many lines there are between the beginning and the end that both have in common. */
const changedLines = (before: string, after: string): { readonly removed: number; readonly added: number } => {
  const a = before.split("\n")
  const b = after.split("\n")
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return { removed: a.length - start - end, added: b.length - start - end }
}

/**
 * Shows a change as a model reads it, cut where it is long.
 *
 * @category rendering
 * @since 0.1.0
 */
export const showPatch = ({ hunks }: Patch, limit = 4_000): string => {
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((line) => line.length > 300 ? `${line.slice(0, 300).toWellFormed()}…` : line.replace(/\r$/, ""))
  ])
  let length = 0
  const fitting = lines.findIndex((line) => (length += line.length + 1) > limit)
  return fitting === -1
    ? lines.join("\n")
    : [...lines.slice(0, fitting), `… ${lines.length - fitting} more lines of this diff`].join("\n")
}

const hunksOf = (unified: string): ReadonlyArray<Hunk> => {
  const hunks: Array<Hunk & { readonly lines: Array<string> }> = []
  for (const line of unified.split("\n")) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (header !== null) {
      const [, oldStart, oldLines = "1", newStart, newLines = "1"] = header
      hunks.push({
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
        lines: []
      })
    } else if (line !== "") {
      hunks.at(-1)?.lines.push(line)
    }
  }
  return hunks
}
