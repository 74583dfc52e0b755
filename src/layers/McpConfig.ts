/**
 * Layers that provide `McpConfig`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { CallContext } from "../domain/CallContext.ts"
import type { McpConfiguration, McpEntry, McpRefusal, McpScope } from "../domain/McpEntry.ts"
import { maxMcpServerLength, mcpServerName } from "../domain/mcpNames.ts"
import { nearest } from "../domain/nearest.ts"
import type { Platform } from "../domain/Place.ts"
import type { Policy } from "../domain/Policy.ts"
import type { Diagnostic, Origin } from "../domain/Rule.ts"
import { McpConfig } from "../services/McpConfig.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { type ServerChange, Trust } from "../services/Trust.ts"
import { expandVariables } from "./mcp/expandVariables.ts"
import { readServers, readUserState, type ServersText, type Written } from "./mcp/readServers.ts"
import { whyForbidden } from "./mcp/whyForbidden.ts"
import { managedRoots, textView } from "./settings/gather.ts"
import { shellWord } from "./settings/shellWord.ts"
import { trustHint } from "./settings/trustHint.ts"
import { type View, watchFiles } from "./settings/watch.ts"

/**
 * Where servers are looked for.
 *
 * **Details**
 *
 * - `home`: the user's home directory, absolute.
 * - `managedRoot`: the folder of managed settings, when not the platform's own.
 * - `flags`: each a path, or the configuration itself as JSON.
 * - `environment`: what variables in configurations stand for.
 *
 * @category options
 * @since 0.1.0
 */
export interface McpConfigOptions {
  readonly home: string
  readonly platform: Platform
  readonly managedRoot?: string | undefined
  readonly flags?: ReadonlyArray<string> | undefined
  readonly environment: { readonly [name: string]: string | undefined }
}

