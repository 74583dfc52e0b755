/**
 * A call as a person reads it, on one line.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import type { ToolUse } from "../domain/ToolUse.ts"
import { oneLine } from "./line.ts"

/**
 * Returns the name of the tool, and of its input what tells the most.
 *
 * @category formatting
 * @since 0.1.0
 */
export const callText = ({ input, name }: ToolUse, limit: number): string => {
  const told = Predicate.isObject(input)
    ? fields.map((field) => input[field]).find((value) => typeof value === "string")
    : undefined
  return oneLine(`${name}  ${typeof told === "string" ? told : JSON.stringify(input) ?? ""}`, limit)
}

const fields = ["command", "file_path", "notebook_path", "pattern", "url", "query", "path"]
