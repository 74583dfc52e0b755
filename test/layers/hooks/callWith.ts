import type { CommandHook, HookEntry, HookEvent } from "../../../src/domain/Hook.ts"
import type { HookCall } from "../../../src/services/HookRunner.ts"

/** A hook in force, with only what a test is about said. */
export const hookOf = (
  hook: string | Omit<CommandHook, "type">,
  entry: Partial<Omit<HookEntry, "hook">> & { readonly event?: HookEvent } = {}
): HookEntry => ({
  event: "PreToolUse",
  matcher: "",
  source: "userSettings",
  order: 0,
  ...entry,
  hook: typeof hook === "string" ? { type: "command", command: hook } : { type: "command", ...hook }
})

/** A call of Bash in a folder, with these hooks, in order. */
export const callWith = (hooks: ReadonlyArray<HookEntry>, call: Partial<HookCall> = {}): HookCall => ({
  id: "toolu_1",
  tool: "Bash",
  input: { command: "npm test" },
  context: { session: "s", cwd: "/", directories: [] },
  mode: "default",
  ...call,
  policy: {
    rules: [],
    hooks: hooks.map((hook, order) => ({ ...hook, order })),
    diagnostics: [],
    unreadable: [],
    mode: "default",
    directories: [],
    hookAllow: "skips",
    trusted: true,
    projectRoot: "/",
    settingsFiles: [],
    graceMillis: 0,
    ...call.policy
  }
})

/** What a hook prints to decide before a tool. */
export const says = (fields: { readonly [name: string]: unknown }): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } })
