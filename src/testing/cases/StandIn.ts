/**
 * Tools that stand in for real ones: they do what a case tells, or nothing.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Subject } from "../../domain/Subject.ts"
import * as Tool from "../../domain/Tool.ts"
import { toolAliases, toolNames } from "../../domain/toolNames.ts"
import { ToolFailed } from "../../errors/ExecuteError.ts"
import * as OutputText from "../../tools/OutputText.ts"
import type { Behaviour } from "./Case.ts"

/**
 * What every stand-in shares: where its starts are noted, the most that a result
 * may have, and the behaviour of a call.
 *
 * @category models
 * @since 0.1.0
 */
export interface StandIns {
  readonly started: (id: string, tool: string, input: { readonly [key: string]: unknown }) => (output: unknown) => void
  readonly behaviourOf: (id: string, tool: string) => Behaviour | undefined
  readonly limit: number | undefined
}

type Input = { readonly [key: string]: unknown }

const AnyInput = Schema.Record(Schema.String, Schema.Unknown)

/**
 * Makes a tool of a name that is not built in.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (name: string, shared: StandIns, server?: string): Tool.Tool =>
  Tool.make<Input, string, unknown, never>({
    name,
    description: "Stands in for a tool",
    origin: name.startsWith("mcp__") ? "mcp" : "application",
    ...(server === undefined ? {} : { server }),
    input: AnyInput,
    aliases: [...toolAliases].flatMap(([alias, meant]) => meant === name ? [alias] : []),
    needsPerson: forPersons.has(name),
    concurrencySafe: () => !toolNames.has(name),
    subject: (input) => subjectOf(name, input),
    validateInput: (_, __) => Effect.succeed(validation(shared.behaviourOf("", name))),
    ...(shared.limit === undefined ? {} : { maxResultSizeChars: shared.limit }),
    handler: (input, context) => behave(name, input, context.id, shared)
  })

/**
 * A built-in tool that reads its input as ever, and then does what the case
 * tells.
 *
 * @category constructors
 * @since 0.1.0
 */
export const inPlaceOf = <R>(tool: Tool.Tool<R>, shared: StandIns): Tool.Tool<R> => ({
  ...tool,
  ...(shared.limit === undefined ? {} : { maxResultSizeChars: shared.limit }),
  prepare: (input) =>
    Result.map(tool.prepare(input), (asked): Tool.Invocation<R> => {
      const failing = validation(shared.behaviourOf("", tool.name))
      return {
        ...asked,
        validate: failing._tag === "Valid" ? asked.validate : () => Effect.succeed(failing),
        precondition: undefined,
        run: (context) =>
          Effect.map(
            behave(tool.name, asked.input, context.id, shared),
            (text): Tool.Output => ({ value: text, content: text })
          )
      }
    })
})

const forPersons: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"])

const textIn = (input: Input, field: string): string => {
  const value = input[field]
  return typeof value === "string" ? value : ""
}

const subjectOf = (name: string, input: Input): Subject => {
  switch (name) {
    case "NotebookEdit":
      return { _tag: "File", access: "edit", path: textIn(input, "notebook_path") }
    case "WebFetch":
      return { _tag: "Url", url: textIn(input, "url") }
    case "Agent":
      return { _tag: "Agent", name: textIn(input, "subagent_type") }
    case "Skill":
      return { _tag: "Agent", name: textIn(input, "skill") }
    default:
      return { _tag: "Plain" }
  }
}

const validation = (behaviour: Behaviour | undefined): Tool.Validation => {
  const fails = behaviour?.validateFails
  return fails === undefined || fails === false
    ? { _tag: "Valid" }
    : { _tag: "Refused", message: typeof fails === "string" ? fails : "the input is refused", code: 1 }
}

const behave = Effect.fnUntraced(function*(
  name: string,
  input: Input,
  id: string,
  shared: StandIns
): Effect.fn.Return<string, unknown> {
  const note = shared.started(id, name, input)
  const behaviour = shared.behaviourOf(id, name) ?? {}
  if (behaviour.delayMs !== undefined) yield* Effect.sleep(behaviour.delayMs)
  const text = yield* said(behaviour, input)
  note(text)
  return text
})

const said = (behaviour: Behaviour, input: Input): Effect.Effect<string, unknown> => {
  if (behaviour.throws !== undefined) return Effect.die(new Error(behaviour.throws))
  if (behaviour.throwsRepeat !== undefined) return Effect.die(new Error(repeated(behaviour.throwsRepeat)))
  if ("throwsValue" in behaviour) return Effect.die(behaviour.throwsValue)
  if (behaviour.returns !== undefined) return Effect.succeed(behaviour.returns)
  if (behaviour.returnsRepeat !== undefined) return Effect.succeed(repeated(behaviour.returnsRepeat))
  if (behaviour.returnsJson !== undefined) return Effect.succeed(ofJson(behaviour.returnsJson))
  if (behaviour.returnsBytesHex !== undefined) return Effect.succeed(decoded([behaviour.returnsBytesHex]))
  if (behaviour.chunksHex !== undefined) return Effect.succeed(decoded(behaviour.chunksHex))
  if (behaviour.echoesInput === true) return Effect.succeed(JSON.stringify(input))
  const output = (behaviour.stdout ?? "") +
    (behaviour.stdoutRepeat === undefined ? "" : repeated(behaviour.stdoutRepeat)) +
    (behaviour.stderr ?? "")
  return (behaviour.exit ?? 0) === 0
    ? Effect.succeed(output)
    : Effect.fail(new ToolFailed({ reason: "", exitCode: behaviour.exit ?? 1, output }))
}

const repeated = ({ count, text }: { readonly count: number; readonly text: string }): string => text.repeat(count)

const ofJson = (text: string): string => {
  const value: unknown = JSON.parse(text)
  return typeof value === "string" ? value : JSON.stringify(value)
}

/** Bytes become text as those of a command do. */
const decoded = (chunks: ReadonlyArray<string>): string => {
  return OutputText.read(chunks.map((chunk) => Buffer.from(chunk.replace(/\s+/g, ""), "hex")))
}
