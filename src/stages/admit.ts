/**
 * The door of the pipeline: what could not be answered block by block is refused
 * in a batch before anything runs, and made whole where it comes alone.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { ToolUse } from "../domain/ToolUse.ts"
import { BatchRefused } from "../errors/BatchError.ts"

/**
 * Refuses a batch with a block that is no `tool_use`, with one that has no id or
 * name, or with two that share an id.
 *
 * **Details**
 *
 * What a model sends was not made by a compiler: the blocks are looked at,
 * whatever their type says.
 *
 * @category stages
 * @since 0.1.0
 */
export const admit = (uses: ReadonlyArray<ToolUse>): Effect.Effect<void, BatchRefused> =>
  Effect.forEach(uses, door(), { discard: true })

/**
 * Makes the same door for blocks that come one by one.
 *
 * @category stages
 * @since 0.1.0
 */
export const door = (): (use: ToolUse) => Effect.Effect<void, BatchRefused> => {
  const ids = new Set<string>()
  let at = -1
  return Effect.fnUntraced(function*(use): Effect.fn.Return<void, BatchRefused> {
    at++
    const { id, name, type } = fieldsOf(use)
    const known = typeof id === "string" ? id : ""
    if (type !== "tool_use") {
      const block = typeof type === "string" ? { block: type.slice(0, 100) } : {}
      return yield* new BatchRefused({ id: known, reason: "type", at, ...block })
    }
    if (known === "" || typeof name !== "string") return yield* new BatchRefused({ id: known, reason: "shape", at })
    if (ids.has(known)) return yield* new BatchRefused({ id: known, reason: "twice", at })
    ids.add(known)
  })
}

/**
 * Returns a call as every stage can handle it: where a field is missing, or is
 * something else, it is one that no tool answers to.
 *
 * **When to use**
 *
 * Use for a single call, which is answered whatever it is.
 *
 * @category converting
 * @since 0.1.0
 */
export const asUse = (use: ToolUse): ToolUse => {
  const { id, input, name, type } = fieldsOf(use)
  const isId = typeof id === "string" && id !== ""
  if (type === "tool_use" && isId && typeof name === "string" && "input" in use) return use
  return { type: "tool_use", id: isId ? id : "unknown", name: typeof name === "string" ? name : "", input }
}

const fieldsOf = (block: unknown): { readonly [field: string]: unknown } => Predicate.isObject(block) ? block : {}