/**
 * Layer that finds servers where people configure them.
 *
 * **Details**
 *
 * Of two servers with one name the stronger counts: the command line before the
 * user's for this project, those before the project's own, and the user's for all
 * projects last. One that a repository brought and nobody approved hides no other,
 * and none counts any longer once its configuration is another than when the folder
 * was trusted.
 * A `managed-mcp.json` beside the managed settings names the only servers there
 * are.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFiles = (
  options: McpConfigOptions
): Layer.Layer<McpConfig, never, FileSystem.FileSystem | Path.Path | RuleSources | Trust> =>
  Layer.effect(
    McpConfig,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const sources = yield* RuleSources
      const trust = yield* Trust
      const look = watchFiles(fs, maxBytes, textView)
      const managedFile = path.join(options.managedRoot ?? managedRoots[options.platform], "managed-mcp.json")
      const stateFile = path.join(options.home, ".claude.json")

      const read = <A>(
        parse: (text: string, origin: Origin & { readonly file: string }, project: string) => A,
        refused: (diagnostic: Diagnostic) => A
      ) => {
        // A text is the same object while its file is the same.
        const parsed = new WeakMap<View<string>, { readonly key: string; readonly value: A }>()
        return Effect.fnUntraced(function*(
          file: string,
          source: Origin["source"],
          project = ""
        ): Effect.fn.Return<A | undefined> {
          const view = yield* look(file)
          const origin = { source, file }
          switch (view._tag) {
            case "Missing":
              return undefined
            case "Read": {
              const key = JSON.stringify([source, project])
              const before = parsed.get(view)
              if (before?.key === key) return before.value
              const value = parse(view.value, origin, project)
              parsed.set(view, { key, value })
              return value
            }
            case "Refused":
              return refused({ severity: "error", message: `it can't be read: it ${view.reason}`, origin })
          }
        })
      }

      const servers = read(readServers, broken)
      const userState = read(
        (text, { file }, project) => readUserState(text, file, project),
        (diagnostic) => ({ user: broken(diagnostic), local: nothing, enabled: [], disabled: [] })
      )

      const inline = new Map(
        (options.flags ?? []).flatMap((value) =>
          /^\s*\{/.test(value) ? [[value, readServers(value, { source: "flagSettings" })] as const] : []
        )
      )
      const flag = Effect.fnUntraced(function*(value: string): Effect.fn.Return<ServersText> {
        const text = inline.get(value)
        if (text !== undefined) return text
        const file = path.resolve(value)
        const missing = {
          severity: "error",
          message: "it is not there",
          origin: { source: "flagSettings", file }
        } as const
        return (yield* servers(file, "flagSettings")) ?? broken(missing)
      })

      const found = Effect.fnUntraced(function*(context: CallContext): Effect.fn.Return<McpConfiguration> {
        const policy = yield* sources.policy(context)
        const managed = yield* servers(managedFile, "policySettings")
        const [flags, state, project] = yield* Effect.all([
          Effect.forEach(options.flags ?? [], flag),
          userState(stateFile, "userSettings", policy.projectRoot),
          servers(path.join(policy.projectRoot, ".mcp.json"), "projectSettings")
        ], { concurrency: "unbounded" })

        const settings = (source: Origin["source"]): ReadonlyArray<Offered> =>
          policy.mcp?.servers.filter(({ origin }) => origin.source === source) ?? []
        const approving = {
          enableAll: policy.mcp?.enableAll ?? false,
          enabled: new Set([...policy.mcp?.enabled ?? [], ...state?.enabled ?? []]),
          disabled: new Set([...policy.mcp?.disabled ?? [], ...state?.disabled ?? []])
        }
        // Strongest first.
        const texts: ReadonlyArray<readonly [McpScope, ReadonlyArray<Offered>]> = managed !== undefined ?
          [["managed", managed.servers]] :
          [
            ["managed", settings("policySettings")],
            ["flag", [...flags.flatMap(({ servers }) => servers), ...settings("flagSettings")]],
            ["local", [...state?.local.servers ?? [], ...settings("localSettings")]],
            ["project", [...project?.servers ?? [], ...settings("projectSettings")]],
            ["user", [...state?.user.servers ?? [], ...settings("userSettings")]]
          ]
        const names = new Set(texts.flatMap(([, servers]) => servers.map(({ name }) => name)))
        const misspelt = [...approving.enabled].filter((name) => !names.has(name))
        const environment = { CLAUDE_PROJECT_DIR: policy.projectRoot, ...options.environment }
        const all = yield* Effect.forEach(
          texts.flatMap(([scope, servers]) => servers.map((server) => ({ scope, ...server }))),
          Effect.fnUntraced(function*({ brought = false, config, name, origin, scope, shared = scope === "project" }) {
            const change = shared ? yield* trust.changeOf(policy.projectRoot, { name, written: config }) : undefined
            const expanded = expandVariables(config, environment)
            const refused = whyHidden(policy) ??
              whyUnapproved({ brought, name, origin, scope, change }, { ...approving, misspelt }, policy) ??
              whyOff(config) ??
              whyNot(name, Result.getOrElse(expanded, () => config), policy) ??
              (Result.isFailure(expanded) ? { because: "broken", why: expanded.failure } as const : undefined)
            const entry: McpEntry = {
              name,
              scope,
              origin,
              brought: shared,
              written: config,
              config: Result.getOrElse(expanded, () => config),
              ...(refused === undefined ? {} : { refused })
            }
            return entry
          })
        )
        return {
          entries: withoutCollisions(strongest(all)),
          diagnostics: [managed, ...managed === undefined ? [...flags, state?.local, state?.user, project] : []]
            .flatMap((text) => text?.diagnostics ?? [])
        }
      })
      return McpConfig.of({ servers: found })
    })
  )

/** `brought`: by a folder that nobody trusts; `shared`: by any. */
type Offered = Written & { readonly brought?: boolean; readonly shared?: boolean }

const maxBytes = 64 * 1024 * 1024

const nothing: ServersText = { servers: [], diagnostics: [] }

const broken = (diagnostic: Diagnostic): ServersText => ({ servers: [], diagnostics: [diagnostic] })

/** What can't be read of managed settings may have forbidden every one of them. */
const whyHidden = ({ unreadable }: Policy): McpRefusal | undefined => {
  const hidden = unreadable.find(({ origin }) => origin.source === "policySettings")
  return hidden === undefined ? undefined : {
    because: "forbidden",
    why: `managed settings can't be read, and may forbid it: \`${
      hidden.origin.file ?? "policySettings"
    }\` ${hidden.reason}`
  }
}

