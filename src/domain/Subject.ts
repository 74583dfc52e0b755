/**
 * What a call is about, for those who judge it: a shell line, a file, an
 * address, or nothing that the gate knows more of.
 *
 * @since 0.1.0
 */

/**
 * What one call would touch.
 *
 * **Details**
 *
 * - `Shell`: a line that Bash is to run.
 * - `File`: one file, as the model wrote the path; `edit` also reads it.
 * - `Search`: everything under a folder is read.
 * - `Url`: one address is fetched.
 * - `Agent`: a subagent or skill is started by name.
 * - `Plain`: the tool's name and input say it all.
 *
 * @category models
 * @since 0.1.0
 */
export type Subject =
  | { readonly _tag: "Shell"; readonly command: string }
  | { readonly _tag: "File"; readonly access: "read" | "edit"; readonly path: string }
  | { readonly _tag: "Search"; readonly path: string }
  | { readonly _tag: "Url"; readonly url: string }
  | { readonly _tag: "Agent"; readonly name: string }
  | { readonly _tag: "Plain" }

/**
 * The subject of a tool that says nothing of its own.
 *
 * @category constants
 * @since 0.1.0
 */
export const plain: Subject = { _tag: "Plain" }
