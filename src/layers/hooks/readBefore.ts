/**
 * What one hook that ran before a tool had to say.
 *
 * @since 0.1.0
 */
import type { HookEntry, HookRun } from "../../domain/Hook.ts"
import * as HookAnswer from "./HookAnswer.ts"
import { codeOf, crashOf, type HookResult, mishap, nameOf, runOf, stderrOf } from "./HookResult.ts"

/**
 * A hook's say on a call.
 *
 * @category models
 * @since 0.1.0
 */
export interface Opinion {
  readonly entry: HookEntry
  readonly decision: HookRun["decision"]
  readonly reason: string | undefined
  readonly updatedInput: HookAnswer.Fields | undefined
  readonly endsTurn: string | undefined
  readonly context: string | undefined
  readonly messages: ReadonlyArray<string>
  readonly run: HookRun
}

/**
 * Reads the end of a `PreToolUse` hook.
 *
 * **Details**
 *
 * A hook that fails to decide where it was meant to counts as *ask*; its
 * `onFailure` makes it a deny or no opinion, never an allow. A deny that was
 * said is never lost to a fault beside it.
 *
 * @category parsing
 * @since 0.1.0
 */
export const readBefore = (result: HookResult): Opinion => {
  const answer = "stdout" in result.end ? HookAnswer.read("PreToolUse", result.end.stdout) : silent
  const said = answer._tag === "Answer" ? sayOf(answer) : nothingSaid
  const decided = decide(result, answer, said)
  const name = nameOf(result.entry)
  const stays = decided.fault === undefined && decided.decision !== "deny"
  return {
    entry: result.entry,
    decision: decided.decision,
    reason: decided.reason,
    updatedInput: stays ? said.updatedInput : undefined,
    endsTurn: said.stops,
    context: said.context,
    messages: [
      ...said.messages,
      ...(decided.fault === undefined ? [] : [`the hook \`${name}\` ${decided.fault}`]),
      ...(decided.note === undefined ? [] : [`the hook \`${name}\` ${decided.note}`])
    ],
    run: runOf(result, { ...decided, fault: decided.fault ?? decided.note })
  }
}

const silent: HookAnswer.HookAnswer = { _tag: "Silent" }

interface Say {
  readonly decision: HookRun["decision"]
  readonly reason: string | undefined
  readonly fault: string | undefined
  readonly note: string | undefined
  readonly updatedInput: HookAnswer.Fields | undefined
  readonly stops: string | undefined
  readonly context: string | undefined
  readonly messages: ReadonlyArray<string>
}

const nothingSaid: Say = {
  decision: "none",
  reason: undefined,
  fault: undefined,
  note: undefined,
  updatedInput: undefined,
  stops: undefined,
  context: undefined,
  messages: []
}

interface Decided {
  readonly decision: HookRun["decision"]
  readonly reason: string | undefined
  readonly fault?: string | undefined
  readonly note?: string | undefined
}

const decide = (result: HookResult, answer: HookAnswer.HookAnswer, said: Say): Decided => {
  const onFailure = result.entry.hook.onFailure
  const failed = (fault: string): Decided => ({
    decision: onFailure === "block" ? "deny" : onFailure === "continue" ? "none" : "ask",
    reason: onFailure === "continue" ? undefined : `the hook \`${nameOf(result.entry)}\` did not decide: it ${fault}`,
    fault
  })
  const code = codeOf(result)

  if (code === 2) {
    return { decision: "deny", reason: (said.decision === "deny" ? said.reason : undefined) ?? stderrOf(result) }
  }
  if (said.decision === "deny") return said
  const trouble = mishap(result)
  const fault = trouble ?? (answer._tag === "Unreadable" ? answer.problem : said.fault)
  if (fault !== undefined) return said.decision === "ask" ? { ...said, fault } : failed(fault)
  if (said.decision !== "none" || code === undefined || code === 0) return said

  const note = crashOf(result, code)
  return onFailure === "block" ? failed(note) : { decision: "none", reason: undefined, note }
}

