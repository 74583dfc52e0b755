/**
 * Checks values by the JSON Schemas of servers.
 *
 * @since 0.1.0
 */
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"

/**
 * The validator of the client's library, but for schemas with patterns: these
 * would run here, and a server could choose one that takes for ever, and with it
 * the whole process. By such a schema every value is right; the server checks
 * what it is given, and the model what it gets.
 *
 * @category constants
 * @since 0.1.0
 */
export const schemaValidator: jsonSchemaValidator = {
  getValidator: <A>(schema: JsonSchemaType): JsonSchemaValidator<A> =>
    /"pattern(?:Properties)?":/.test(JSON.stringify(schema))
      // Nothing was checked: whoever asked for the type knows what it is worth.
      ? (value) => ({ valid: true, data: value as A, errorMessage: undefined })
      : ajv.getValidator<A>(schema)
}

const ajv = new AjvJsonSchemaValidator()
