/**
 * The calls that a case makes.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import type { ToolUse } from "../../domain/ToolUse.ts"
import type { Case } from "./Case.ts"

/**
 * The calls of a case, with ids: one, the same again, or those of a message.
 *
 * @category getters
 * @since 0.1.0
 */
export const usesOf = ({ call, given }: Case): ReadonlyArray<ToolUse> => {
  const padded = (input: unknown): unknown =>
    given.padInput === undefined || !Predicate.isObject(input)
      ? input
      : Object.fromEntries(
        [...new Set([...Object.keys(input), ...Object.keys(given.padInput)])].map((field) => {
          const value: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : ""
          const length = given.padInput?.[field]
          return [field, length === undefined || typeof value !== "string" ? value : value.padEnd(length, "x")]
        })
      )
  if (given.batch !== undefined) {
    return given.batch.map(({ id, input, name }) => ({ type: "tool_use", id, name, input: padded(input) }))
  }
  return Array.from({ length: Math.max(1, given.repeat ?? 1) }, (_, index): ToolUse => ({
    type: "tool_use",
    id: `t${index + 1}`,
    name: call.name,
    input: padded(call.input)
  }))
}
