/**
 * Settings of all sources, weighed against each other: the policy in force.
 *
 * @since 0.1.0
 */
import type { PermissionMode } from "../../domain/CallContext.ts"
import type { HookEntry } from "../../domain/Hook.ts"
import type { Policy } from "../../domain/Policy.ts"
import type { Diagnostic, Rule, RuleSource } from "../../domain/Rule.ts"
import { joined } from "../../permission/ruleLists.ts"
import { allowsUrl } from "../hooks/allowsUrl.ts"
import { chooseMcp } from "./chooseMcp.ts"
import { originOf } from "./Reading.ts"
import type { Settings } from "./Settings.ts"
import { trustHint } from "./trustHint.ts"

/**
 * One source's settings. `brought` says that they came with a repository that
 * nobody has trusted yet: why, and which folder to trust. `shared` says that they
 * came with one, trusted or not.
 *
 * @category models
 * @since 0.1.0
 */
export interface Source {
  readonly settings: Settings
  readonly brought?: { readonly why: string; readonly trust: string } | undefined
  readonly shared?: boolean | undefined
}

/**
 * What beside the sources makes a policy.
 *
 * @category models
 * @since 0.1.0
 */
export interface Surroundings {
  readonly mode: PermissionMode | undefined
  readonly trusted: boolean
  readonly projectRoot: string
  readonly settingsFiles: ReadonlyArray<string>
  readonly graceMillis: number
  readonly maxResultSizeChars?: { readonly [tool: string]: number } | undefined
  /** Makes a folder as written in settings absolute. */
  readonly resolve: (root: string, text: string) => string
}

/**
 * Combines sources, weakest first, into a policy.
 *
 * **Details**
 *
 * - Deny and ask rules of every source count, whoever wrote them and whatever
 *   managed settings say of others: losing one could only let more through.
 * - What a repository brought loosens nothing: of its allow rules, folders, hooks
 *   and mode only a stricter mode counts.
 * - Of other settings the strongest source's counts, except that one which can
 *   only tighten counts from wherever it comes.
 *
 * @category combining
 * @since 0.1.0
 */
export const combine = (sources: ReadonlyArray<Source>, around: Surroundings): Policy => {
  const managed = sources.filter(isManaged)
  const controls: Controls = {
    managedRulesOnly: strongest(managed, ({ managedRulesOnly }) => managedRulesOnly) ?? false,
    managedHooksOnly: strongest(managed, ({ managedHooksOnly }) => managedHooksOnly) ?? false,
    hooksOff: hooksOff(sources)
  }
  const audit = chooseAudit(sources)
  const sandbox = chooseSandbox(sources, controls)
  const httpHooks = chooseHttpHooks(sources)
  const hooks = orderHooks(sources.filter((source) => hooksCount(source, controls)))
  const maxResultSizeChars = Object.fromEntries(
    [around.maxResultSizeChars ?? {}, ...own(sources).map(({ settings }) => settings.maxResultSizeChars)]
      .flatMap((limits) => Object.entries(limits))
  )
  const mcp = chooseMcp(sources)
  const disabledModes = [...new Set(sources.flatMap(({ settings }) => settings.disabledModes))]
  const { diagnostics, mode } = chooseMode(sources, around.mode, disabledModes)

  return {
    rules: joined(sources.map((source) => rulesOf(source, controls))),
    hooks,
    diagnostics: [
      ...sources.flatMap(({ settings }) => settings.diagnostics),
      ...diagnostics,
      ...hooks.flatMap((entry) => strayHook(entry, httpHooks)),
      ...sources.flatMap((source) => leftOut(source, controls))
    ],
    unreadable: sources.flatMap(({ settings }) => settings.hides),
    mode,
    ...(disabledModes.length === 0 ? {} : { disabledModes }),
    directories: directoriesOf(sources, around),
    hookAllow: chooseHookAllow(sources),
    trusted: around.trusted,
    projectRoot: around.projectRoot,
    settingsFiles: around.settingsFiles,
    graceMillis: around.graceMillis,
    ...(audit === undefined ? {} : { audit }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(Object.keys(maxResultSizeChars).length === 0 ? {} : { maxResultSizeChars }),
    ...(httpHooks === undefined ? {} : { httpHooks }),
    ...(mcp === undefined ? {} : { mcp })
  }
}

/**
 * Whether managed settings admit no permissions but their own.
 *
 * @category guards
 * @since 0.1.0
 */
export const admitsManagedOnly = (sources: ReadonlyArray<Source>): boolean =>
  strongest(sources.filter(isManaged), ({ managedRulesOnly }) => managedRulesOnly) ?? false

interface Controls {
  readonly managedRulesOnly: boolean
  readonly managedHooksOnly: boolean
  readonly hooksOff: ReadonlySet<RuleSource>
}

/** What no repository brought that nobody has trusted. */
const own = (sources: ReadonlyArray<Source>): ReadonlyArray<Source> =>
  sources.filter(({ brought }) => brought === undefined)

const isManaged = ({ settings }: Source): boolean => settings.place.source === "policySettings"

const strongest = <A>(
  sources: ReadonlyArray<Source>,
  said: (settings: Settings) => A | undefined
): A | undefined => sources.map(({ settings }) => said(settings)).findLast((value) => value !== undefined)

const everywhere: ReadonlyArray<RuleSource> = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings"
]

