import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NotebookEdit } from "../../src/tools/NotebookEdit.ts"
import { Read } from "../../src/tools/Read.ts"
import { bench } from "./runTool.ts"

const notebook = (minor: number) =>
  `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "first",
   "metadata": {"score": 1.0, "big": 12345678901234567890},
   "outputs": [{"output_type": "stream", "text": ["1\\n"]}],
   "source": ["print(1)\\n"]
  },
  {
   "cell_type": "markdown",
   "id": "second",
   "metadata": {},
   "source": ["# Title"]
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": ${minor}
}
`

interface Cell {
  readonly id?: string
  readonly cell_type: string
  readonly source: ReadonlyArray<string>
}

const opened = (minor = 5) =>
  Effect.gen(function*() {
    const work = yield* bench()
    const path = join(work.cwd, "a.ipynb")
    writeFileSync(path, notebook(minor))
    yield* work.text(Read, { file_path: path })
    // What was written above has this form.
    const cells = () => (JSON.parse(readFileSync(path, "utf8")) as { readonly cells: ReadonlyArray<Cell> }).cells
    return { ...work, path, cells, file: () => readFileSync(path, "utf8") }
  })

describe("NotebookEdit", () => {
  it.live("a code cell gets its text and loses its outputs, and every other byte stays", () =>
    Effect.gen(function*() {
      const { file, path, text } = yield* opened()
      const said = yield* text(NotebookEdit, { notebook_path: "a.ipynb", cell_id: "first", new_source: "a = 1\nb" })
      assert.strictEqual(said, `replaced the cell \`first\` of \`${path}\``)
      const after = file()
      assert.include(after, `"metadata": {"score": 1.0, "big": 12345678901234567890},`)
      assert.match(after, /"execution_count": null,[^]*"outputs": \[\],\n {3}"source": \[\s*"a = 1\\n",\s*"b"\s*\]/)
      assert.strictEqual(
        after.slice(after.indexOf(`"id": "second"`)),
        notebook(5).slice(notebook(5).indexOf(`"id": "second"`))
      )
    }))

  it.live("cells are inserted after another or at the beginning, and deleted, one edit after the other", () =>
    Effect.gen(function*() {
      const { cells, text } = yield* opened()
      const at = { notebook_path: "a.ipynb", edit_mode: "insert" }
      yield* text(NotebookEdit, { ...at, cell_id: "second", cell_type: "code", new_source: "x" })
      yield* text(NotebookEdit, { ...at, cell_type: "markdown", new_source: "top" })
      yield* text(NotebookEdit, { notebook_path: "a.ipynb", edit_mode: "delete", cell_id: "first", new_source: "" })
      assert.deepStrictEqual(cells().map(({ source }) => source.join("")), ["top", "# Title", "x"])
      assert.isTrue(cells().every(({ id }) => id !== undefined))
    }))

  it.live("an older notebook gets no ids, and its cells go by their places", () =>
    Effect.gen(function*() {
      const { cells, text } = yield* opened(4)
      const edit = {
        notebook_path: "a.ipynb",
        cell_id: "cell-0",
        cell_type: "code",
        new_source: "y",
        edit_mode: "insert"
      }
      assert.include(yield* text(NotebookEdit, edit), "inserted the cell `cell-1`")
      assert.isUndefined(cells()[1]?.id)
    }))

  it.live("a cell that is not there, a notebook that was not read or is none, and no notebook are refused", () =>
    Effect.gen(function*() {
      const { cwd, failure, text, validate } = yield* opened()
      const edit = { notebook_path: "a.ipynb", cell_id: "third", new_source: "y" }
      assert.strictEqual((yield* failure(NotebookEdit, edit)).message, "`a.ipynb` has no cell `third`")
      writeFileSync(join(cwd, "b.ipynb"), "{\"cells\": [}")
      const other = { ...edit, notebook_path: "b.ipynb" }
      assert.include((yield* failure(NotebookEdit, other)).message, "was not read")
      yield* text(Read, { file_path: "b.ipynb" })
      assert.strictEqual((yield* failure(NotebookEdit, other)).message, "`b.ipynb` is not a notebook that can be read")
      assert.strictEqual((yield* validate(NotebookEdit, { ...edit, notebook_path: "a.py" }))._tag, "Refused")
      const nowhere = yield* failure(NotebookEdit, { notebook_path: "a.ipynb", new_source: "" })
      assert.strictEqual(nowhere.message, "`cell_id` has to say which cell to replace")
    }))

  it.live("what stands in a cell's place and is none is not changed, nor a cell that can't be changed for sure", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      const odd = `{"cells":["odd",null,{"id":"twice","cell_type":"raw","source":"a","source":"b"}]}`
      writeFileSync(join(cwd, "a.ipynb"), odd)
      yield* text(Read, { file_path: "a.ipynb" })
      const message = (cell_id: string) =>
        Effect.map(
          failure(NotebookEdit, { notebook_path: "a.ipynb", cell_id, new_source: "x" }),
          (failed) => failed.message
        )
      assert.include(yield* message("cell-0"), "has something else than a cell at `cell-0`, which can only be deleted")
      assert.include(yield* message("cell-1"), "has something else than a cell at `cell-1`")
      assert.include(yield* message("twice"), "names a field of the cell `twice` twice")
      assert.strictEqual(readFileSync(join(cwd, "a.ipynb"), "utf8"), odd)
      yield* text(NotebookEdit, { notebook_path: "a.ipynb", cell_id: "cell-0", new_source: "", edit_mode: "delete" })
    }))

  it.live("of several cells with the same name none is taken for the one", () =>
    Effect.gen(function*() {
      const { cwd, failure, text } = yield* bench()
      const cell = (id: string) => ({ id, cell_type: "raw", source: id })
      const before = JSON.stringify({ cells: ["a", "b", "a"].map(cell), nbformat: 4, nbformat_minor: 5 })
      writeFileSync(join(cwd, "a.ipynb"), before)
      yield* text(Read, { file_path: "a.ipynb" })
      for (const edit_mode of ["replace", "delete", "insert"]) {
        const edit = { notebook_path: "a.ipynb", edit_mode, cell_type: "code", cell_id: "a", new_source: "x" }
        const failed = yield* failure(NotebookEdit, edit)
        assert.strictEqual(failed.message, "`a.ipynb` has several cells `a`, so that Edit has to be used")
      }
      assert.strictEqual(readFileSync(join(cwd, "a.ipynb"), "utf8"), before)
      yield* text(NotebookEdit, { notebook_path: "a.ipynb", cell_id: "b", new_source: "x" })
    }))
})
