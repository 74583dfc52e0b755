/**
 * An annotation by which a tool of an `effect/ai` Toolkit says what its calls
 * touch, so that rules for commands, files and addresses reach them.
 *
 * @since 0.1.0
 */
import type * as AiTool from "effect/ai/Tool"
import * as Context from "effect/Context"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type OneSubject, plain, Subject } from "../domain/Subject.ts"
import { messageOf } from "../errors/messageOf.ts"

/**
 * Annotation that says what a call with these parameters touches; undefined for
 * a tool that doesn't say. `touching` sets it with the parameters' type.
 *
 * @category annotations
 * @since 0.1.0
 */
export const Touches = Context.Reference<((parameters: unknown) => Subject) | undefined>(
  "toolgate/ai/Touches",
  { defaultValue: () => undefined }
)

/**
 * Annotates a tool with what its calls touch.
 *
 * **Details**
 *
 * `Bash(…)` rules that deny or ask then reach what it runs, `Read(…)` and
 * `Edit(…)` rules its files, `WebFetch(…)` rules its addresses, whatever the tool
 * is called, and so does built-in safety. A line that only reads, and a file that
 * is read inside the working directories, need no rule; files are allowed by
 * `Read(…)` and `Edit(…)` rules too, all else by a rule for the tool. A call that
 * touches several things has the subject `Several`.
 *
 * **Gotchas**
 *
 * A call is refused where the function throws, or gives what is no subject: what
 * nobody can judge does not run. A `Search` counts as reading everything below the
 * folder, since nothing leaves out what rules deny.
 *
 * **Example** (A tool that runs commands)
 *
 * ```ts
 * import * as AiTool from "effect/ai/Tool"
 * import * as Context from "effect/Context"
 * import * as Schema from "effect/Schema"
 * import { Touches, touching } from "toolgate/ai/Touches"
 *
 * const remote = touching(
 *   AiTool.make("Remote", { parameters: Schema.Struct({ host: Schema.String, line: Schema.String }) }),
 *   ({ line }) => ({ _tag: "Shell", command: line })
 * )
 *
 * const touches = Context.get(remote.annotations, Touches)
 * touches?.({ host: "a", line: "rm -rf /" }) // => { _tag: "Shell", command: "rm -rf /" }
 * ```
 *
 * @category annotations
 * @since 0.1.0
 */
export const touching = <Tool extends AiTool.Any>(
  tool: Tool,
  subject: (parameters: AiTool.Parameters<Tool>) => Subject
): Tool =>
  // Only parameters that the tool's own schema has read come here, and an annotation leaves the type as it is.
  tool.annotate(Touches, subject as (parameters: unknown) => Subject) as Tool

/**
 * Returns what a call touches, or why that can't be told.
 *
 * @category getters
 * @since 0.1.0
 */
export const touched = (tool: AiTool.Any, parameters: unknown): Result.Result<Subject, string> => {
  const touches = Context.get(tool.annotations, Touches)
  if (touches === undefined) return Result.succeed(plain)
  return Result.flatMap(
    Result.try({
      try: () => touches(parameters),
      catch: (error) => messageOf(error) ?? "its function threw"
    }),
    (subject) => isSubject(subject) ? Result.succeed(whole(subject)) : Result.fail("its function gave no subject")
  )
}

const whole = (subject: Subject): Subject =>
  subject._tag === "Several" ? { ...subject, subjects: subject.subjects.map(wholeOne) } : wholeOne(subject)

const wholeOne = (subject: OneSubject): OneSubject =>
  subject._tag === "Search" ? { _tag: "File", access: "read", path: subject.path, recursive: true } : subject

const isSubject = Schema.is(Subject)
