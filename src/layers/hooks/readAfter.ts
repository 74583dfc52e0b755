/**
 * What hooks that ran after a tool had to say, and what hooks answered in place
 * of a person.
 *
 * @since 0.1.0
 */
import {
  type HookEvent,
  type HookRun,
  nothingAfter,
  type PermissionRequestOutcome,
  type PostHookOutcome
} from "../../domain/Hook.ts"
import * as HookAnswer from "./HookAnswer.ts"
import { codeOf, crashOf, type HookResult, mishap, nameOf, runOf, stderrOf } from "./HookResult.ts"

/**
 * Reads and merges hooks after a tool, in the order of configuration; the last
 * replacement stands.
 *
 * **Details**
 *
 * The tool has run: a fault undoes nothing and is told to the user; with
 * `onFailure: "block"` the model hears of it too.
 *
 * @category combining
 * @since 0.1.0
 */
export const mergeAfter = (
  event: Extract<HookEvent, "PostToolUse" | "PostToolUseFailure" | "PostToolBatch">,
  results: ReadonlyArray<HookResult>,
  tool: string
): PostHookOutcome =>
  results.map((result) => readOne(event, result, tool)).reduce<PostHookOutcome>(
    (all, one) => ({
      context: [...all.context, ...one.context],
      messages: [...all.messages, ...one.messages],
      replacement: one.replacement ?? all.replacement,
      endsTurn: all.endsTurn ?? one.endsTurn,
      runs: [...all.runs, ...one.runs]
    }),
    nothingAfter
  )

const readOne = (event: HookEvent, result: HookResult, tool: string): PostHookOutcome => {
  const answer = "stdout" in result.end ? HookAnswer.read(event, result.end.stdout) : undefined
  const { fields, own } = answer?._tag === "Answer" ? answer : noFields
  const code = codeOf(result)
  const fault = mishap(result) ??
    (answer?._tag === "Unreadable" ? answer.problem : answer?._tag === "Answer" ? answer.misnamed : undefined) ??
    (code === undefined || code === 0 || code === 2 || answer?._tag === "Answer" ? undefined : crashOf(result, code))

  const blocks = fields["decision"] === "block" || code === 2
  const reason = HookAnswer.textOf(fields["reason"]) ?? (code === 2 ? stderrOf(result) : undefined)
  // A batch is the last chance to stop before the model goes on: to object there is to end the turn.
  const stops = fields["continue"] === false || (event === "PostToolBatch" && blocks)
  const stopReason = HookAnswer.textOf(fields["stopReason"])
  const told = fault === undefined ? undefined : `the hook \`${nameOf(result.entry)}\` ${fault}`
  return {
    context: texts([
      blocks ? reason ?? "a hook objects to this result and gives no reason" : undefined,
      HookAnswer.textOf(own["additionalContext"]),
      stops ? "a hook ended the turn: call no further tool" : undefined,
      result.entry.hook.onFailure === "block" ? told : undefined
    ]),
    messages: texts([
      HookAnswer.textOf(fields["systemMessage"]),
      stops ? stopReason : undefined,
      told
    ]),
    replacement: event === "PostToolUse" ? replacementIn(own, tool) : undefined,
    endsTurn: stops ? stopReason ?? reason ?? HookAnswer.turnEnded : undefined,
    runs: [runOf(result, { decision: blocks ? "deny" : "none", reason: blocks ? reason : undefined, fault })]
  }
}

const noFields: { readonly fields: HookAnswer.Fields; readonly own: HookAnswer.Fields } = { fields: {}, own: {} }

const replacementIn = (own: HookAnswer.Fields, tool: string): PostHookOutcome["replacement"] => {
  if (own["updatedToolOutput"] !== undefined) return { value: own["updatedToolOutput"] }
  const ofMcp = own["updatedMCPToolOutput"]
  return ofMcp !== undefined && tool.startsWith("mcp__") ? { value: ofMcp } : undefined
}

const texts = (items: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  items.filter((item) => item !== undefined)

/**
 * Reads and merges the answers of `PermissionRequest` hooks: a deny of any hook
 * denies, else an allow of any permits, else a person is asked.
 *
 * **Details**
 *
 * Only the `decision` object answers. An allow does not count that comes with an
 * exit code of 2, a mishap or another input: that is not the call that was asked
 * about. A fault leaves the question to a person, or denies with
 * `onFailure: "block"`.
 *
 * @category combining
 * @since 0.1.0
 */
export const mergeAnswers = (
  results: ReadonlyArray<HookResult>,
  problems: ReadonlyArray<string> = []
): PermissionRequestOutcome => {
  if (results.length === 0) return { _tag: "NoAnswer" }
  const read = results.map(answerOf)
  const answers = read.map(({ answer }) => answer)
  return {
    ...(answers.find((answer) => answer._tag === "Denied") ??
      answers.find((answer) => answer._tag === "Allowed") ??
      { _tag: "NoAnswer" }),
    runs: read.map(({ run }) => run),
    messages: [...problems, ...read.flatMap(({ messages }) => messages)]
  }
}

interface Read {
  readonly answer: PermissionRequestOutcome
  readonly run: HookRun
  readonly messages: ReadonlyArray<string>
}

const answerOf = (result: HookResult): Read => {
  const { answer, fault, message } = readAnswer(result)
  return {
    answer,
    run: runOf(result, {
      decision: answer._tag === "Allowed" ? "allow" : answer._tag === "Denied" ? "deny" : "none",
      reason: answer._tag === "Denied" ? answer.message : undefined,
      fault
    }),
    messages: texts([message, fault === undefined ? undefined : `the hook \`${nameOf(result.entry)}\` ${fault}`])
  }
}

const readAnswer = (result: HookResult): {
  readonly answer: PermissionRequestOutcome
  readonly fault: string | undefined
  readonly message: string | undefined
} => {
  const name = nameOf(result.entry)
  const answer = "stdout" in result.end ? HookAnswer.read("PermissionRequest", result.end.stdout) : undefined
  const decision = answer?._tag === "Answer" && HookAnswer.isFields(answer.own["decision"])
    ? answer.own["decision"]
    : undefined
  const message = answer?._tag === "Answer" ? HookAnswer.textOf(answer.fields["systemMessage"]) : undefined
  const misnamed = answer?._tag === "Answer" ? answer.misnamed : undefined
  const code = codeOf(result)
  const fault = mishap(result) ?? misnamed ?? (answer?._tag === "Unreadable" ? answer.problem : undefined) ??
    (code === undefined || code === 0 || decision !== undefined ? undefined : crashOf(result, code))
  if (decision?.["behavior"] === "deny") {
    return { answer: { _tag: "Denied", name, message: HookAnswer.textOf(decision["message"]) }, fault, message }
  }
  if (fault !== undefined) {
    return {
      answer: result.entry.hook.onFailure === "block"
        ? { _tag: "Denied", name, message: `the hook did not decide: it ${fault}` }
        : { _tag: "NoAnswer" },
      fault,
      message
    }
  }
  const allows = decision?.["behavior"] === "allow" && code !== 2 && decision["updatedInput"] === undefined
  return { answer: allows ? { _tag: "Allowed", name } : { _tag: "NoAnswer" }, fault, message }
}
