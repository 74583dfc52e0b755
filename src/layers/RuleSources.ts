/**
 * Layers that provide `RuleSources`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import { posix } from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import type { Policy } from "../domain/Policy.ts"
import { remember } from "../domain/remember.ts"
import type { Rule, RuleSource } from "../domain/Rule.ts"
import type { SessionState } from "../domain/SessionState.ts"
import { StoreFailed } from "../errors/SessionError.ts"
import { joined } from "../permission/ruleLists.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { SessionStore } from "../services/SessionStore.ts"
import { Trust } from "../services/Trust.ts"
import { admitsManagedOnly, combine, type Source } from "./settings/combine.ts"
import { type Evidence, makeGather } from "./settings/gather.ts"
import { grantRules } from "./settings/grantRules.ts"
import { readRule } from "./settings/readRule.ts"
import { readSettings } from "./settings/readSettings.ts"
import { readTexts, type RuleTexts } from "./settings/readTexts.ts"
import type { SettingsOptions } from "./settings/SettingsOptions.ts"
import { trustHint } from "./settings/trustHint.ts"

/**
 * Layer that reads settings files where people keep them, and again whenever one
 * changed.
 *
 * **Details**
 *
 * The start directory is the call's own `cwd`. Project settings are read there
 * and nowhere above; local settings at the root of the git checkout, of the main
 * one for a linked worktree, or at `cwd` outside of any.
 *
 * Local settings are the user's own unless git tracks them or a link leads to
 * them; what tells is git's index, and what can't be read there counts as
 * tracked. In a trusted folder neither matters.
 *
 * **Gotchas**
 *
 * Outside of a git checkout local settings count as the user's own, wherever the
 * folder came from.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSettings = (
  options: SettingsOptions
): Layer.Layer<RuleSources, never, FileSystem.FileSystem | Path.Path | SessionStore | Trust> =>
  Layer.effect(
    RuleSources,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const store = yield* SessionStore
      const trust = yield* Trust
      const gather = makeGather({ fs, path, store, trust }, options)
      const remembered = new Map<string, { readonly keys: ReadonlyArray<unknown>; readonly policy: Policy }>()

      const policy = Effect.fnUntraced(function*(context: CallContext): Effect.fn.Return<Policy> {
        const { build, keys, name } = yield* gather(context)
        const before = remembered.get(name)
        if (before !== undefined && sameKeys(before.keys, keys)) return before.policy
        const { around, sources } = build()
        const policy = combine(sources, around)
        yield* tell(policy)
        remember(remembered, name, { keys, policy }, mostRemembered)
        return policy
      })

      const grant = Effect.fn("RuleSources.grant")(function*(
        context: CallContext,
        destination: RuleSource,
        rules: ReadonlyArray<string>
      ): Effect.fn.Return<void, StoreFailed> {
        const evidence = yield* gather(context)
        const reason = whyRefused(evidence, destination, rules)
        if (reason !== undefined) return yield* new StoreFailed({ path: placeOf(evidence, destination), reason })
        if (destination === "session") {
          yield* store.update(context.session, (state) => withSessionRules(state, rules))
          return
        }
        const mode = destination === "projectSettings" ? 0o644 : 0o600
        yield* grantRules(placeOf(evidence, destination), rules, mode).pipe(
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path)
        )
      })

      return RuleSources.of({ policy, grant })
    })
  )

/** Whoever reads no diagnostics hears all the same that rules are lost. Which ones may be the user's to know. */
const tell = (policy: Policy): Effect.Effect<void> => {
  const lost = [...policy.unreadable, ...policy.diagnostics.filter(({ severity }) => severity === "error")]
  return lost.length === 0 ? Effect.void : Effect.andThen(
    Effect.logWarning("settings can't be read, or hold rules and other entries that don't count", lost.length),
    Effect.logDebug("settings that don't count", lost)
  )
}

/**
 * What `layerMemory` serves: any part of a policy, rules as text, and whole
 * settings files as text, by source.
 *
 * **Details**
 *
 * Rules are anchored as if they came from files of `home` (`/home/user` when left
 * out) and of the call's working directory. With `trusted: false` project settings
 * are what a repository brought.
 *
 * @category options
 * @since 0.1.0
 */
export interface MemoryPolicy extends Partial<Policy> {
  readonly texts?: { readonly [Source in RuleSource]?: RuleTexts | undefined } | undefined
  readonly files?: { readonly [Source in RuleSource]?: string | undefined } | undefined
  readonly home?: string | undefined
}

