/**
 * Reads the input of a tool by the JSON Schema that its server gives.
 *
 * @since 0.1.0
 */
import { fromJsonSchema, type JsonSchemaType } from "@modelcontextprotocol/client"
import * as JsonSchema from "effect/JsonSchema"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import { type DecodedInput, decodeInput, type InputIssue } from "../domain/decodeInput.ts"
import { schemaValidator } from "./schemaValidator.ts"

/**
 * Reads an input, or says what is wrong with it.
 *
 * @category models
 * @since 0.1.0
 */
export type InputReader = (
  input: unknown
) => Result.Result<DecodedInput<unknown>["encoded"], ReadonlyArray<InputIssue>>

/**
 * Makes a reader of a JSON Schema: with the same forgiveness and the same words
 * as for built-in tools, or where the schema is beyond that, by the validator of
 * the client's library.
 *
 * **Details**
 *
 * Patterns are for the server to check: they would run here, and a server could
 * choose one that takes for ever.
 *
 * @category constructors
 * @since 0.1.0
 */
export const inputReader = (schema: JsonSchema.JsonSchema): InputReader => {
  const imported = Result.try(() => imports(schema))
  if (Result.isSuccess(imported)) {
    return (input) => Result.map(decodeInput(imported.success, input), ({ encoded }) => encoded)
  }
  const validator = Result.try(() => fromJsonSchema(schema as JsonSchemaType, schemaValidator)["~standard"])
  return (input) => {
    if (!Predicate.isObject(input)) return Result.fail([{ path: "", expected: "an object", received: typeof input }])
    // What nobody here can read is for the server to refuse.
    if (Result.isFailure(validator)) return Result.succeed(input)
    const checked = validator.success.validate(input)
    return "issues" in checked && checked.issues !== undefined
      ? Result.fail(checked.issues.map(({ message }) => ({ path: "", expected: message, received: "another value" })))
      : Result.succeed(input)
  }
}

// Whatever the schema says, what it reads is what is passed on: its decoded side is never looked at.
const imports = (schema: JsonSchema.JsonSchema): Schema.Decoder<unknown> =>
  SchemaRepresentation.fromJsonSchemaDocument(
    String(schema["$schema"]).includes("draft-07")
      ? JsonSchema.fromSchemaDraft07(schema)
      : JsonSchema.fromSchemaDraft2020_12(schema),
    { patterns: "ignore" }
  ) as Schema.Decoder<unknown>
