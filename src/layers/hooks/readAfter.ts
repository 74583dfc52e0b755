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
 * The tool has run: a fault undoes nothing and is told to the user, and so is
 * what was said and means nothing; with `onFailure: "block"` the model hears of it
 * too.
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
    (code === undefined || code === 0 || code === 2 || answer?._tag === "Answer" ? undefined : crashOf(result, code)) ??
    HookAnswer.oddWord(fields["continue"], "continue", [true, false]) ??
    HookAnswer.oddWord(fields["decision"], "decision", ["approve", "block"]) ??
    (HookAnswer.oddField(fields, HookAnswer.fieldNames) ?? HookAnswer.oddField(own, HookAnswer.ownFieldNames[event]))
      ?.told

  // A word that can only mean no is one.
  const blocks = fields["decision"] === "block" || fields["decision"] === "deny" || code === 2
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
 * Only the `decision` object answers, and `continue: false` denies and ends the
 * turn, as a deny with `interrupt` does. An allow does not count that comes with an
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
  const denied = answers.filter((answer) => answer._tag === "Denied")
  const [first] = denied
  const ending = denied.find(({ endsTurn }) => endsTurn !== undefined)
  return {
    ...(first === undefined
      ? answers.find((answer) => answer._tag === "Allowed") ?? { _tag: "NoAnswer" }
      : ending?.endsTurn === undefined
      ? first
      : { ...first, endsTurn: ending.endsTurn }),
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
  const { answer, fault, messages } = readAnswer(result)
  return {
    answer,
    run: runOf(result, {
      decision: answer._tag === "Allowed" ? "allow" : answer._tag === "Denied" ? "deny" : "none",
      reason: answer._tag === "Denied" ? answer.message : undefined,
      fault
    }),
    messages: texts([...messages, fault === undefined ? undefined : `the hook \`${nameOf(result.entry)}\` ${fault}`])
  }
}

const readAnswer = (result: HookResult): {
  readonly answer: PermissionRequestOutcome
  readonly fault: string | undefined
  readonly messages: ReadonlyArray<string | undefined>
} => {
  const name = nameOf(result.entry)
  const answer = "stdout" in result.end ? HookAnswer.read("PermissionRequest", result.end.stdout) : undefined
  const { fields, own } = answer?._tag === "Answer" ? answer : noFields
  const decision = HookAnswer.isFields(own["decision"]) ? own["decision"] : undefined
  const stops = fields["continue"] === false
  const stopReason = HookAnswer.textOf(fields["stopReason"])
  const misnamed = answer?._tag === "Answer" ? answer.misnamed : undefined
  const code = codeOf(result)
  const odd = HookAnswer.oddField(fields, HookAnswer.fieldNames) ??
    HookAnswer.oddField(own, HookAnswer.ownFieldNames.PermissionRequest)
  const fault = mishap(result) ?? misnamed ?? (answer?._tag === "Unreadable" ? answer.problem : undefined) ??
    (code === undefined || code === 0 || decision !== undefined || stops ? undefined : crashOf(result, code)) ??
    lostIn(fields, own) ?? (odd?.lost === true ? odd.told : undefined)
  const messages = [
    HookAnswer.textOf(fields["systemMessage"]),
    stops ? stopReason : undefined,
    odd?.lost === false ? `the hook \`${name}\` ${odd.told}` : undefined,
    decision?.["updatedPermissions"] === undefined
      ? undefined
      : `the hook \`${name}\` gave \`updatedPermissions\`, which are not taken from hooks`
  ]

  if (stops || decision?.["behavior"] === "deny") {
    const said = HookAnswer.textOf(decision?.["message"]) ?? HookAnswer.textOf(fields["reason"])
    const ends = stops || decision?.["interrupt"] === true
    const denied = { _tag: "Denied", name, message: said ?? (stops ? HookAnswer.turnEnded : undefined) } as const
    return {
      answer: ends ? { ...denied, endsTurn: stopReason ?? said ?? HookAnswer.turnEnded } : denied,
      fault,
      messages
    }
  }
  if (fault !== undefined) {
    return {
      answer: result.entry.hook.onFailure === "block"
        ? { _tag: "Denied", name, message: `the hook did not decide: it ${fault}` }
        : { _tag: "NoAnswer" },
      fault,
      messages
    }
  }
  const allows = decision?.["behavior"] === "allow" && code !== 2
  return { answer: allows ? { _tag: "Allowed", name } : { _tag: "NoAnswer" }, fault, messages }
}

/** What was meant as an answer and is none. */
const lostIn = (fields: HookAnswer.Fields, own: HookAnswer.Fields): string | undefined => {
  const { decision } = own
  if (!HookAnswer.isFields(decision)) {
    return HookAnswer.oddWord(decision, "decision", []) ??
      (fields["decision"] === undefined || fields["decision"] === null
        ? undefined
        : "decided outside `hookSpecificOutput`, where it counts for nothing") ??
      HookAnswer.oddWord(fields["continue"], "continue", [true, false])
  }
  return HookAnswer.oddWord(decision["behavior"] ?? "", "behavior", ["allow", "deny"]) ??
    (decision["behavior"] === "allow" && decision["updatedInput"] !== undefined && decision["updatedInput"] !== null
      ? "allowed another input, which only a `PreToolUse` hook may give"
      : undefined) ??
    HookAnswer.oddWord(fields["continue"], "continue", [true, false])
}
