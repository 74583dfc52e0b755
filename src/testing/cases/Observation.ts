/**
 * What was seen while a case ran.
 *
 * @since 0.1.0
 */
import type { Decision } from "../../domain/Decision.ts"
import type { Question } from "../../domain/Question.ts"
import type { Diagnostic } from "../../domain/Rule.ts"
import type { ToolResult } from "../../domain/ToolResult.ts"
import type { ToolUse } from "../../domain/ToolUse.ts"
import type { Answer, Case } from "./Case.ts"

/**
 * One result. `text` has the paths of the case, `raw` is what was handed out.
 *
 * @category models
 * @since 0.1.0
 */
export interface SeenResult {
  readonly id: string
  readonly text: string
  readonly raw: string
  readonly failed: boolean
  readonly result: ToolResult
}

/**
 * A tool that was started, with the input that it got. `output` is the
 * structured value that it gave.
 *
 * @category models
 * @since 0.1.0
 */
export interface Start {
  readonly id: string
  readonly tool: string
  readonly input: { readonly [key: string]: unknown }
  output: unknown
}

/**
 * A question that a person was shown, as the terminal would lay it out.
 *
 * @category models
 * @since 0.1.0
 */
export interface SeenQuestion {
  readonly question: Question
  readonly text: string
  readonly hidden: number
  readonly from: number
  readonly to: number
}

/**
 * A hook that ran. `said` is what it was told on standard input.
 *
 * @category models
 * @since 0.1.0
 */
export interface SeenHook {
  readonly event: string
  readonly command: string
  readonly said: string
  readonly from: number
  readonly to: number
}

/**
 * Everything that was seen of a case.
 *
 * **Details**
 *
 * - `readings`: the answers that what was seen can be called. More than one where
 *   a permitted tool failed over a file that the case says nothing of.
 * - `decision`: about the case's own call, the first one. `explained` has every
 *   candidate, `offered` is the decision once the offered rules were saved.
 * - `notes`: everything that a person or a model was told beside the results.
 * - `decidedMillis`: until the decision, or the end where there was none.
 * - `escaped`: what came out of the pipeline in place of a result.
 * - `left`: processes of the case that still ran when it was over.
 * - `before`, `after`: the contents of the call's file.
 * - `stored`: files in the result store.
 *
 * @category models
 * @since 0.1.0
 */
export interface Observation {
  readonly case: Case
  readonly uses: ReadonlyArray<ToolUse>
  readonly readings: ReadonlyArray<Answer>
  readonly decision: Decision | undefined
  readonly explained: Decision | undefined
  readonly offered: Decision | undefined
  readonly results: ReadonlyArray<SeenResult>
  readonly starts: ReadonlyArray<Start>
  readonly questions: ReadonlyArray<SeenQuestion>
  readonly hooks: ReadonlyArray<SeenHook>
  readonly notes: ReadonlyArray<string>
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly millis: number
  readonly decidedMillis: number
  readonly escaped: string | undefined
  readonly left: ReadonlyArray<string>
  readonly grownBytes: number
  readonly before: string | undefined
  readonly after: string | undefined
  readonly stored: ReadonlyArray<{ readonly path: string; readonly size: number }>
  readonly sessionBytes: number
  readonly answersNext: boolean
  /** The most characters that a result may have. */
  readonly limit: number
}
