/**
 * The tool that changes a cell of a notebook.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Tool from "../domain/Tool.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { absolutePath, validateTarget } from "./absolutePath.ts"
import { atomicWrite } from "./atomicWrite.ts"
import { changeable, type Planning } from "./changeable.ts"
import { type CellChange, editNotebook } from "./editNotebook.ts"
import * as FileSnapshot from "./FileSnapshot.ts"
import { notFound } from "./nearbyNames.ts"
import { quoted, shownPath } from "./quoted.ts"
import { requireSeen } from "./requireSeen.ts"
import * as TextEncoding from "./TextEncoding.ts"
import * as WriteTarget from "./WriteTarget.ts"

const Input = Schema.Struct({
  notebook_path: Schema.String.annotate({
    description: "The notebook to change: an absolute path, or one relative to the working directory"
  }),
  cell_id: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The id of the cell, or `cell-N` for the one at place N from 0; when inserting, the cell to insert " +
        "after, or nothing for the beginning"
    })
  ),
  new_source: Schema.String.annotate({ description: "The text of the cell; of no matter when deleting" }),
  cell_type: Schema.optionalKey(
    Schema.Literals(["code", "markdown"]).annotate({ description: "The kind of the cell; needed when inserting" })
  ),
  edit_mode: Schema.optionalKey(
    Schema.Literals(["replace", "insert", "delete"]).annotate({ description: "What to do: replace when left out" })
  )
})

/**
 * What was changed, as hooks see it.
 *
 * @category models
 * @since 0.1.0
 */
export interface NotebookEditValue {
  readonly notebook_path: string
  /** Where that leads, if it is a link. */
  readonly realPath?: string
  /** How many other names the file had, which keep what it was. */
  readonly otherNames?: number
  readonly cell_id: string
  readonly edit_mode: "replace" | "insert" | "delete"
  readonly new_source: string
}

/**
 * Replaces, inserts or deletes a cell, in one step or not at all.
 *
 * **Details**
 *
 * The notebook must have been read in this session and be the same still. What
 * is not changed stays byte for byte. A code cell with a new text loses the
 * outputs of the old one.
 *
 * @category tools
 * @since 0.1.0
 */
export const NotebookEdit: Tool.Tool<PathResolver> = Tool.make({
  name: "NotebookEdit",
  origin: "builtin",
  description: "Replaces, inserts or deletes one cell of a Jupyter notebook. The notebook has to be read before.",
  input: Input,
  subject: ({ notebook_path }) => ({ _tag: "File", access: "edit", path: notebook_path }),
  validateInput: (input) => Effect.succeed(validate(input)),
  precondition: (input, context) =>
    changeable(
      { shown: input.notebook_path, changes: true },
      context,
      (path, context) => planned(input, path, context)
    ),
  handler: Effect.fnUntraced(function*(input, context): Effect.fn.Return<NotebookEditValue, ToolFailed, PathResolver> {
    const wrong = validate(input)
    if (wrong._tag === "Refused") return yield* new ToolFailed({ reason: wrong.message })
    return yield* Effect.scoped(change(input, context))
  }),
  render: ({ cell_id, edit_mode, notebook_path, ...file }: NotebookEditValue) =>
    `${done[edit_mode]} the cell ${quoted(cell_id)} of ${shownPath({ filePath: notebook_path, ...file })}`.replace(
      /,$/,
      ""
    )
})

const done = { replace: "replaced", insert: "inserted", delete: "deleted" }

const validate = (input: typeof Input.Type): Tool.Validation => {
  const { cell_type, edit_mode = "replace", new_source, notebook_path } = input
  if (!new_source.isWellFormed()) {
    return { _tag: "Refused", message: "`new_source` holds half a character, which no file can hold", code: 4 }
  }
  if (edit_mode === "insert" && cell_type === undefined) {
    return { _tag: "Refused", message: "`cell_type` is needed to insert a cell", code: 5 }
  }
  if (!notebook_path.toLowerCase().endsWith(".ipynb")) {
    return { _tag: "Refused", message: `${quoted(notebook_path)} is no notebook (.ipynb); use Edit`, code: 7 }
  }
  return validateTarget("notebook_path", notebook_path)
}

/** Where the notebook is, what it was and what it is to be. */
const planned = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  path: string,
  context: Planning
) {
  const shown = input.notebook_path
  const { cell_id, edit_mode = "replace" } = input
  if (edit_mode !== "insert" && cell_id === undefined) {
    return yield* new ToolFailed({ reason: `\`cell_id\` has to say which cell to ${edit_mode}` })
  }
  const target = yield* WriteTarget.find({ path, shown, may: context.mayEdit })
  if (target.existing === undefined) return yield* yield* notFound({ path, shown, mayRead: context.mayRead })
  const seen = yield* requireSeen(target.existing, shown, context)
  const encoding = TextEncoding.ofBytes(seen.bytes)
  const before = TextEncoding.decode(seen.bytes, encoding)
  if (before === undefined) return yield* new ToolFailed({ reason: `${quoted(shown)} is no text, so no notebook` })

  const edited = editNotebook(before, changeOf(input))
  if (edited._tag === "Failure") return yield* new ToolFailed({ reason: `${quoted(shown)} ${edited.failure}` })
  return { target, seen, cell: edited.success.cell, bytes: TextEncoding.encode(edited.success.text, encoding) }
})

const change = Effect.fnUntraced(function*(
  input: typeof Input.Type,
  context: Tool.ToolContext
): Effect.fn.Return<NotebookEditValue, ToolFailed, PathResolver | Scope.Scope> {
  const { home } = yield* PathResolver
  const path = absolutePath(input.notebook_path, { cwd: context.call.cwd, home })
  const { bytes, cell, seen, target } = yield* planned(input, path, context)
  yield* Effect.uninterruptible(Effect.flatMap(atomicWrite(target, bytes, seen.hash), (stats) =>
    context.saw(
      target.real,
      FileSnapshot.make(stats, { hash: FileSnapshot.hashOf(bytes), size: bytes.length, whole: seen.state.whole })
    )))
  return {
    notebook_path: path,
    ...WriteTarget.otherwise(target),
    cell_id: cell,
    edit_mode: input.edit_mode ?? "replace",
    new_source: input.new_source
  }
})

const changeOf = ({ cell_id, cell_type, edit_mode = "replace", new_source }: typeof Input.Type): CellChange => ({
  mode: edit_mode,
  cell: cell_id,
  type: cell_type,
  source: new_source
})
