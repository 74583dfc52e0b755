/**
 * A server's tool as the pipeline sees it.
 *
 * @since 0.1.0
 */
import type { CallToolResult, Tool as ServerTool } from "@modelcontextprotocol/client"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { CallContext } from "../domain/CallContext.ts"
import { mcpServerName } from "../domain/mcpNames.ts"
import { plain } from "../domain/Subject.ts"
import { asText, type Opinion, type Output, type Tool, type ToolContext } from "../domain/Tool.ts"
import { allowsByName } from "../permission/allowsByName.ts"
import type { McpApprovals } from "../services/McpApprovals.ts"
import type { RuleSources } from "../services/RuleSources.ts"
import { contentOf } from "./contentOf.ts"
import { type InputReader, inputReader } from "./inputReader.ts"

/**
 * What makes a tool.
 *
 * **Details**
 *
 * - `key`, `fingerprint`: under which approvals know it, and what it looks like.
 * - `call`: calls it, once it may be called.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpTool {
  readonly name: string
  readonly server: string
  readonly tool: ServerTool
  readonly key: string
  readonly fingerprint: string
  readonly maxResultSizeChars: number
  readonly timeoutMillis: number
  readonly approvals: McpApprovals["Service"]
  readonly rules: RuleSources["Service"]
  readonly call: (input: { readonly [key: string]: unknown }, context: ToolContext) => Effect.Effect<Output, unknown>
}

/**
 * Makes a tool of a server's.
 *
 * **Details**
 *
 * What a server says of its tools are claims. They tighten: a tool that says that
 * it destroys asks, unless a rule names that very tool; one that changed since it
 * was last permitted asks; one that wants a person gets one. That it only reads
 * lets calls overlap, and permits nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const mcpTool = (made: McpTool): Tool => {
  const { tool } = made
  let reader: InputReader | undefined
  return {
    name: made.name,
    aliases: [],
    deprecatedAliases: [],
    description: tool.description ?? tool.title ?? "",
    origin: "mcp",
    server: mcpServerName(made.server),
    maxResultSizeChars: sizeOf(tool) ?? made.maxResultSizeChars,
    timeoutMillis: made.timeoutMillis,
    needsPerson: tool._meta?.["anthropic/requiresUserInteraction"] === true,
    jsonSchema: () => tool.inputSchema,
    prepare: (input) => {
      reader ??= inputReader(tool.inputSchema)
      return Result.map(reader(input), (read) => ({
        input: read,
        subject: plain,
        concurrencySafe: tool.annotations?.readOnlyHint === true,
        validate: () => Effect.succeed({ _tag: "Valid" }),
        check: (context) => check(made, context),
        run: (context) => made.call(read, context),
        // Blocks of the protocol, as the server's own were.
        render: (value) =>
          Array.isArray(value) ? contentOf({ content: value as CallToolResult["content"] }) : asText(value)
      }))
    }
  }
}

const maxClaimedSize = 500_000

const sizeOf = ({ _meta }: ServerTool): number | undefined => {
  const claimed = _meta?.["anthropic/maxResultSizeChars"]
  return typeof claimed === "number" && claimed > 0 ? Math.min(claimed, maxClaimedSize) : undefined
}

const check = Effect.fnUntraced(function*(
  { approvals, fingerprint, key, name, rules, server, tool }: McpTool,
  context: CallContext
): Effect.fn.Return<Opinion> {
  const before = yield* Effect.result(approvals.get(key))
  if (before._tag === "Failure") {
    return { _tag: "Ask", reason: `whether it was approved can't be found out: ${before.failure.message}` }
  }
  if (before.success !== undefined && before.success !== fingerprint) {
    return { _tag: "Ask", reason: `the server \`${server}\` says something else of this tool since it was approved` }
  }
  if (tool.annotations?.destructiveHint === true) {
    const named = allowsByName(yield* rules.policy(context), name)
    if (!named) return { _tag: "Ask", reason: `the server \`${server}\` says that this tool may destroy something` }
  }
  return { _tag: "NoOpinion" }
})
