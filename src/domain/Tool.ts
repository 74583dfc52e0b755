/**
 * Tools: how one is defined, and the closed form in which the pipeline handles
 * them all alike, wherever they come from.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { CallContext } from "./CallContext.ts"
import { decodeInput, type InputIssue } from "./decodeInput.ts"
import { effectOf } from "./effectOf.ts"
import type { FileState } from "./SessionState.ts"
import { plain, type Subject } from "./Subject.ts"
import type { Content, ToolResult } from "./ToolResult.ts"

/**
 * What a tool says of an input that has the right shape.
 *
 * @category models
 * @since 0.1.0
 */
export type Validation = Readiness | { readonly _tag: "Ask"; readonly reason: string }

/**
 * Whether a call could do its work as things stand.
 *
 * @category models
 * @since 0.1.0
 */
export type Readiness =
  | { readonly _tag: "Valid" }
  | { readonly _tag: "Refused"; readonly message: string; readonly code: number }

/**
 * What a tool's own check says of a call. `Ask` insists on a person; a softer
 * wish to be approved is `NoOpinion`, which asks unless a rule allows.
 *
 * @category models
 * @since 0.1.0
 */
export type Opinion =
  | { readonly _tag: "NoOpinion" }
  | { readonly _tag: "Allow"; readonly reason: string }
  | { readonly _tag: "Ask"; readonly reason: string }
  | { readonly _tag: "Deny"; readonly reason: string }

/**
 * One piece of progress while a tool runs.
 *
 * @category models
 * @since 0.1.0
 */
export interface Progress {
  readonly channel: "stdout" | "stderr" | "message"
  readonly text: string
}

/**
 * The other tools, for a tool that calls some itself.
 *
 * **Details**
 *
 * `call` is a call like any other: it goes through every stage, is decided for
 * itself, and belongs to the call that makes it: it ends with that one, and
 * whoever watches that one hears of it too. Calls that may overlap do, ten at
 * most; others run alone, in the order in which they were made.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tools {
  readonly names: Effect.Effect<ReadonlyArray<string>>
  readonly call: (name: string, input: unknown) => Effect.Effect<ToolResult>
}

/**
 * What a tool had to show before it came to no good end, and the file with the
 * whole of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Shown {
  readonly output: string
  readonly storedAt?: string
}

/**
 * What a running tool is given beside its input.
 *
 * **Details**
 *
 * - `call`: session, working directory, mode and user of this call.
 * - `id`: the `tool_use` id.
 * - `progress`: hands out a piece of progress; waits while nobody takes it.
 *   `heard` is false when nobody ever does.
 * - `seen`, `saw`: the session's record of files that were read, by absolute
 *   real path.
 * - `mayRead`, `mayEdit`: whether the rules in force let this call open that
 *   absolute path. A tool asks again for the file that it really opened, so
 *   that a link swapped after the decision gains nothing.
 * - `maxResultSizeChars`: how long a result may be, where settings or the
 *   application say otherwise than the tool; for one that keeps long output itself.
 * - `stood`: notes where the session's shell stands from now on.
 * - `tools`: the other tools, where a pipeline runs this one.
 * - `leave`: leaves what there is to show of a call that is being stopped, from
 *   the finalizer of the tool; not there when nobody will see it.
 * - `signal`: aborted when the call is cancelled, for code outside Effect.
 *
 * @category models
 * @since 0.1.0
 */
export interface ToolContext {
  readonly call: CallContext
  readonly id: string
  readonly progress: (progress: Progress) => Effect.Effect<void>
  readonly heard?: boolean
  readonly seen: (path: string) => Effect.Effect<FileState | undefined>
  readonly saw: (path: string, state: FileState) => Effect.Effect<void>
  readonly mayRead: (path: string) => Effect.Effect<boolean>
  readonly mayEdit: (path: string) => Effect.Effect<boolean>
  readonly maxResultSizeChars?: number | undefined
  readonly stood?: (folder: string) => Effect.Effect<void>
  readonly leave?: ((shown: Shown) => void) | undefined
  readonly tools?: Tools | undefined
  readonly signal: AbortSignal
}

/**
 * What a tool is given to look ahead with, before anybody is asked about a call.
 *
 * **Details**
 *
 * `mayRead` is true only for what may be read without asking; whether anything
 * else is there must not show in what the tool says.
 *
 * @category models
 * @since 0.1.0
 */
