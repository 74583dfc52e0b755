/**
 * Everything that settings, flags and grants say for a call, gathered.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AuditSettings } from "./AuditEntry.ts"
import { type CallContext, PermissionMode } from "./CallContext.ts"
import { HookEntry } from "./Hook.ts"
import { Diagnostic, Origin, Rule } from "./Rule.ts"

/**
 * Schema for a settings file that could not be read: the rules in it are hidden,
 * so that nothing is permitted beside it without a person.
 *
 * @category models
 * @since 0.1.0
 */
export const Unreadable = Schema.Struct({ origin: Origin, reason: Schema.String })

/**
 * @category models
 * @since 0.1.0
 */
export type Unreadable = typeof Unreadable.Type

/**
 * Schema for what tells an MCP server: its name, the command line that starts
 * it, or its address, in which `*` stands for anything.
 *
 * @category models
 * @since 0.1.0
 */
export const McpPattern = Schema.Union([
  Schema.Struct({ serverName: Schema.NonEmptyString }),
  Schema.Struct({ serverCommand: Schema.NonEmptyArray(Schema.String) }),
  Schema.Struct({ serverUrl: Schema.NonEmptyString })
])

/**
 * @category models
 * @since 0.1.0
 */
export type McpPattern = typeof McpPattern.Type

/**
 * Schema for what settings say of MCP servers.
 *
 * **Details**
 *
 * - `enableAll`, `enabled`, `disabled`: which servers of a project's `.mcp.json`
 *   may be used.
 * - `allowed`: the only servers there may be, where it is there; `denied` beats
 *   it.
 * - `servers`: those that settings name themselves, as they are written; `brought`
 *   ones came with a folder that nobody trusts, `shared` ones with any, trusted or
 *   not.
 *
 * @category models
 * @since 0.1.0
 */
export const McpPolicy = Schema.Struct({
  enableAll: Schema.Boolean,
  enabled: Schema.Array(Schema.String),
  disabled: Schema.Array(Schema.String),
  allowed: Schema.optionalKey(Schema.Array(McpPattern)),
  denied: Schema.Array(McpPattern),
  servers: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      config: Schema.Unknown,
      origin: Origin,
      brought: Schema.Boolean,
      shared: Schema.Boolean
    })
  )
})

/**
 * @category models
 * @since 0.1.0
 */
export type McpPolicy = typeof McpPolicy.Type

/**
 * Schema for the policy in force for one call.
 *
 * **Details**
 *
 * - `mode`: the mode that settings name; a call's own mode beats it.
 * - `disabledModes`: modes that no call may be in, not by its own mode either;
 *   such a call is in the default mode.
 * - `directories`: working directories that settings add, absolute.
 * - `hookAllow`: whether a hook's allow skips deny rules, ask rules and safety
 *   of sources other than `policySettings`, or yields to them.
 * - `trusted`: whether the workspace is; `projectRoot` is the folder whose
 *   `.claude` was read.
 * - `settingsFiles`: every place that settings are or would be read from.
 * - `graceMillis`: how long a prompt waits for a pending classifier.
 * - `audit`: how the audit log is kept, where one is.
 * - `sandbox`: the sandbox that commands run in, where they shall; `required`
 *   says that they don't run where there can be none.
 * - `maxResultSizeChars`: by the name of a tool, how long a result may be that is
 *   handed over whole, in place of the tool's own limit.
 * - `httpHooks`: where hooks over HTTP may go, and which variables of the
 *   environment their headers may hold; whatever a list that is missing would say.
 * - `mcp`: what settings say of MCP servers, where they say something.
 *
 * @category models
 * @since 0.1.0
 */
export const Policy = Schema.Struct({
  rules: Schema.Array(Rule),
  hooks: Schema.Array(HookEntry),
  diagnostics: Schema.Array(Diagnostic),
  unreadable: Schema.Array(Unreadable),
  mode: PermissionMode,
  disabledModes: Schema.optionalKey(Schema.Array(PermissionMode)),
  directories: Schema.Array(Schema.String),
  hookAllow: Schema.Literals(["skips", "yields"]),
  trusted: Schema.Boolean,
  projectRoot: Schema.String,
  settingsFiles: Schema.Array(Schema.String),
  graceMillis: Schema.Finite,
  audit: Schema.optionalKey(AuditSettings),
  sandbox: Schema.optionalKey(
    Schema.Struct({ required: Schema.Boolean, allowedDomains: Schema.Array(Schema.String) })
  ),
  maxResultSizeChars: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int)),
  httpHooks: Schema.optionalKey(
    Schema.Struct({
      allowedUrls: Schema.optionalKey(Schema.Array(Schema.String)),
      allowedEnvVars: Schema.optionalKey(Schema.Array(Schema.String))
    })
  ),
  mcp: Schema.optionalKey(McpPolicy)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Policy = typeof Policy.Type

/**
 * Returns the mode that a call runs in: its own, unless the policy switched that
 * one off, or else the policy's.
 *
 * @category getters
 * @since 0.1.0
 */
export const modeOf = (policy: Policy, { mode }: Pick<CallContext, "mode">): PermissionMode => {
  if (mode === undefined) return policy.mode
  return policy.disabledModes?.includes(mode) === true ? "default" : mode
}

/**
 * Returns how many characters a tool's result may have, where the policy says so.
 *
 * @category getters
 * @since 0.1.0
 */
export const resultLimit = ({ maxResultSizeChars: limits = {} }: Policy, tool: string): number | undefined =>
  Object.hasOwn(limits, tool) ? limits[tool] : undefined