const sayOf = (answer: HookAnswer.HookAnswer & { readonly _tag: "Answer" }): Say => {
  const { fields, misnamed, own } = answer
  const words = [
    readWord(own["permissionDecision"], "permissionDecision"),
    readWord(fields["decision"], "decision"),
    misplaced(fields["permissionDecision"]),
    unknownField(fields, HookAnswer.fieldNames),
    unknownField(own, HookAnswer.ownFieldNames.PreToolUse),
    unknownWord(fields["continue"], "continue", [true, false])
  ]
  const stops = fields["continue"] === false
  const decision = stops ? "deny" : strictest(words.map((word) => word.decision))
  const updated = own["updatedInput"]
  const badInput = updated !== undefined && updated !== null && !HookAnswer.isFields(updated)
  const stopReason = HookAnswer.textOf(fields["stopReason"])
  const reason = HookAnswer.textOf(own["permissionDecisionReason"]) ?? HookAnswer.textOf(fields["reason"]) ??
    (stops ? HookAnswer.turnEnded : undefined)
  return {
    decision,
    reason,
    fault: words.find((word) => word.fault !== undefined)?.fault ??
      (badInput ? "answered with an `updatedInput` that is no object" : misnamed),
    note: words.find((word) => word.note !== undefined)?.note,
    updatedInput: HookAnswer.isFields(updated) ? updated : undefined,
    stops: stops ? stopReason ?? reason : undefined,
    context: HookAnswer.textOf(own["additionalContext"]),
    messages: [HookAnswer.textOf(fields["systemMessage"]), stops ? stopReason : undefined]
      .filter((message) => message !== undefined)
  }
}

interface Word {
  readonly decision: HookRun["decision"]
  readonly fault?: string
  readonly note?: string
}

const readWord = (value: unknown, field: "permissionDecision" | "decision"): Word => {
  if (value === undefined || value === null) return { decision: "none" }
  const meaning = typeof value === "string" && Object.hasOwn(words[field], value) ? words[field][value] : undefined
  if (meaning !== undefined) return meaning
  const unknown = `answered with \`${HookAnswer.label(value)}\`, which is no \`${field}\``
  // A word that can only mean no is one, wherever it stands; none that means yes is.
  return value === "deny" || value === "block"
    ? { decision: "deny", note: unknown }
    : { decision: "none", fault: unknown }
}

const words: { readonly [Field in "permissionDecision" | "decision"]: { readonly [word: string]: Word } } = {
  permissionDecision: {
    deny: { decision: "deny" },
    ask: { decision: "ask" },
    allow: { decision: "allow" },
    defer: { decision: "none", fault: "deferred, and there is nobody to defer to" }
  },
  decision: { block: { decision: "deny" }, approve: { decision: "allow" } }
}

/** A field of no known name decides nothing; one that is nearly a field which decides is a decision lost. */
const unknownField = (fields: HookAnswer.Fields, known: ReadonlyArray<string>): Word => {
  const odd = HookAnswer.oddField(fields, known)
  if (odd === undefined) return { decision: "none" }
  return odd.lost ? { decision: "none", fault: odd.told } : { decision: "none", note: odd.told }
}

const unknownWord = (...given: Parameters<typeof HookAnswer.oddWord>): Word => {
  const fault = HookAnswer.oddWord(...given)
  return { decision: "none", ...(fault === undefined ? {} : { fault }) }
}

// Outside `hookSpecificOutput` the field means nothing to other hosts. A refusal
// there is one all the same; a permission is none.
const misplaced = (value: unknown): Word => {
  const word = readWord(value, "permissionDecision")
  return word.decision === "allow"
    ? { decision: "none", note: "allowed outside `hookSpecificOutput`, where it counts for nothing" }
    : word
}

const strictest = (decisions: ReadonlyArray<HookRun["decision"]>): HookRun["decision"] =>
  (["deny", "ask", "allow"] as const).find((decision) => decisions.includes(decision)) ?? "none"
