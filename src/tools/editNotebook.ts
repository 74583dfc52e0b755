/**
 * Changes one cell in the text of a notebook.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { applyEdits, type JSONPath, modify, parse, type ParseError } from "jsonc-parser"
import { randomBytes } from "node:crypto"
import { quoted } from "./quoted.ts"

/**
 * What is to be changed. `cell` is an id, or `cell-N` for a place; when
 * inserting, the cell before.
 *
 * @category models
 * @since 0.1.0
 */
export interface CellChange {
  readonly mode: "replace" | "insert" | "delete"
  readonly cell: string | undefined
  readonly type: "code" | "markdown" | undefined
  readonly source: string
}

/**
 * Gives the new text and the name of the cell, or says in a clause why not.
 *
 * **Details**
 *
 * The text is edited and not written anew: numbers, order and layout of all that
 * is not changed stay as they are.
 *
 * @category combining
 * @since 0.1.0
 */
export const editNotebook = (
  text: string,
  change: CellChange
): Result.Result<{ readonly text: string; readonly cell: string }, string> => {
  const errors: Array<ParseError> = []
  const notebook: unknown = parse(text, errors, { disallowComments: true })
  const cells = Predicate.hasProperty(notebook, "cells") ? notebook.cells : undefined
  if (errors.length > 0 || !Array.isArray(cells)) return Result.fail("is not a notebook that can be read")

  const at = change.cell === undefined ? -1 : placeOf(cells, change.cell)
  if (at === undefined) return Result.fail(`has no cell ${quoted(change.cell ?? "")}`)
  if (at === "several") {
    return Result.fail(`has several cells ${quoted(change.cell ?? "")}, so that Edit has to be used`)
  }
  if (change.mode === "replace" && !isCell(cells[at])) {
    return Result.fail(`has something else than a cell at ${quoted(change.cell ?? "")}, which can only be deleted`)
  }
  const edit = editor(text)
  switch (change.mode) {
    case "delete":
      edit(["cells", at], undefined)
      return Result.succeed({ text: edit.text(), cell: nameOf(cells, at) })
    case "insert": {
      const cell = newCell(change, hasIds(notebook))
      edit(["cells", at + 1], cell, true)
      return Result.succeed({ text: edit.text(), cell: "id" in cell ? cell.id : `cell-${at + 1}` })
    }
    case "replace": {
      const type = change.type ?? (fieldOf(cells[at], "cell_type") === "code" ? "code" : "markdown")
      const was = fieldOf(cells[at], "cell_type")
      edit(["cells", at, "source"], linesOf(change.source))
      if (change.type !== undefined && change.type !== was) edit(["cells", at, "cell_type"], change.type)
      if (type === "code") {
        edit(["cells", at, "execution_count"], null)
        edit(["cells", at, "outputs"], [])
      } else if (was === "code") {
        edit(["cells", at, "execution_count"], undefined)
        edit(["cells", at, "outputs"], undefined)
      }
      // A field that is there twice counts where it comes last, and was changed where it came first.
      return sourceAt(edit.text(), at) === change.source
        ? Result.succeed({ text: edit.text(), cell: nameOf(cells, at) })
        : Result.fail(
          `names a field of the cell ${quoted(nameOf(cells, at))} twice, so that it can't be changed for sure`
        )
    }
  }
}

const sourceAt = (text: string, at: number): string => {
  const notebook: unknown = parse(text)
  const cells = fieldOf(notebook, "cells")
  const source = Array.isArray(cells) ? fieldOf(cells[at], "source") : undefined
  return Array.isArray(source) ? source.join("") : String(source)
}

const editor = (before: string) => {
  let text = before
  const indent = /\n([ \t]+)"/.exec(before)?.[1] ?? " "
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: before.includes("\r\n") ? "\r\n" : "\n"
  }
  const edit = (path: JSONPath, value: unknown, isArrayInsertion = false): void => {
    text = applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }))
  }
  return Object.assign(edit, { text: () => text })
}

const fieldOf = (cell: unknown, field: string): unknown => Predicate.hasProperty(cell, field) ? cell[field] : undefined

const isCell = (cell: unknown): boolean => Predicate.isObject(cell) && !Array.isArray(cell)

const placeOf = (cells: ReadonlyArray<unknown>, name: string): number | "several" | undefined => {
  const has = (cell: unknown) => fieldOf(cell, "id") === name
  const named = cells.findIndex(has)
  if (named !== -1) return named === cells.findLastIndex(has) ? named : "several"
  const place = /^cell-(\d+)$/.exec(name)?.[1]
  return place !== undefined && Number(place) < cells.length ? Number(place) : undefined
}

const nameOf = (cells: ReadonlyArray<unknown>, at: number): string => {
  const id = fieldOf(cells[at], "id")
  return typeof id === "string" ? id : `cell-${at}`
}

/** Cells have ids since version 4.5 of the format; older ones may have none. */
const hasIds = (notebook: unknown): boolean => {
  const major = Number(fieldOf(notebook, "nbformat"))
  return major > 4 || (major === 4 && Number(fieldOf(notebook, "nbformat_minor")) >= 5)
}

const newCell = ({ source, type }: CellChange, ids: boolean) => ({
  cell_type: type ?? "code",
  ...(type === "markdown" ? {} : { execution_count: null }),
  ...(ids ? { id: randomBytes(4).toString("hex") } : {}),
  metadata: {},
  ...(type === "markdown" ? {} : { outputs: [] }),
  source: linesOf(source)
})

/** Notebooks hold a text as a list of lines, each with its end. */
const linesOf = (source: string): ReadonlyArray<string> => source === "" ? [] : source.split(/(?<=\n)/)