/**
 * Layer that serves a fixed policy, in a trusted folder unless it says otherwise.
 * Grants are kept in memory, those for a session by session.
 *
 * **When to use**
 *
 * Use when the rules are in hand, as in tests and in applications that have
 * settings of their own.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerMemory = (given: MemoryPolicy = {}): Layer.Layer<RuleSources> =>
  Layer.sync(RuleSources, () => {
    const granted: Array<{ readonly session: string | undefined; readonly rule: (cwd: string) => Rule | undefined }> =
      []
    const read = new Map<string, Policy>()
    const remembered = new Map<string, Policy>()
    const readFor = (context: CallContext): Policy => {
      const known = read.get(context.cwd) ?? fixed(given, context)
      remember(read, context.cwd, known, mostRemembered)
      return known
    }

    return RuleSources.of({
      policy: (context) =>
        Effect.sync(() => {
          const name = `${context.session}\0${context.cwd}`
          const known = remembered.get(name)
          if (known !== undefined) return known
          const policy = withGrants(readFor(context), granted, context)
          remember(remembered, name, policy, mostRemembered)
          return policy
        }),
      grant: Effect.fn("RuleSources.grant")(
        function*(context, destination, rules): Effect.fn.Return<void, StoreFailed> {
          if (!writable.has(destination)) {
            return yield* new StoreFailed({ path: destination, reason: "is no place that rules can be saved in" })
          }
          for (const text of rules) {
            granted.push({
              session: destination === "session" ? context.session : undefined,
              rule: (cwd) =>
                readRule(text, "allow", { source: destination }, { source: destination, base: cwd, root: cwd }).rule
            })
          }
          remembered.clear()
        }
      )
    })
  })

const writable: ReadonlySet<RuleSource> = new Set(["session", "localSettings", "projectSettings", "userSettings"])

const mostRemembered = 1024

const sameKeys = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index])

const placeOf = ({ files }: Evidence, destination: RuleSource): string => {
  switch (destination) {
    case "userSettings":
      return files.user
    case "projectSettings":
      return files.project
    case "localSettings":
      return files.local
    default:
      return destination
  }
}

const whyRefused = (
  { brought, build }: Evidence,
  destination: RuleSource,
  rules: ReadonlyArray<string>
): string | undefined => {
  if (!writable.has(destination)) return "is no place that rules can be saved in"
  if (admitsManagedOnly(build().sources)) return "takes no rules, since only managed settings may allow anything"
  const from: Source["brought"] = destination === "projectSettings"
    ? brought.project
    : destination === "localSettings"
    ? brought.local
    : undefined
  if (from !== undefined) return `takes no rules, since ${from.why}: ${trustHint(from.trust)}`
  const place = { source: destination, base: "/", root: "/" }
  const lost = rules.find((rule) => readRule(rule, "allow", { source: destination }, place).rule === undefined)
  return lost === undefined ? undefined : `can't keep \`${lost}\`, which is no rule that allows anything`
}

const withSessionRules = (state: SessionState, rules: ReadonlyArray<string>): SessionState => ({
  ...state,
  rules: { ...state.rules, allow: [...new Set([...state.rules.allow, ...rules])] }
})

// Weakest first, as `combine` wants them.
const order: ReadonlyArray<RuleSource> = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "cliArg",
  "command",
  "session",
  "policySettings"
]

const fixed = ({ files, home = "/home/user", texts, ...given }: MemoryPolicy, { cwd }: CallContext): Policy => {
  const sources = order.flatMap((source): ReadonlyArray<Source> => {
    const base = source === "userSettings" ? posix.join(home, ".claude") : source === "policySettings" ? "/" : cwd
    const place = { source, base, root: source === "userSettings" ? home : base }
    const brought = source === "projectSettings" && given.trusted === false
      ? { why: "the folder is not trusted", trust: cwd }
      : undefined
    const file = files?.[source]
    const rules = texts?.[source]
    return [
      ...(rules === undefined ? [] : [{ settings: readTexts(rules, place), brought }]),
      ...(file === undefined ? [] : [{ settings: readSettings(file, place), brought }])
    ]
  })
  const read = combine(sources, {
    mode: given.mode,
    trusted: given.trusted ?? true,
    projectRoot: cwd,
    settingsFiles: [],
    graceMillis: 0,
    resolve: (root, text) => /^~(?:\/|$)/.test(text) ? posix.join(home, text.slice(1)) : posix.resolve(root, text)
  })
  return {
    ...read,
    ...given,
    mode: read.mode,
    rules: joined([read.rules, given.rules ?? []]),
    hooks: [...read.hooks, ...(given.hooks ?? [])],
    diagnostics: [...read.diagnostics, ...(given.diagnostics ?? [])],
    unreadable: [...read.unreadable, ...(given.unreadable ?? [])],
    directories: [...read.directories, ...(given.directories ?? [])]
  }
}

const withGrants = (
  policy: Policy,
  granted: ReadonlyArray<{ readonly session: string | undefined; readonly rule: (cwd: string) => Rule | undefined }>,
  context: CallContext
): Policy => {
  const rules = granted
    .filter(({ session }) => session === undefined || session === context.session)
    .flatMap(({ rule }) => rule(context.cwd) ?? [])
  return rules.length === 0 ? policy : { ...policy, rules: joined([policy.rules, rules]) }
}