// A project may switch off its own hooks, a person everything but managed ones, a manager everything.
const hooksOff = (sources: ReadonlyArray<Source>): ReadonlySet<RuleSource> => {
  const said = (of: ReadonlyArray<RuleSource>): boolean | undefined =>
    strongest(
      sources.filter(({ brought, settings }) => brought === undefined && of.includes(settings.place.source)),
      ({ disableAllHooks }) => disableAllHooks
    )
  if (said(["policySettings"]) === true) return new Set(everywhere)
  const own = said(["userSettings", "localSettings", "flagSettings"])
  if (own === true) return new Set(everywhere.filter((source) => source !== "policySettings"))
  return new Set(said(["projectSettings"]) === true ? ["projectSettings"] : [])
}

const rulesOf = (source: Source, controls: Controls): ReadonlyArray<Rule> =>
  allowsCount(source, controls) ? source.settings.rules : restrictingOf(source.settings.rules)

// Made once for each list, so that what is compiled from it can be kept.
const restrictingOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const known = restricting.get(rules) ?? rules.filter(({ behavior }) => behavior !== "allow")
  restricting.set(rules, known)
  return known
}

const restricting = new WeakMap<ReadonlyArray<Rule>, ReadonlyArray<Rule>>()

const allowsCount = (source: Source, controls: Controls): boolean =>
  source.brought === undefined && (!controls.managedRulesOnly || isManaged(source))

const hooksCount = (source: Source, controls: Controls): boolean =>
  source.brought === undefined &&
  !controls.hooksOff.has(source.settings.place.source) &&
  (!controls.managedHooksOnly || isManaged(source))

const orderHooks = (sources: ReadonlyArray<Source>): ReadonlyArray<HookEntry> =>
  sources
    .flatMap(({ settings: { hooks, place } }) =>
      hooks.map((hook) => ({
        ...hook,
        source: place.source,
        ...(place.file === undefined ? {} : { file: place.file })
      }))
    )
    .map((entry, order) => ({ ...entry, order }))

const directoriesOf = (sources: ReadonlyArray<Source>, around: Surroundings): ReadonlyArray<string> => [
  ...new Set(
    sources
      .filter(({ brought }) => brought === undefined)
      .flatMap(({ settings: { directories, place } }) =>
        directories.map(({ text }) => around.resolve(place.root, text))
      )
  )
]

/** Whoever may speak of it may require it, where there is one. */
const chooseAudit = (sources: ReadonlyArray<Source>): Policy["audit"] => {
  const said = own(sources).flatMap(({ settings: { audit } }) => audit ?? [])
  const audit = said.at(-1)
  if (audit === undefined || audit === "off") return undefined
  return said.some((one) => one !== "off" && one.required === true) ? { ...audit, required: true } : audit
}

/** Managed lists stand alone; those of other places make one. */
const chooseHttpHooks = (sources: ReadonlyArray<Source>): Policy["httpHooks"] => {
  const listed = (list: (settings: Settings) => ReadonlyArray<string> | undefined) => {
    const of = (from: ReadonlyArray<Source>): ReadonlyArray<string> | undefined => {
      const lists = from.map(({ settings }) => list(settings)).filter((one) => one !== undefined)
      return lists.length === 0 ? undefined : [...new Set(lists.flat())]
    }
    return of(sources.filter(isManaged)) ?? of(own(sources))
  }
  const allowedUrls = listed(({ httpHooks }) => httpHooks.allowedUrls)
  const allowedEnvVars = listed(({ httpHooks }) => httpHooks.allowedEnvVars)
  if (allowedUrls === undefined && allowedEnvVars === undefined) return undefined
  return {
    ...(allowedUrls === undefined ? {} : { allowedUrls }),
    ...(allowedEnvVars === undefined ? {} : { allowedEnvVars })
  }
}

