/**
 * What a call is about, for those who judge it: a shell line, a file, an
 * address, or nothing that the gate knows more of.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for one thing that a call would touch.
 *
 * **Details**
 *
 * - `Shell`: a line that Bash is to run.
 * - `File`: one file, as the model wrote the path; `edit` also reads it. With
 *   `recursive` all that lies below it is meant, too.
 * - `Search`: what lies under a folder is read, except what rules deny.
 * - `Url`: one address is fetched.
 * - `Agent`: a subagent or skill is started by name.
 * - `Plain`: the tool's name and input say it all.
 *
 * @category models
 * @since 0.1.0
 */
export const OneSubject = Schema.Union([
  Schema.TaggedStruct("Shell", { command: Schema.String }),
  Schema.TaggedStruct("File", {
    access: Schema.Literals(["read", "edit"]),
    path: Schema.String,
    recursive: Schema.optionalKey(Schema.Boolean)
  }),
  Schema.TaggedStruct("Search", { path: Schema.String }),
  Schema.TaggedStruct("Url", { url: Schema.String }),
  Schema.TaggedStruct("Agent", { name: Schema.String }),
  Schema.TaggedStruct("Plain", {})
])

/**
 * @category models
 * @since 0.1.0
 */
export type OneSubject = typeof OneSubject.Type

/**
 * Schema for what one call would touch: one thing, or several at once, as a tool
 * that copies one file over another does.
 *
 * @category models
 * @since 0.1.0
 */
export const Subject = Schema.Union([
  ...OneSubject.members,
  Schema.TaggedStruct("Several", { subjects: Schema.Array(OneSubject) })
])

/**
 * @category models
 * @since 0.1.0
 */
export type Subject = typeof Subject.Type

/**
 * The subject of a tool that says nothing of its own.
 *
 * @category constants
 * @since 0.1.0
 */
export const plain: OneSubject = { _tag: "Plain" }

/**
 * Returns each thing that a call would touch: one at least.
 *
 * @category getters
 * @since 0.1.0
 */
export const subjectsOf = (subject: Subject): ReadonlyArray<OneSubject> =>
  subject._tag !== "Several" ? [subject] : subject.subjects.length === 0 ? [plain] : subject.subjects