export type Beforehand = Pick<ToolContext, "call" | "mayRead" | "seen">

/**
 * A text that a tool already keeps in a file because it is too long to hold.
 * `size` counts bytes; `head` and `tail` are what it remembers of both ends.
 *
 * @category models
 * @since 0.1.0
 */
export interface Stored {
  readonly _tag: "Stored"
  readonly path: string
  readonly size: number
  readonly head: string
  readonly tail: string
}

/**
 * What a tool hands back: `value` is structured and goes to hooks, `content` is
 * what the model reads.
 *
 * @category models
 * @since 0.1.0
 */
export interface Output {
  readonly value: unknown
  readonly content: Content | Stored
  readonly notes?: ReadonlyArray<string>
}

/**
 * One call of a tool, its input read: everything the stages need to know, with
 * the input's type closed over.
 *
 * **Details**
 *
 * `render` is what the model reads of a value that has the form of the one that
 * `run` gave; it is not there where that is the JSON of the value.
 *
 * @category models
 * @since 0.1.0
 */
export interface Invocation<out R = never> {
  /** The input after coercion, as JSON: what hooks and rules see. */
  readonly input: { readonly [key: string]: unknown }
  readonly subject: Subject
  readonly concurrencySafe: boolean
  readonly validate: (context: CallContext) => Effect.Effect<Validation, never, R>
  readonly check: (context: CallContext) => Effect.Effect<Opinion, never, R>
  readonly precondition?: ((context: Beforehand) => Effect.Effect<Readiness, never, R>) | undefined
  readonly run: (context: ToolContext) => Effect.Effect<Output, unknown, R>
  readonly render?: ((value: unknown) => Content | Stored) | undefined
}

/**
 * A tool as the pipeline sees it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tool<out R = never> {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly deprecatedAliases: ReadonlyArray<string>
  readonly description: string
  readonly origin: "builtin" | "mcp" | "application"
  readonly server?: string | undefined
  readonly maxResultSizeChars: number
  readonly timeoutMillis: number | undefined
  readonly needsPerson: boolean
  readonly jsonSchema: () => JsonSchema.JsonSchema
  readonly prepare: (input: unknown) => Result.Result<Invocation<R>, ReadonlyArray<InputIssue>>
}

/**
 * What the handler of a tool needs.
 *
 * @category utility types
 * @since 0.1.0
 */
export type ServicesOf<T> = T extends Tool<infer R> ? R : never

/**
 * How a tool is written.
 *
 * **Details**
 *
 * - `input`: schema of the input; its encoded side is JSON.
 * - `handler`: does the work; whatever it fails with becomes an error result. It
 *   and the parts before it may each need services of their own.
 * - `render`: what the model reads of the value; JSON text when left out.
 * - `precondition`: refuses a call that can't succeed as things stand, before a
 *   person is asked about it; not tried where nobody is. The handler checks again.
 * - `subject`: what the call touches, so that rules for commands, files and
 *   addresses reach it.
 * - `concurrencySafe`: whether a call with this input may overlap others.
 * - `server`: the MCP server that it comes from, so that a rule for another one
 *   whose name begins alike is not about it.
 * - `maxResultSizeChars`: longer results go to the result store (30,000).
 * - `timeoutMillis`: a limit that the pipeline keeps, none when left out.
 * - `needsPerson`: no rule, hook or classifier may answer for a person.
 *
 * @category models
 * @since 0.1.0
 */
export interface Definition<Input extends object, Value, E, R, V = R, C = R, P = R> {
  readonly name: string
  readonly description: string
  readonly input: Schema.Decoder<Input>
  readonly aliases?: ReadonlyArray<string>
  readonly deprecatedAliases?: ReadonlyArray<string>
  readonly origin?: "builtin" | "mcp" | "application"
  readonly server?: string
  readonly maxResultSizeChars?: number
  readonly timeoutMillis?: number
  readonly needsPerson?: boolean
  readonly subject?: (input: Input) => Subject
  readonly concurrencySafe?: (input: Input) => boolean
  readonly validateInput?: (input: Input, context: CallContext) => Effect.Effect<Validation, never, V>
  readonly check?: (input: Input, context: CallContext) => Effect.Effect<Opinion, never, C>
  readonly precondition?: (input: Input, context: Beforehand) => Effect.Effect<Readiness, never, P>
  readonly handler: (input: Input, context: ToolContext) => Effect.Effect<Value, E, R>
  readonly render?: (value: Value) => Content | Stored
}

