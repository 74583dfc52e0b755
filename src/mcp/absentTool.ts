/**
 * Stands in for the tools of a server that can't be reached or may not be used,
 * so that a call hears why.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { mcpServerName } from "../domain/mcpNames.ts"
import { plain } from "../domain/Subject.ts"
import type { Output, Tool, ToolContext, Validation } from "../domain/Tool.ts"

/**
 * Makes a tool that fails with `why` once it may run, or is refused before that.
 * It never calls anything: what the real one would say of itself is not known.
 *
 * @category constructors
 * @since 0.1.0
 */
export const absentTool = (
  name: string,
  server: string,
  why: { readonly refused: string } | {
    readonly runs: (
      input: { readonly [key: string]: unknown },
      context: ToolContext
    ) => Effect.Effect<Output, unknown>
  }
): Tool => ({
  name,
  aliases: [],
  deprecatedAliases: [],
  description: "",
  origin: "mcp",
  server: mcpServerName(server),
  maxResultSizeChars: 30_000,
  timeoutMillis: undefined,
  needsPerson: false,
  jsonSchema: () => ({ type: "object" }),
  prepare: (given) => {
    const input = Predicate.isObject(given) ? given : {}
    return Result.succeed({
      input,
      subject: plain,
      concurrencySafe: false,
      validate: () =>
        Effect.succeed<Validation>(
          "refused" in why ? { _tag: "Refused", message: why.refused, code: 1 } : { _tag: "Valid" }
        ),
      check: () => Effect.succeed({ _tag: "NoOpinion" }),
      run: (context) => "refused" in why ? Effect.die("a refused tool ran") : why.runs(input, context)
    })
  }
})
