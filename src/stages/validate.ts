/**
 * Stage 2: reads the input by the tool's schema, then lets the tool look at it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { FoundCall, ValidCall } from "../domain/Call.ts"
import type { InputIssue } from "../domain/decodeInput.ts"
import type { Tool } from "../domain/Tool.ts"
import { InputInvalid, InputRefused, type ValidateError } from "../errors/ValidateError.ts"
import { soFar } from "./soFar.ts"

/**
 * Validates the input that a call came with.
 *
 * @category stages
 * @since 0.1.0
 */
export const validate = (call: FoundCall): Effect.Effect<ValidCall, ValidateError> =>
  validateInput(call, call.use.input)

/**
 * Validates an input in place of the one that a call came with, as when a hook
 * rewrote it.
 *
 * @category stages
 * @since 0.1.0
 */
export const validateInput = (call: FoundCall, input: unknown): Effect.Effect<ValidCall, ValidateError> => {
  const prepared = call.tool.prepare(input)
  if (Result.isFailure(prepared)) {
    const issues = prepared.failure
    return Effect.fail(new InputInvalid({ call: soFar(call), issues, schema: explaining(call.tool, issues) }))
  }
  const invocation = prepared.success
  return Effect.flatMapEager(
    invocation.validate(call.context),
    (validation): Effect.Effect<ValidCall, ValidateError> => {
      switch (validation._tag) {
        case "Refused":
          return Effect.fail(
            new InputRefused({ call: soFar(call), reason: validation.message, code: validation.code })
          )
        case "Ask":
          return Effect.succeed({ ...call, invocation, ask: validation.reason })
        case "Valid":
          return Effect.succeed({ ...call, invocation, ask: undefined })
      }
    }
  )
}

/** The part of a tool's schema that explains the fields in question. */
const explaining = (tool: Tool, issues: ReadonlyArray<InputIssue>): unknown => {
  const schema = tool.jsonSchema()
  const properties = schema["properties"]
  if (!Predicate.isObject(properties)) return schema
  const fields = new Set(issues.map(({ path }) => path.split(/[.[]/, 1)[0] ?? ""))
  const named = Object.entries(properties).filter(([name]) => fields.has(name))
  return {
    type: "object",
    properties: Object.fromEntries(named.length === 0 ? Object.entries(properties) : named),
    ...(Array.isArray(schema["required"]) ? { required: schema["required"] } : {})
  }
}