/**
 * Makes a tool from its definition.
 *
 * **Example** (A tool of your own)
 *
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 * import * as Tool from "toolgate/domain/Tool"
 *
 * const shout = Tool.make({
 *   name: "Shout",
 *   description: "Says it louder",
 *   input: Schema.Struct({ text: Schema.String }),
 *   handler: ({ text }) => Effect.succeed(text.toUpperCase())
 * })
 *
 * shout.name // => "Shout"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <Input extends object, Value, E, R = never, V = never, C = never, P = never>(
  definition: Definition<Input, Value, E, R, V, C, P>
): Tool<R | V | C | P> => ({
  name: definition.name,
  aliases: definition.aliases ?? [],
  deprecatedAliases: definition.deprecatedAliases ?? [],
  description: definition.description,
  origin: definition.origin ?? "application",
  server: definition.server,
  maxResultSizeChars: definition.maxResultSizeChars ?? 30_000,
  timeoutMillis: definition.timeoutMillis,
  needsPerson: definition.needsPerson ?? false,
  jsonSchema: () => ofObject(Schema.toJsonSchemaDocument(definition.input, { onExcessProperty: "error" })),
  prepare: (input) =>
    Result.map(decodeInput(definition.input, input), ({ encoded, value }) => ({
      input: encoded,
      subject: definition.subject?.(value) ?? plain,
      concurrencySafe: definition.concurrencySafe?.(value) ?? false,
      validate: (context) =>
        definition.validateInput === undefined
          ? valid
          : effectOf(`\`validateInput\` of \`${definition.name}\``, definition.validateInput(value, context)),
      check: (context) =>
        definition.check === undefined
          ? noOpinion
          : effectOf(`\`check\` of \`${definition.name}\``, definition.check(value, context)),
      precondition: lookAhead(definition, value),
      // The caller has compared the forms, which is all that is known of a type when it runs.
      render: definition.render as Invocation["render"],
      run: (context) =>
        Effect.mapEager(
          effectOf(`the handler of \`${definition.name}\``, definition.handler(value, context)),
          (result) => ({
            value: result,
            content: definition.render === undefined ? asText(result) : definition.render(result)
          })
        )
    }))
})

const valid = Effect.succeed({ _tag: "Valid" } as const)

const noOpinion = Effect.succeed({ _tag: "NoOpinion" } as const)

const lookAhead = <Input extends object, R>(
  { name, precondition }: Pick<Definition<Input, unknown, unknown, R>, "name" | "precondition">,
  input: Input
): Invocation<R>["precondition"] =>
  precondition && ((context) => effectOf(`\`precondition\` of \`${name}\``, precondition(input, context)))

/** Models are given an object and no reference to one; a schema that allows no field says so by itself. */
const ofObject = ({ definitions, schema }: JsonSchema.Document<"draft-2020-12">): JsonSchema.JsonSchema => {
  const { $ref, ...own } = schema
  const root = typeof $ref === "string" ? definitions[nameOf($ref)] ?? own : own
  if (Object.keys(root).join() === "not") return { type: "object", properties: {}, additionalProperties: false }
  const refers = JSON.stringify(root).includes("\"$ref\":")
  return { type: "object", ...root, ...(refers ? { $defs: definitions } : {}) }
}

/** The definition that a reference within a document is to: a JSON pointer, in a URI. */
const nameOf = ($ref: string): string =>
  decodeURIComponent($ref).replace(/^#\/\$defs\//, "").replaceAll("~1", "/").replaceAll("~0", "~")

/**
 * Returns a value as the text that the model reads where no tool says otherwise:
 * a text as it is, nothing for undefined, all else as JSON.
 *
 * **Gotchas**
 *
 * Throws for what JSON can't say, such as a value that holds itself.
 *
 * @category rendering
 * @since 0.1.0
 */
export const asText = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value === undefined) return ""
  return JSON.stringify(value, (_, member: unknown) => typeof member === "bigint" ? String(member) : member) ?? ""
}
