/**
 * Reads what a model sent as input: strict about shape, forgiving about the
 * ways in which models are known to write the right value as text.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

/**
 * Schema for one thing that is wrong with an input: where, what was expected,
 * and what came instead.
 *
 * @category models
 * @since 0.1.0
 */
export const InputIssue = Schema.Struct({
  path: Schema.String,
  expected: Schema.String,
  received: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type InputIssue = typeof InputIssue.Type

/**
 * Returns an issue in words: where, what was expected and what came instead. One
 * of the whole says no place.
 *
 * @category rendering
 * @since 0.1.0
 */
export const issueText = ({ expected, path, received }: InputIssue): string =>
  `${path === "" ? "" : `\`${path}\`: `}expected ${expected}, received ${received}`

/**
 * An input that was read: the typed value, and the same as JSON once what was
 * written as text has been turned into what it stands for.
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodedInput<A> {
  readonly value: A
  readonly encoded: { readonly [key: string]: unknown }
}

/**
 * Decodes an input with a schema, or says everything that is wrong with it.
 *
 * **Details**
 *
 * Where the schema wants a number, a boolean, a list or an object and the input
 * has a text that spells one, the text is converted (`"5"` to `5`, `"true"` to
 * `true`, JSON text to a list or an object). Unknown fields are refused.
 *
 * **Example** (A number written as text)
 *
 * ```ts
 * import * as Result from "effect/Result"
 * import * as Schema from "effect/Schema"
 * import { decodeInput } from "toolgate/domain/decodeInput"
 *
 * const schema = Schema.Struct({ limit: Schema.Int })
 *
 * Result.getOrThrow(decodeInput(schema, { limit: "5" })).value // => { limit: 5 }
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const decodeInput = <A>(
  schema: Schema.Decoder<A>,
  input: unknown
): Result.Result<DecodedInput<A>, ReadonlyArray<InputIssue>> => {
  if (!Predicate.isObject(input)) {
    return Result.fail([{ path: "", expected: "an object", received: describe(input) }])
  }
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const first = decode(input)
  if (Result.isSuccess(first)) return Result.succeed({ value: first.success, encoded: input })

  const coerced = coerce(input, leaves(first.failure.issue))
  const second = coerced === input ? first : decode(coerced)
  if (Result.isSuccess(second)) return Result.succeed({ value: second.success, encoded: coerced })

  const wrong = leaves(second.failure.issue)
  const wanted = wantedOf(wrong, coerced, decode)
  return Result.fail(wrong.map((leaf) => toIssue(leaf, coerced, wanted)))
}

/** What the missing fields should hold: a schema tells of what it is given, so it is given something that fits nothing. */
const wantedOf = (
  wrong: ReadonlyArray<Located>,
  input: { readonly [key: string]: unknown },
  decode: (input: unknown) => Result.Result<unknown, Schema.SchemaError>
): ReadonlyMap<string, string> => {
  const missing = wrong.filter(({ leaf }) => leaf._tag === "MissingKey")
  if (missing.length === 0) return new Map()
  const filled = decode(missing.reduce((current, { path }) => replaced(current, path, Symbol("nothing")), input))
  return new Map(
    Result.isSuccess(filled)
      ? []
      : leaves(filled.failure.issue).map(({ filter, leaf, path }) => [pathText(path), expectedOf(leaf, filter)])
  )
}

interface Located {
  readonly path: ReadonlyArray<PropertyKey>
  readonly leaf: SchemaIssue.Leaf | SchemaIssue.AnyOf
  readonly filter: SchemaIssue.Filter | undefined
}

const leaves = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey> = [],
  filter?: SchemaIssue.Filter
): ReadonlyArray<Located> => {
  switch (issue._tag) {
    case "Filter":
      return leaves(issue.issue, path, filter ?? issue)
    case "Encoding":
      return leaves(issue.issue, path, filter)
    case "Pointer":
      return leaves(issue.issue, [...path, ...issue.path], filter)
    case "Composite":
      return issue.issues.flatMap((inner) => leaves(inner, path, filter))
    default:
      return [{ path, leaf: issue, filter }]
  }
}

const coerce = (
  input: { readonly [key: string]: unknown },
  found: ReadonlyArray<Located>
): { readonly [key: string]: unknown } =>
  found.reduce((current, { leaf, path }) => {
    if (leaf._tag !== "InvalidType" && leaf._tag !== "AnyOf") return current
    const text = at(current, path)
    if (typeof text !== "string") return current
    const value = spelled(text, leaf.ast)
    return value === undefined ? current : replaced(current, path, value)
  }, input)

/** The value that a text spells for a schema that wants no text, if it does. */
const spelled = (text: string, ast: SchemaAST.AST): unknown => {
  switch (ast._tag) {
    case "Number":
      return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
    case "Boolean":
      return text === "true" ? true : text === "false" ? false : undefined
    case "Arrays":
      return json(text, Array.isArray)
    case "Objects":
      return json(text, Predicate.isObject)
    case "Union":
      return ast.types.map((member) => spelled(text, member)).find((value) => value !== undefined)
    default:
      return undefined
  }
}

const fromJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

const json = (text: string, accepts: (value: unknown) => boolean): unknown => {
  const parsed = fromJson(text)
  return Result.isSuccess(parsed) && accepts(parsed.success) ? parsed.success : undefined
}

const at = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (current, key) =>
      Array.isArray(current)
        ? current[Number(key)]
        : Predicate.isObject(current) && Object.hasOwn(current, key)
        ? current[String(key)]
        : undefined,
    value
  )

const replaced = (
  value: { readonly [key: string]: unknown },
  path: ReadonlyArray<PropertyKey>,
  by: unknown
): { readonly [key: string]: unknown } => {
  const [key, ...rest] = path
  if (key === undefined) return value
  return { ...value, [String(key)]: inside(value[String(key)], rest, by) }
}

const inside = (value: unknown, path: ReadonlyArray<PropertyKey>, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => index === Number(key) ? inside(item, rest, by) : item)
  return Predicate.isObject(value) ? { ...value, [String(key)]: inside(value[String(key)], rest, by) } : value
}

const pathText = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((written, key) => {
    if (typeof key === "number") return `${written}[${key}]`
    return written === "" ? String(key) : `${written}.${String(key)}`
  }, "")

const toIssue = (
  { filter, leaf, path }: Located,
  input: unknown,
  wanted: ReadonlyMap<string, string>
): InputIssue => {
  const text = pathText(path)
  switch (leaf._tag) {
    case "MissingKey":
      return { path: text, expected: wanted.get(text) ?? "a value", received: "nothing" }
    case "UnexpectedKey":
      return { path: text, expected: "no field of this name", received: describe(at(input, path)) }
    default:
      return { path: text, expected: expectedOf(leaf, filter), received: describe(at(input, path)) }
  }
}

const expectedOf = (leaf: Located["leaf"], filter: SchemaIssue.Filter | undefined): string => {
  const [issue] = SchemaIssue.makeFormatterStandardSchemaV1()(filter ?? leaf).issues
  return issue === undefined ? "another value" : issue.message.replace(/^Expected /, "")
}

/** Names a value without showing more of it than fits a line. */
const describe = (value: unknown): string => {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === "string") {
    const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value
    return `the text ${JSON.stringify(shown.toWellFormed())}`
  }
  if (typeof value === "object") return "an object"
  return `${typeof value} ${String(value)}`
}
