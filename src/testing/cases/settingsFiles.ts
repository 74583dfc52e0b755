/**
 * The settings of a case, as the files in which people have them.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import { posix, win32 } from "node:path"
import type { Policy } from "../../domain/Policy.ts"
import { RuleSource } from "../../domain/Rule.ts"
import type { SessionState } from "../../domain/SessionState.ts"
import { readTexts, type RuleTexts } from "../../layers/settings/readTexts.ts"
import type { SettingsOptions } from "../../layers/settings/SettingsOptions.ts"
import type { Case } from "./Case.ts"

/**
 * Where the settings of a case go.
 *
 * **Details**
 *
 * - `files`: texts by path, of the sources that are files.
 * - `session`: rules that the session was granted.
 * - `options`: what the command line says.
 * - `beside`: rules of a source that nothing real could give, as of two files
 *   that are one.
 * - `unknown`: sources that do not exist, or that no file can be of.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettingsFiles {
  readonly files: ReadonlyMap<string, string>
  readonly session: SessionState["rules"]
  readonly options: SettingsOptions
  readonly beside: (policy: Policy) => Policy
  readonly unknown: ReadonlyArray<string>
}

/**
 * Lays out the settings of a case. `hookCommands` are the programs that stand
 * for its hooks.
 *
 * @category constructors
 * @since 0.1.0
 */
export const settingsFiles = ({ given }: Case, hookCommands: ReadonlyArray<string>): SettingsFiles => {
  const { cwd, home = "/home/dev", platform = "linux", rules = {}, settings = {} } = given
  const path = platform === "win32" ? win32 : posix
  const raw = settings.rawFiles ?? {}
  const places: { readonly [source: string]: string } = {
    userSettings: path.join(home, ".claude", "settings.json"),
    projectSettings: path.join(cwd, ".claude", "settings.json"),
    localSettings: path.join(cwd, ".claude", "settings.local.json"),
    flagSettings: path.join(home, "flag-settings.json"),
    policySettings: path.join(managed[platform], "managed-settings.json")
  }
  const shared = places["userSettings"] === places["projectSettings"] ? "projectSettings" : undefined
  const free = ["userSettings", "flagSettings", "localSettings"].find((source) => raw[source] === undefined)

  const texts = new Map<string, Fields>()
  const add = (source: string, fields: Fields) => texts.set(source, merged(texts.get(source) ?? {}, fields))
  const beside: Array<readonly [RuleSource, RuleTexts]> = []
  const session = textsOf(rules["session"] ?? {})
  const unknown: Array<string> = [
    ...Object.keys(raw).filter((source) => !Object.hasOwn(places, source)),
    ...Object.keys(rules).filter((source) => !isSource(source))
  ]

  for (const [source, lists] of Object.entries(rules)) {
    if (!isSource(source) || source === "session") continue
    if (places[source] !== undefined && raw[source] === undefined && source !== shared) {
      add(source, { permissions: lists })
      continue
    }
    const { allow, ask, deny } = textsOf(lists)
    if (source === "cliArg") beside.push([source, { ask }])
    else if (source === "command") beside.push([source, { ask, deny }])
    else beside.push([source, { allow, ask, deny }])
  }
  if (free !== undefined && given.hooks !== undefined) add(free, { hooks: hooksOf(given.hooks, hookCommands) })
  if (free !== undefined && settings.hookAllow !== undefined) {
    add(free, { permissions: { hookAllow: settings.hookAllow } })
  }
  if (settings.allowManagedPermissionRulesOnly !== undefined) {
    add("policySettings", { allowManagedPermissionRulesOnly: settings.allowManagedPermissionRulesOnly })
  }

  const files = new Map<string, string>()
  const put = (source: string, text: string) => {
    const file = places[source]
    if (file !== undefined) files.set(file, text)
  }
  for (const [source, fields] of texts) put(source, JSON.stringify(fields, null, 2))
  for (const [source, text] of Object.entries(raw)) put(source, text)
  const flag = places["flagSettings"] ?? ""
  const flagText = files.get(flag)
  return {
    files,
    session,
    options: {
      home,
      platform,
      managedRoot: managed[platform],
      // Rules of the command line are anchored where it was given, not where a file happens to be.
      ...(flagText === undefined ? {} : { flagSettings: /^\s*\{/.test(flagText) ? flagText : flag }),
      allowedTools: textsOf(rules["cliArg"] ?? {}).allow,
      disallowedTools: textsOf(rules["cliArg"] ?? {}).deny,
      commandRules: textsOf(rules["command"] ?? {}).allow,
      knownTools: new Set(["Probe", ...given.tools?.map(({ name }) => name) ?? []])
    },
    beside: withRules(beside, { cwd, home }),
    unknown
  }
}

type Fields = { readonly [name: string]: unknown }

const managed = {
  linux: "/etc/claude-code",
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode"
}

const isSource = (name: string): name is RuleSource => RuleSource.literals.some((source) => source === name)

const isText = (value: unknown): value is string => typeof value === "string"

const textsOf = (lists: { readonly [Key in keyof RuleTexts]?: ReadonlyArray<unknown> }) => ({
  allow: (lists.allow ?? []).filter(isText),
  ask: (lists.ask ?? []).filter(isText),
  deny: (lists.deny ?? []).filter(isText)
})

const merged = (one: Fields, other: Fields): Fields =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => {
      const before = one[name]
      const after = other[name]
      return [name, Predicate.isObject(before) && Predicate.isObject(after) ? { ...before, ...after } : after ?? before]
    })
  )

const hooksOf = (hooks: NonNullable<Case["given"]["hooks"]>, commands: ReadonlyArray<string>): Fields => {
  const events = new Map<string, Array<Fields>>()
  hooks.forEach(({ event, matcher, timeoutMs }, index) => {
    const hook = {
      type: "command",
      command: commands[index] ?? "",
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs / 1000 })
    }
    events.set(event, [...events.get(event) ?? [], { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }])
  })
  return Object.fromEntries(events)
}

const withRules = (
  lists: ReadonlyArray<readonly [RuleSource, RuleTexts]>,
  { cwd, home }: { readonly cwd: string; readonly home: string }
) => {
  const read = lists.map(([source, texts]) => {
    const base = source === "userSettings" ? posix.join(home, ".claude") : source === "policySettings" ? "/" : cwd
    return readTexts(texts, { source, base, root: source === "userSettings" ? home : base })
  })
  const known = new WeakMap<Policy, Policy>()
  return (policy: Policy): Policy => {
    if (read.every(({ diagnostics, rules }) => rules.length === 0 && diagnostics.length === 0)) return policy
    const before = known.get(policy)
    if (before !== undefined) return before
    const after: Policy = {
      ...policy,
      rules: [...policy.rules, ...read.flatMap(({ rules }) => rules)],
      diagnostics: [...policy.diagnostics, ...read.flatMap(({ diagnostics }) => diagnostics)]
    }
    known.set(policy, after)
    return after
  }
}
