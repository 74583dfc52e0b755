/**
 * Answers a PreToolUse hook of another program.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type CallContext, PermissionMode } from "../domain/CallContext.ts"
import type { Decision } from "../domain/Decision.ts"
import type { Tool } from "../domain/Tool.ts"
import { canonicalName } from "../domain/toolNames.ts"
import type { ToolUse } from "../domain/ToolUse.ts"
import { PermissionDenied } from "../errors/PermissionError.ts"
import { defaultSession } from "../layers/SessionStore.ts"
import { allowsByName } from "../permission/allowsByName.ts"
import { Pipeline } from "../pipeline.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { ToolRegistry } from "../services/ToolRegistry.ts"
import { failureText } from "../stages/failureText.ts"
import { decideForeign } from "./decideForeign.ts"
import { Misused } from "./Ended.ts"
import { decided, type HookReply, HookRequest } from "./HookRequest.ts"
import { placeOf } from "./placeOf.ts"
import { readQuestion } from "./readQuestion.ts"
import { realFolder } from "./realFolder.ts"

/**
 * Decides about the call that a hook was asked about. Runs nothing: whatever
 * other hooks there are run where this one does.
 *
 * **Details**
 *
 * `project` is the folder whose settings count, where it is another than the one
 * that the call works in. A tool that is not here is decided about where a rule
 * names it or settings can't be read; of any other there is no opinion, nor is a
 * tool of a server allowed by a rule for all of them. An input
 * that can't be judged is asked about, unless the tool as such is denied. Fields
 * that a tool here does not have are left out, and what would have been allowed
 * without them is asked about.
 *
 * @category deciding
 * @since 0.1.0
 */
export const answerHook = Effect.fnUntraced(function*(
  given: unknown,
  project: string | undefined,
  directories: ReadonlyArray<string> = []
): Effect.fn.Return<HookReply, Misused, Pipeline | RuleSources | ToolRegistry> {
  const request = yield* readRequest(given)
  const context = yield* contextOf(request, project, directories)
  // Finding the tool of a server would start the server, which is for the program that asks.
  const found = request.tool_name.startsWith("mcp__")
    ? undefined
    : yield* (yield* ToolRegistry).find(request.tool_name)
  const policy = yield* (yield* RuleSources).policy(context)
  const foreign = (): Decision => decideForeign(request.tool_name, request.tool_input, policy, context)
  const use: ToolUse = {
    type: "tool_use",
    id: request.tool_use_id ?? "hook",
    name: request.tool_name,
    input: request.tool_input
  }
  if (found === undefined) {
    const decision = foreign()
    const tool = canonicalName(request.tool_name)
    // What a server says of its tool asks a person all the same, and is not known here, nor whose tool `mcp__a__b__c` is.
    if (decision.verdict === "allow" && tool.startsWith("mcp__") && !allowsByName(policy, tool)) return {}
    return decision.by === "rule" || decision.by === "settings" ? reply(decision, use, context) : {}
  }

  const { known, unknown } = partsOf(request.tool_input, found.tool)
  const judged = yield* Effect.result(
    Effect.flatMap(Pipeline, (pipeline) => pipeline.check({ ...use, input: known }, { context }))
  )
  if (Result.isFailure(judged)) {
    const decision = foreign()
    return decision.verdict === "deny"
      ? reply(decision, use, context)
      : decided("ask", `toolgate can't judge it: ${judged.failure.message}`)
  }
  const [odd] = unknown
  return odd !== undefined && judged.success.verdict === "allow"
    ? decided("ask", `toolgate knows no field \`${odd}\` of \`${request.tool_name}\`, and can't tell what it would do`)
    : reply(judged.success, use, context)
})

const readRequest = (given: unknown): Effect.Effect<HookRequest, Misused> => {
  if (!Predicate.isObject(given)) return misused("what a hook reads is an object")
  const { cwd, hook_event_name, permission_mode, session_id, tool_input, tool_name, tool_use_id } = given
  if (Predicate.isString(hook_event_name) && hook_event_name !== "PreToolUse") {
    return misused(`the hook event \`${hook_event_name}\` is not decided here, only \`PreToolUse\` is`)
  }
  const fields = { cwd, hook_event_name, permission_mode, session_id, tool_input, tool_name, tool_use_id }
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return readQuestion(HookRequest, present, "the hook's input")
}

const misused = (problem: string): Effect.Effect<never, Misused> => Effect.fail(new Misused({ problem }))

const isMode = Schema.is(PermissionMode)

const contextOf = (
  { cwd, permission_mode: mode, session_id: session }: HookRequest,
  project: string | undefined,
  directories: ReadonlyArray<string>
): Effect.Effect<CallContext, Misused> =>
  Effect.gen(function*() {
    const standing = yield* realFolder(cwd, "`cwd`")
    const root = project === undefined ? standing : yield* realFolder(project, "the project's folder")
    return {
      session: session ?? defaultSession(root),
      cwd: root,
      directories,
      standing,
      // A mode that is not known is the one that allows least by itself and still asks.
      ...(mode === undefined ? {} : { mode: isMode(mode) ? mode : "default" })
    }
  })

/** The fields of an input that a tool has, and the names of those that it does not have. */
const partsOf = (input: HookRequest["tool_input"], tool: Tool) => {
  const { properties } = tool.jsonSchema()
  const unknown = Predicate.isObject(properties)
    ? Object.keys(input).filter((field) => !Object.hasOwn(properties, field))
    : []
  const known = Object.fromEntries(Object.entries(input).filter(([field]) => !unknown.includes(field)))
  return { known, unknown }
}

/** The reason of a denial is for the model, of all else for a person. */
const reply = (decision: Decision, use: ToolUse, context: CallContext): HookReply => {
  if (decision.verdict === "deny") {
    const denied = new PermissionDenied({
      call: { use, context, notes: [], decision },
      by: decision.by,
      detail: decision.why
    })
    return decided("deny", failureText(denied))
  }
  const { rule } = decision
  const place = rule === undefined ? "" : ` (${rule.behavior} rule \`${rule.text}\`, ${placeOf(rule.origin)})`
  return decided(decision.verdict, `toolgate: ${decision.why}${place}`)
}
