/**
 * Makes the `tool_use` block that a command line names.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { ToolUse } from "../domain/ToolUse.ts"
import { Misused } from "./Ended.ts"
import { parseJson } from "./parseJson.ts"
import { readText } from "./readText.ts"

/**
 * What was given on the command line.
 *
 * @category models
 * @since 0.1.0
 */
export interface Given {
  readonly tool: Option.Option<string>
  readonly input: Option.Option<string>
  readonly toolUse: Option.Option<string>
}

/**
 * Reads the block, from TOOL and INPUT or from `--tool-use`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readToolUse = Effect.fnUntraced(function*(given: Given): Effect.fn.Return<ToolUse, Misused> {
  const { input, tool, toolUse } = given
  if (Option.isSome(toolUse)) {
    return Option.isSome(tool)
      ? yield* new Misused({ problem: "`--tool-use` names a whole call, leave TOOL and INPUT out" })
      : yield* toBlock(yield* parseJson(yield* readText(toolUse.value, "`--tool-use`"), "`--tool-use`"))
  }
  if (Option.isNone(tool)) {
    return yield* new Misused({ problem: "TOOL and INPUT are missing, such as `Bash '{\"command\":\"ls\"}'`" })
  }
  if (Option.isNone(input)) {
    return yield* new Misused({ problem: "INPUT is missing: give JSON, `-` for standard input or `@FILE`" })
  }
  return {
    type: "tool_use",
    // Its own and no more: Node's crypto takes longer to load than a decision to make.
    id: `toolu_${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`,
    name: tool.value,
    input: yield* parseJson(yield* readText(input.value, "INPUT"), "INPUT")
  }
})

const toBlock = (value: unknown): Effect.Effect<ToolUse, Misused> => {
  if (!Predicate.isObject(value) || Array.isArray(value)) return noBlock(["an object is expected"])
  const { id, input, name, type } = value
  if (type === "tool_use" && isText(id) && isText(name) && input !== undefined) {
    return Effect.succeed({ type, id, name, input })
  }
  return noBlock([
    ...(type === "tool_use" ? [] : ["`type` has to be `tool_use`"]),
    ...(isText(id) ? [] : ["`id` has to be a text"]),
    ...(isText(name) ? [] : ["`name` has to be a text"]),
    ...(input === undefined ? ["`input` is missing"] : [])
  ])
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const noBlock = (problems: ReadonlyArray<string>): Effect.Effect<never, Misused> =>
  Effect.fail(new Misused({ problem: `\`--tool-use\` is no tool_use block: ${problems.join(", ")}` }))
