/**
 * What one settings file says, before it is weighed against the others.
 *
 * @since 0.1.0
 */
import type { AuditSettings } from "../../domain/AuditEntry.ts"
import type { PermissionMode } from "../../domain/CallContext.ts"
import type { Hook, HookEvent } from "../../domain/Hook.ts"
import type { McpPattern, Unreadable } from "../../domain/Policy.ts"
import type { Diagnostic, Origin, Rule, RuleSource } from "../../domain/Rule.ts"

/**
 * Where a settings text belongs.
 *
 * **Details**
 *
 * `file` is left out for a text that no file holds. `base` anchors path patterns
 * with a single leading slash, `root` relative directories. `known` are tools of
 * the application's own, beside those that are built in.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettingsPlace {
  readonly source: RuleSource
  readonly file?: string | undefined
  readonly base: string
  readonly root: string
  readonly known?: ReadonlySet<string> | undefined
}

/**
 * What one settings text says.
 *
 * **Details**
 *
 * A setting that the text does not name is undefined. `hides` says what of the
 * text could not be read at all; the rest of it counts nevertheless.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settings {
  readonly place: SettingsPlace
  readonly rules: ReadonlyArray<Rule>
  readonly hooks: ReadonlyArray<{
    readonly event: HookEvent
    readonly matcher: string
    readonly hook: Hook
    readonly line?: number
    readonly column?: number
  }>
  readonly directories: ReadonlyArray<{ readonly text: string; readonly origin: Origin }>
  readonly mode: { readonly mode: PermissionMode; readonly origin: Origin } | undefined
  readonly hookAllow: "skips" | "yields" | undefined
  readonly disabledModes: ReadonlyArray<PermissionMode>
  readonly disableAllHooks: boolean | undefined
  readonly managedRulesOnly: boolean | undefined
  readonly managedHooksOnly: boolean | undefined
  readonly managedAddress: { readonly text: string; readonly refreshMinutes: number | undefined } | undefined
  readonly audit: AuditSettings | "off" | undefined
  readonly sandbox: SandboxText | undefined
  readonly maxResultSizeChars: { readonly [tool: string]: number }
  readonly httpHooks: {
    readonly allowedUrls: ReadonlyArray<string> | undefined
    readonly allowedEnvVars: ReadonlyArray<string> | undefined
  }
  readonly mcp: McpText | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
  readonly hides: ReadonlyArray<Unreadable>
}

/**
 * What one settings text says of the sandbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface SandboxText {
  readonly enabled: boolean | undefined
  readonly failIfUnavailable: boolean | undefined
  readonly allowedDomains: ReadonlyArray<string>
}

/**
 * What one settings text says of MCP servers.
 *
 * @category models
 * @since 0.1.0
 */
export interface McpText {
  readonly enableAll: boolean | undefined
  readonly enabled: ReadonlyArray<string>
  readonly disabled: ReadonlyArray<string>
  readonly allowed: ReadonlyArray<McpPattern> | undefined
  readonly denied: ReadonlyArray<McpPattern>
  readonly managedOnly: boolean | undefined
  readonly servers: ReadonlyArray<{ readonly name: string; readonly config: unknown; readonly origin: Origin }>
}

/**
 * Settings that say nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty = (place: SettingsPlace): Settings => ({
  place,
  rules: [],
  hooks: [],
  directories: [],
  mode: undefined,
  hookAllow: undefined,
  disabledModes: [],
  disableAllHooks: undefined,
  managedRulesOnly: undefined,
  managedHooksOnly: undefined,
  managedAddress: undefined,
  audit: undefined,
  sandbox: undefined,
  maxResultSizeChars: {},
  httpHooks: { allowedUrls: undefined, allowedEnvVars: undefined },
  mcp: undefined,
  diagnostics: [],
  hides: []
})
