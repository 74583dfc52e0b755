/**
 * What a hook's JSON says, read leniently where nothing depends on it and
 * strictly where a decision does.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { HookEvent } from "../../domain/Hook.ts"
import { nearest } from "../../domain/nearest.ts"
import type { HookOutput } from "./HookOutput.ts"
import { cut, printable } from "./printable.ts"

/**
 * What stood on a hook's standard output: nothing that decides, an answer, or
 * something that was meant as one and can't be read.
 *
 * @category models
 * @since 0.1.0
 */
export type HookAnswer =
  | { readonly _tag: "Silent" }
  | { readonly _tag: "Unreadable"; readonly problem: string }
  | { readonly _tag: "Answer"; readonly fields: Fields; readonly own: Fields; readonly misnamed: string | undefined }

/**
 * The fields of a JSON object.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fields {
  readonly [name: string]: unknown
}

/**
 * Why a turn ends, where the hook that ended it does not say.
 *
 * @category constants
 * @since 0.1.0
 */
export const turnEnded = "a hook ended the turn"

/**
 * Reads a hook's standard output for an event.
 *
 * **Details**
 *
 * Output that does not begin with a brace is text, and decides nothing; only
 * when a decision seems to be buried in it, it counts as unreadable. `misnamed`
 * says that `hookSpecificOutput` is not for this event.
 *
 * @category parsing
 * @since 0.1.0
 */
export const read = (event: HookEvent, output: HookOutput): HookAnswer => {
  const text = output.text.trim()
  if (!text.startsWith("{")) {
    if (buried.test(text)) return { _tag: "Unreadable", problem: "wrote other text before its JSON" }
    return buried.test(quotedIn(text))
      ? { _tag: "Unreadable", problem: "wrote its JSON as a text" }
      : { _tag: "Silent" }
  }
  if (output.isCut) return { _tag: "Unreadable", problem: "wrote more than a megabyte of JSON" }
  const value = parse(text)
  if (value === undefined) return { _tag: "Unreadable", problem: "answered with JSON that can't be read" }
  const own = value["hookSpecificOutput"]
  if (own === undefined || own === null) return { _tag: "Answer", fields: value, own: {}, misnamed: undefined }
  if (!isFields(own)) return { _tag: "Unreadable", problem: "answered with a `hookSpecificOutput` that is no object" }
  const name = own["hookEventName"]
  return {
    _tag: "Answer",
    fields: value,
    own,
    misnamed: name === event
      ? undefined
      : name === undefined
      ? "answered without `hookEventName`"
      : `answered for the event \`${label(name)}\``
  }
}

/**
 * The fields that an answer may have.
 *
 * @category constants
 * @since 0.1.0
 */
export const fieldNames: ReadonlyArray<string> = [
  "continue",
  "decision",
  "hookSpecificOutput",
  "permissionDecision",
  "reason",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "terminalSequence"
]

/**
 * The fields that `hookSpecificOutput` may have for an event.
 *
 * @category constants
 * @since 0.1.0
 */
export const ownFieldNames: { readonly [Event in HookEvent]: ReadonlyArray<string> } = {
  PreToolUse: [
    "additionalContext",
    "classifierContext",
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput"
  ],
  PermissionRequest: ["decision", "hookEventName"],
  PermissionDenied: ["hookEventName", "retry"],
  PostToolUse: [
    "additionalContext",
    "classifierContext",
    "hookEventName",
    "updatedMCPToolOutput",
    "updatedToolOutput"
  ],
  PostToolUseFailure: ["additionalContext", "hookEventName"],
  PostToolBatch: ["additionalContext", "hookEventName"]
}

/**
 * The fields on which a decision depends.
 *
 * @category constants
 * @since 0.1.0
 */
export const deciding: ReadonlyArray<string> = ["continue", "decision", "permissionDecision", "updatedInput"]

/**
 * Tells of the first field that nobody knows. With one that is nearly a field
 * which decides, a decision is `lost`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const oddField = (
  fields: Fields,
  known: ReadonlyArray<string>
): { readonly told: string; readonly lost: boolean } | undefined => {
  const name = Object.keys(fields).find((field) => !known.includes(field))
  if (name === undefined) return undefined
  const [near] = nearest(name, known, 1)
  const told = `answered with a field \`${label(name)}\` that nobody knows`
  return near !== undefined && deciding.includes(near)
    ? { told: `${told}; \`${near}\` was probably meant`, lost: true }
    : { told, lost: false }
}

/**
 * Tells of a word that is none of those which a field may have.
 *
 * @category formatting
 * @since 0.1.0
 */
export const oddWord = (value: unknown, field: string, known: ReadonlyArray<unknown>): string | undefined =>
  value === undefined || value === null || known.includes(value)
    ? undefined
    : `answered with \`${label(value)}\`, which is no \`${field}\``

/**
 * Whether a value is a JSON object.
 *
 * @category guards
 * @since 0.1.0
 */
export const isFields = (value: unknown): value is Fields => Predicate.isObject(value) && !Array.isArray(value)

/**
 * A field's text, made fit to be shown; nothing when it is blank or no text.
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = (value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined
  const text = printable(value).trim()
  return text === "" ? undefined : cut(text, mostText)
}

/**
 * A foreign value on one short line.
 *
 * @category formatting
 * @since 0.1.0
 */
export const label = (value: unknown): string =>
  cut(printable(typeof value === "string" ? value : JSON.stringify(value) ?? "").replace(/\s+/g, " ").trim(), 100)

const mostText = 10_000

const buried = /"(?:hookSpecificOutput|permissionDecision|decision|continue)"\s*:/

/** The text within quotes, as of an answer that was made JSON twice. */
const quotedIn = (text: string): string => {
  if (!text.startsWith("\"")) return ""
  const value = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  return typeof value === "string" ? value : ""
}

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}
