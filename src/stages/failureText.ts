/**
 * What the model reads of each failure: one row for every one there is.
 *
 * @since 0.1.0
 */
import type { Decider } from "../domain/Decision.ts"
import type { CallError } from "../errors/CallError.ts"
import type { ExecuteError } from "../errors/ExecuteError.ts"
import type { PermissionDenied } from "../errors/PermissionError.ts"

/**
 * Everything that can end a call in a result that is an error.
 *
 * @category models
 * @since 0.1.0
 */
export type Failure = CallError | ExecuteError

type Rows = { readonly [Tag in Failure["_tag"]]: (failure: Extract<Failure, { readonly _tag: Tag }>) => string }

/**
 * The table. A failure without a row does not compile.
 *
 * @category constants
 * @since 0.1.0
 */
export const rows: Rows = {
  ToolNotFound: (failure) => wrapped(failure.message),
  InputInvalid: (failure) => wrapped(`${failure.message}\n\nwhat the tool expects: ${JSON.stringify(failure.schema)}`),
  InputRefused: (failure) => wrapped(`${failure.message} (code ${failure.code})`),
  PermissionDenied: (failure) => {
    const reason = failure.reason === undefined ? "" : ` Their reason: ${failure.reason}`
    const guidance = failure.guidance === undefined ? "" : `\n\n${failure.guidance}`
    return `${denials[failure.by](failure)}${reason}${guidance}`
  },
  CallStopped: (failure) => {
    const how = failure.how === "interrupted"
      ? "The person interrupted this call before it was done. Wait for what they say next."
      : "This call was cancelled before it was done. Nothing more of it will run."
    return [...shown(failure.output), ...kept(failure.storedAt), how].join("\n")
  },
  InternalError: (failure) =>
    `Internal error ${failure.id}: the fault is in the program that runs tools, not in this call. ` +
    "Trying once more may help; if it does not, go on without this tool.",
  ToolFailed: (failure) => {
    const code = failure.exitCode === undefined ? [] : [`Exit code ${failure.exitCode}`]
    const reason = failure.exitCode === undefined || failure.reason !== "" ? [failure.reason] : []
    return [...code, ...shown(failure.output), ...reason, ...kept(failure.storedAt)].join("\n")
  },
  ToolTimedOut: (failure) => [...shown(failure.output), failure.message, ...kept(failure.storedAt)].join("\n"),
  McpCallFailed: (failure) => failure.message,
  McpAuthRequired: (failure) => failure.message
}

/**
 * Renders a failure for the model.
 *
 * @category rendering
 * @since 0.1.0
 */
export const failureText = (failure: Failure): string => {
  // The table has a row for every tag, which the compiler checks; that the row fits
  // the failure of the same tag is beyond what it can follow.
  const row = rows[failure._tag] as (failure: Failure) => string
  return row(failure)
}

const wrapped = (text: string): string => `<tool_use_error>${text}</tool_use_error>`

const shown = (output: string | undefined): ReadonlyArray<string> =>
  output === undefined || output === "" ? [] : [output]

const kept = (path: string | undefined): ReadonlyArray<string> =>
  path === undefined ? [] : [`the full output is in ${path}`]

const changeApproach = "Do not try the same again in other words; find another way or stop and say what you need."

type Denials = { readonly [By in Decider]: (denied: PermissionDenied) => string }

const denials: Denials = {
  hook: (denied) => `A hook denied ${named(denied)}. ${changeApproach}`,
  rule: (denied) => `A rule${ruleOf(denied)} denies ${named(denied)}. ${changeApproach}`,
  tool: (denied) => `The tool itself denied ${named(denied)}. ${changeApproach}`,
  safety: (denied) => `A safety check denied ${named(denied)}. ${changeApproach}`,
  validation: (denied) => `The tool wants a person to look at ${named(denied)}, and nobody did. ${changeApproach}`,
  mode: (denied) =>
    `${upper(named(denied))} was denied by the permission mode: only what rules allow may run. ${changeApproach}`,
  reading: (denied) => `${upper(named(denied))} was denied. ${changeApproach}`,
  settings: (denied) =>
    `A settings file can't be read, so that ${named(denied)} could not be permitted. Stop and tell the person.`,
  classifier: (denied) => `A description that the person wrote denies ${named(denied)}. ${changeApproach}`,
  person: (denied) =>
    denied.reason === undefined
      ? `The person declined ${named(denied)}. Stop and wait for what they say next.`
      : `The person declined ${named(denied)}.`,
  nobody: (denied) =>
    `${upper(named(denied))} needs a person's permission and nobody could be asked. ` +
    "Go on without it, or stop and say that it needs to be allowed.",
  audit: (denied) =>
    `${upper(named(denied))} was denied, since the audit log that settings require could not be written. ` +
    "Stop and tell the person.",
  default: (denied) => `${upper(named(denied))} was not permitted. ${changeApproach}`
}

const named = (denied: PermissionDenied): string => `this use of ${denied.call.tool ?? denied.call.use.name}`

/** The rule's own text, unless it comes from a policy that the model has no need of. */
const ruleOf = (denied: PermissionDenied): string => {
  const rule = denied.call.decision?.rule
  return rule === undefined || rule.origin.source === "policySettings" ? "" : ` (\`${rule.text}\`)`
}

const upper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
