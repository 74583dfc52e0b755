/**
 * What a hook reads on its standard input.
 *
 * @since 0.1.0
 */
import { posix, win32 } from "node:path"
import type { HookEvent } from "../../domain/Hook.ts"
import { toolNames } from "../../domain/toolNames.ts"
import type { HookCall } from "../../services/HookRunner.ts"

/**
 * The machine's notion of paths, as far as a hook's input needs it.
 *
 * @category models
 * @since 0.1.0
 */
export interface PathNotion {
  readonly home: string
  readonly platform: string
}

/**
 * The JSON text for an event of a call. `own` are the fields of this event.
 *
 * **Details**
 *
 * Paths that built-in tools take are absolute and without `.` and `..`, so that
 * a hook that compares them is not led astray. `transcript_path` is empty: no
 * transcript is kept here.
 *
 * @category formatting
 * @since 0.1.0
 */
export const hookInput = (
  event: HookEvent,
  call: HookCall,
  notion: PathNotion,
  own: { readonly [field: string]: unknown }
): string =>
  asJson({
    session_id: call.context.session,
    transcript_path: "",
    cwd: call.context.cwd,
    permission_mode: call.mode,
    hook_event_name: event,
    ...(event === "PostToolBatch" ? {} : { tool_name: call.tool, tool_input: withAbsolutePaths(call, notion) }),
    ...(event === "PostToolBatch" || event === "PermissionRequest" ? {} : { tool_use_id: call.id }),
    ...own
  })

/**
 * Suggested rules in the form that hooks know them.
 *
 * @category formatting
 * @since 0.1.0
 */
export const asUpdates = (suggestions: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  suggestions.length === 0 ? [] : [{
    type: "addRules",
    rules: suggestions.map((text) => {
      const parts = /^([^(]*)\((.*)\)$/s.exec(text)
      return parts === null ? { toolName: text } : { toolName: parts[1], ruleContent: parts[2] }
    }),
    behavior: "allow",
    destination: "localSettings"
  }]

/**
 * An error's text with its middle left out where it is long.
 *
 * @category formatting
 * @since 0.1.0
 */
export const withoutMiddle = (text: string, most = 10_000): string =>
  text.length <= most
    ? text
    : `${wellFormed(text.slice(0, most / 2))}\n… (${text.length - most} characters left out)\n${
      wellFormed(text.slice(-most / 2))
    }`

const wellFormed = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")

const pathFields: ReadonlyArray<string> = ["file_path", "notebook_path", "path"]

/**
 * The input of a call as hooks see it: the paths that built-in tools take are
 * absolute.
 *
 * @category formatting
 * @since 0.1.0
 */
export const withAbsolutePaths = (
  call: Pick<HookCall, "context" | "input" | "tool">,
  notion: PathNotion
): { readonly [key: string]: unknown } => {
  if (!toolNames.has(call.tool)) return call.input
  const absolute = pathFields.flatMap((field) => {
    const path = call.input[field]
    return typeof path === "string" && path !== "" ? [[field, resolve(path, call.context.cwd, notion)] as const] : []
  })
  return absolute.length === 0 ? call.input : { ...call.input, ...Object.fromEntries(absolute) }
}

const resolve = (path: string, cwd: string, notion: PathNotion): string => {
  const tool = notion.platform === "win32" ? win32 : posix
  return /^~(?:[\\/]|$)/.test(path) ? tool.join(notion.home, path.slice(1)) : tool.resolve(cwd, path)
}

/**
 * The JSON of any value: what JSON has no word for must not keep a hook from
 * running.
 *
 * @category formatting
 * @since 0.1.0
 */
export const asJson = (value: unknown): string => {
  const above: Array<unknown> = []
  return JSON.stringify(value, function(this: unknown, _key, member: unknown) {
    if (typeof member === "bigint") return String(member)
    if (typeof member !== "object" || member === null) return member
    while (above.length > 0 && above.at(-1) !== this) above.pop()
    if (above.includes(member)) return "(circular)"
    above.push(member)
    return member
  })
}