const whyUnapproved = (
  { brought, change, name, origin, scope }: Pick<McpEntry, "brought" | "name" | "origin" | "scope"> & {
    readonly change: ServerChange | undefined
  },
  { disabled, enableAll, enabled, misspelt }: {
    readonly enableAll: boolean
    readonly enabled: ReadonlySet<string>
    readonly disabled: ReadonlySet<string>
    readonly misspelt: ReadonlyArray<string>
  },
  { projectRoot, trusted }: Policy
): McpRefusal | undefined => {
  if (brought || scope === "project" && !trusted) {
    return { because: "untrusted", why: `it came with a folder that is not trusted: ${trustHint(projectRoot)}` }
  }
  // A server that settings name was chosen by whoever wrote them; `.mcp.json` only offers its own.
  const offered = scope === "project" && origin.file?.endsWith(".mcp.json") === true
  if (offered && disabled.has(name)) {
    return { because: "disabled", why: "`disabledMcpjsonServers` in settings names it" }
  }
  if (change !== undefined) return whyChanged(name, change, projectRoot)
  if (!offered || enableAll || enabled.has(name)) return undefined
  const [near] = nearest(name, misspelt, 1)
  const instead = near === undefined ? "" : ` (\`${near}\` is enabled, and no server has that name)`
  return {
    because: "unapproved",
    why:
      `nobody approved it yet: add \`${name}\` to \`enabledMcpjsonServers\` in \`.claude/settings.local.json\`${instead}`
  }
}

const whyChanged = (name: string, change: ServerChange, directory: string): McpRefusal => {
  const then = `look at it with \`toolgate mcp get ${shellWord(name)}\`, then ${trustHint(directory)} as it is now`
  if (change._tag === "Unseen") {
    return { because: "unseen", why: `it was not shown when the folder was trusted: ${then}` }
  }
  // A name that somebody chose for what is read of it is not repeated.
  const members = change.members.filter((member) => /^\w{1,30}$/.test(member)).map((member) => `\`${member}\``)
  const which = members.length === 0 ? "" : `, by ${members.join(", ")}`
  return { because: "changed", why: `it changed since the folder was trusted${which}: ${then}` }
}

const whyOff = (config: unknown): McpRefusal | undefined =>
  Predicate.hasProperty(config, "disabled") && config.disabled === true ||
    Predicate.hasProperty(config, "enabled") && config.enabled === false
    ? { because: "disabled", why: "its configuration switches it off" }
    : undefined

const whyNot = (name: string, config: unknown, policy: Policy): McpRefusal | undefined => {
  const why = whyForbidden(name, config, policy.mcp)
  return why === undefined ? undefined : { because: "forbidden", why }
}

const strongest = (entries: ReadonlyArray<McpEntry>): ReadonlyArray<McpEntry> => {
  const chosen = new Map<string, McpEntry>()
  for (const entry of entries) {
    const before = chosen.get(entry.name)
    if (before === undefined || isOffered(before) && !isOffered(entry)) chosen.set(entry.name, entry)
  }
  return [...chosen.values()]
}

/** What a repository only offers is to hide nothing of the user's own. */
const isOffered = ({ refused }: McpEntry): boolean => refused !== undefined && offers.has(refused.because)

const offers: ReadonlySet<McpRefusal["because"]> = new Set(["untrusted", "unseen", "changed", "unapproved"])

const withoutCollisions = (entries: ReadonlyArray<McpEntry>): ReadonlyArray<McpEntry> => {
  const taken = new Map<string, string>()
  return entries.map((entry) => {
    const name = mcpServerName(entry.name)
    if (name === "") return { ...entry, refused: { because: "broken", why: "its name is empty" } }
    if (entry.refused !== undefined) return entry
    if (name.length > maxMcpServerLength) {
      const why =
        `its name is longer than ${maxMcpServerLength} characters, too long for rules to name its tools: rename it`
      return { ...entry, refused: { because: "broken", why } }
    }
    const other = taken.get(name)
    taken.set(name, other ?? entry.name)
    return other === undefined ? entry : {
      ...entry,
      refused: { because: "broken", why: `its tools would have the names of those of \`${other}\`: rename one of them` }
    }
  })
}
