/**
 * A tool of an `effect/ai` Toolkit as the pipeline sees one.
 *
 * @since 0.1.0
 */
import type * as Prompt from "effect/ai/Prompt"
import * as AiTool from "effect/ai/Tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type DecodedInput, decodeInput, type InputIssue } from "../domain/decodeInput.ts"
import { plain } from "../domain/Subject.ts"
import { asText, type Opinion, type Output, type Tool, type ToolContext, type Validation } from "../domain/Tool.ts"
import type { Content } from "../domain/ToolResult.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { messageOf } from "../errors/messageOf.ts"
import { touched } from "./Touches.ts"

/**
 * Makes a tool of one of a Toolkit's and of what runs it. `run` gets the input
 * after coercion, as JSON.
 *
 * **Details**
 *
 * `needsApproval` is the tool's own ask: a person has to answer, whatever rules
 * allow. Where it is a function it sees the input and no messages, since a call
 * alone has none; one that fails asks. A tool that is annotated as `Readonly` may
 * overlap others. What a call touches is said by the annotation `Touches`. Parameters that are a JSON Schema are read by the handler, as
 * always.
 *
 * @category converting
 * @since 0.1.0
 */
export const toTool = <R>(
  tool: AiTool.Any,
  run: (input: DecodedInput<unknown>["encoded"], context: ToolContext) => Effect.Effect<Output, unknown, R>,
  toolCallId = ""
): Tool<R> => ({
  name: tool.name,
  aliases: [],
  deprecatedAliases: [],
  // Models are told something of each tool; where the Toolkit says nothing, its name has to do.
  description: AiTool.getDescription(tool) ?? `The tool ${tool.name}.`,
  origin: "application",
  maxResultSizeChars: 30_000,
  timeoutMillis: undefined,
  needsPerson: false,
  jsonSchema: () => ({ type: "object", ...AiTool.getJsonSchema(tool) }),
  prepare: (input) =>
    Result.map(read(tool, input), ({ encoded, value }) => {
      const subject = touched(tool, value)
      return {
        input: encoded,
        subject: Result.getOrElse(subject, () => plain),
        concurrencySafe: Context.get(tool.annotations, AiTool.Readonly),
        validate: () => Effect.succeed(Result.match(subject, { onFailure: untold(tool), onSuccess: () => valid })),
        check: () => needsApproval(tool, value, toolCallId),
        run: (context) => run(encoded, context)
      }
    })
})

/**
 * What a model reads of a successful result.
 *
 * @category rendering
 * @since 0.1.0
 */
export const render = ({ encodedResult, modelOutput }: Rendered): Content =>
  modelOutput === undefined
    ? asText(encodedResult)
    : modelOutput.map((part) => ({
      type: "text",
      text: part.type === "text" ? part.text : `[file ${part.mediaType}]`
    }))

interface Rendered {
  readonly encodedResult: unknown
  readonly modelOutput?: ReadonlyArray<Prompt.ToolModelOutputPart> | undefined
}

/**
 * What a handler ended with, as a tool of the pipeline ends.
 *
 * @category converting
 * @since 0.1.0
 */
export const toOutput = <R>(
  handled: Effect.Effect<AiTool.HandlerResult<AiTool.Any>, unknown, R>
): Effect.Effect<Output, ToolFailed, R> =>
  handled.pipe(
    Effect.mapError((error) => toFailure(error, error)),
    Effect.flatMap((result) =>
      result.isFailure
        ? Effect.fail(toFailure(result.result, result.encodedResult))
        : Effect.succeed({ value: result.encodedResult, content: render(result) })
    )
  )

const toFailure = (error: unknown, encoded: unknown): ToolFailed =>
  new ToolFailed({
    reason: messageOf(error) ?? asText(encoded),
    cause: error
  })

const read = (tool: AiTool.Any, input: unknown): Result.Result<DecodedInput<unknown>, ReadonlyArray<InputIssue>> =>
  AiTool.isDynamic(tool) && tool.jsonSchema !== undefined
    ? decodeInput(AnyObject, input)
    // Whoever takes in a Toolkit takes only tools whose input is read without services.
    : decodeInput(tool.parametersSchema as Schema.Decoder<unknown>, input)

const valid: Validation = { _tag: "Valid" }

// INVARIANT: a call that says it touches something, and can't say what, is judged by nobody and never runs.
const untold = ({ name }: AiTool.Any) => (why: string): Validation => ({
  _tag: "Refused",
  message: `what \`${name}\` would touch can't be told from this input: ${why}`,
  code: 1
})

const AnyObject = Schema.Record(Schema.String, Schema.Unknown)

const ask: Opinion = { _tag: "Ask", reason: "the tool wants each such use to be approved" }

const needsApproval = ({ needsApproval }: AiTool.Any, value: unknown, toolCallId: string): Effect.Effect<Opinion> => {
  if (needsApproval === undefined || needsApproval === false) return Effect.succeed({ _tag: "NoOpinion" })
  if (needsApproval === true) return Effect.succeed(ask)
  return Effect.suspend(() => {
    const needed = needsApproval(value, { toolCallId, messages: [] })
    return Effect.isEffect(needed) ? needed : Effect.succeed(needed)
  }).pipe(
    Effect.map((needed): Opinion => needed ? ask : { _tag: "NoOpinion" }),
    Effect.catchDefect(() => Effect.succeed(ask))
  )
}