const strayHook = (
  { column, event, file, hook, line, source }: HookEntry,
  httpHooks: Policy["httpHooks"]
): ReadonlyArray<Diagnostic> => {
  if (hook.type !== "http" || httpHooks?.allowedUrls === undefined) return []
  if (allowsUrl(httpHooks.allowedUrls, hook.url)) return []
  const message = "`allowedHttpHookUrls` does not allow the address of this hook, so that it is not asked"
  const origin = {
    source,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column })
  }
  return [{ severity: event === "PreToolUse" ? "error" : "warning", message, origin }]
}

/** Whoever wants one gets one, unless managed settings want none. What loosens it is not for a repository to say. */
const chooseSandbox = (sources: ReadonlyArray<Source>, controls: Controls): Policy["sandbox"] => {
  const wanted = strongest(sources.filter(isManaged), ({ sandbox }) => sandbox?.enabled) ??
    sources.some(({ settings }) => settings.sandbox?.enabled === true)
  if (!wanted) return undefined
  const counting = sources.filter((source) => allowsCount(source, controls))
  return {
    required: strongest(counting, ({ sandbox }) => sandbox?.failIfUnavailable) ?? true,
    allowedDomains: [...new Set(counting.flatMap(({ settings }) => settings.sandbox?.allowedDomains ?? []))]
  }
}

const chooseHookAllow = (sources: ReadonlyArray<Source>): Policy["hookAllow"] =>
  strongest(sources.filter(isManaged), ({ hookAllow }) => hookAllow) ??
    (sources.some(({ settings }) => settings.hookAllow === "yields") ? "yields" : "skips")

const chooseMode = (
  sources: ReadonlyArray<Source>,
  flag: PermissionMode | undefined,
  disabled: ReadonlyArray<PermissionMode>
): { readonly mode: PermissionMode; readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const diagnostics: Array<Diagnostic> = []
  let chosen: { readonly mode: PermissionMode; readonly origin: Diagnostic["origin"] } = {
    mode: "default",
    origin: { source: "cliArg" }
  }
  for (const { brought, settings } of sources) {
    if (settings.mode === undefined) continue
    const { mode, origin } = settings.mode
    const shared = settings.place.source === "projectSettings" || settings.place.source === "localSettings"
    if (shared && (mode === "bypassPermissions" || mode === "auto")) {
      const message = `the mode \`${mode}\` is left out: only user settings, a flag or managed settings can choose it`
      diagnostics.push({ severity: "warning", message, origin })
    } else if (brought === undefined || strictness[mode] > strictness[chosen.mode]) {
      chosen = settings.mode
    } else if (mode !== chosen.mode) {
      const message = `the mode \`${mode}\` is left out, since ${brought.why}: ${trustHint(brought.trust)}`
      diagnostics.push({ severity: "warning", message, origin })
    }
  }
  if (flag !== undefined) chosen = { mode: flag, origin: { source: "cliArg" } }
  if (!disabled.includes(chosen.mode)) return { mode: chosen.mode, diagnostics }
  const message = `the mode \`${chosen.mode}\` is disabled by settings, so that the default mode is used`
  diagnostics.push({ severity: "warning", message, origin: chosen.origin })
  return { mode: "default", diagnostics }
}

const strictness: { readonly [Mode in PermissionMode]: number } = {
  bypassPermissions: 0,
  auto: 1,
  acceptEdits: 1,
  default: 2,
  plan: 3,
  dontAsk: 3
}

const leftOut = (source: Source, controls: Controls): ReadonlyArray<Diagnostic> => {
  const { directories, hooks, maxResultSizeChars, place, rules } = source.settings
  const allows = rules.filter(({ behavior }) => behavior === "allow").length
  const note = (parts: ReadonlyArray<string>, why: string): ReadonlyArray<Diagnostic> => {
    if (parts.length === 0) return []
    const verb = parts.length > 1 || !parts[0]?.startsWith("1 ") ? "are" : "is"
    const message = `${parts.join(" and ")} ${verb} left out, since ${why}`
    return [{ severity: "warning", message, origin: originOf(place) }]
  }
  if (source.brought !== undefined) {
    return note(
      [
        ...count(allows, "allow rule"),
        ...count(directories.length, "working directory"),
        ...count(hooks.length, "hook"),
        ...count(Object.keys(maxResultSizeChars).length, "result limit")
      ],
      `${source.brought.why}: ${trustHint(source.brought.trust)}`
    )
  }
  if (isManaged(source)) return []
  return [
    ...note(controls.managedRulesOnly ? count(allows, "allow rule") : [], "only managed settings may allow anything"),
    ...note(controls.managedHooksOnly ? count(hooks.length, "hook") : [], "only managed settings may have hooks")
  ]
}

const count = (number: number, noun: string): ReadonlyArray<string> =>
  number === 0 ? [] : [number === 1 ? `1 ${noun}` : `${number} ${noun.replace(/y$/, "ie")}s`]
