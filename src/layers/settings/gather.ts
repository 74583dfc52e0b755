/**
 * Everything on disk and in the session that a policy is made from.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { CallContext } from "../../domain/CallContext.ts"
import type { SessionStore } from "../../services/SessionStore.ts"
import type { Trust } from "../../services/Trust.ts"
import { whyFailed } from "../files/whyFailed.ts"
import type { Source, Surroundings } from "./combine.ts"
import { decodeText } from "./decodeText.ts"
import { type Checkout, findCheckout } from "./findCheckout.ts"
import type { ManagedCopy } from "./ManagedCopy.ts"
import { mentions } from "./mentions.ts"
import { originOf } from "./Reading.ts"
import { readSettings } from "./readSettings.ts"
import { readTexts } from "./readTexts.ts"
import { empty, type Settings, type SettingsPlace } from "./Settings.ts"
import type { SettingsOptions } from "./SettingsOptions.ts"
import { exists, isAbsent, missing, type View, watchFiles } from "./watch.ts"

/**
 * What was found for a call.
 *
 * **Details**
 *
 * `keys` are the same values, each by identity, as long as nothing changed, and
 * `name` tells apart what is worth keeping beside each other: sessions without
 * rules of their own share it.
 * `build` reads what was found; it is not called while the keys are the same.
 *
 * @category models
 * @since 0.1.0
 */
export interface Evidence {
  readonly name: string
  readonly keys: ReadonlyArray<unknown>
  readonly files: { readonly user: string; readonly project: string; readonly local: string }
  readonly brought: { readonly project: Source["brought"]; readonly local: Source["brought"] }
  readonly build: () => { readonly sources: ReadonlyArray<Source>; readonly around: Surroundings }
}

/**
 * The machine's part in gathering.
 *
 * @category models
 * @since 0.1.0
 */
export interface Machine {
  readonly fs: FileSystem.FileSystem
  readonly path: Path.Path
  readonly store: SessionStore["Service"]
  readonly trust: Trust["Service"]
}

/**
 * The most that a settings file may hold, in bytes.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxBytes = 2 * 1024 * 1024

/**
 * Reads the text of a settings file.
 *
 * @category reading
 * @since 0.1.0
 */
export const textView = (bytes: Uint8Array): Exclude<View<string>, { readonly _tag: "Missing" }> => {
  const value = decodeText(bytes)
  return value === undefined
    ? { _tag: "Refused", reason: "is not valid UTF-8" }
    : { _tag: "Read", value }
}

/**
 * Makes a way to gather evidence that remembers what it has read.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeGather = (
  { fs, path, store, trust }: Machine,
  options: SettingsOptions
): (context: CallContext) => Effect.Effect<Evidence> => {
  const text = watchFiles(fs, maxBytes, textView)
  const index = indexWith(fs, localName)
  const parse = memoParse()
  const userFolder = options.configDirectory ?? path.join(options.home, ".claude")
  const userFile = path.join(userFolder, "settings.json")
  const managedFolder = options.managedRoot ?? managedRoots[options.platform]
  const flag = flagOf(options.flagSettings, path)
  const known = options.knownTools

  const local = Effect.fnUntraced(function*(cwd: string, cwdTrusted: boolean): Effect.fn.Return<Found> {
    const checkout = yield* findCheckout(fs, path, text, cwd)
    const root = checkout === undefined || options.platform === "win32" ? cwd : checkout.root
    const file = path.join(root, ".claude", "settings.local.json")
    const view = yield* text(file)
    const trusted = root === cwd ? cwdTrusted : yield* trust.isTrusted(root)
    const place: SettingsPlace = { source: "localSettings", file, base: cwd, root, known }
    if (view._tag === "Missing") return { view, place, brought: undefined }
    if (!trusted) {
      const why = yield* whyBrought(root, file, checkout)
      return { view, place, brought: why === undefined ? undefined : { why, trust: root }, shared: why !== undefined }
    }
    // Whose they are matters in a trusted folder for servers alone.
    const servers = parse(view, place).mcp?.servers ?? []
    const shared = servers.length > 0 && checkout !== undefined &&
      (yield* whyBrought(root, file, checkout)) !== undefined
    return { view, place, brought: undefined, shared }
  })

  const whyBrought = Effect.fnUntraced(function*(
    root: string,
    file: string,
    checkout: Checkout | undefined
  ): Effect.fn.Return<string | undefined> {
    const real = Effect.catchTag(fs.realPath(file), "PlatformError", () => Effect.succeed(""))
    const straight = Effect.catchTag(fs.realPath(root), "PlatformError", () => Effect.succeed(root))
    if ((yield* real) !== path.join(yield* straight, ".claude", "settings.local.json")) {
      return "the file is reached through a link of a folder that is not trusted"
    }
    if (checkout === undefined) {
      return "nothing tells whose the file is, in a folder that is neither trusted nor a git checkout"
    }
    const name = path.relative(checkout.root, file).replaceAll("\\", "/")
    const tracked = yield* (name === localName ? index : indexWith(fs, name))(checkout.index)
    if (tracked._tag === "Missing" || tracked._tag === "Read" && !tracked.value) return undefined
    return "the file came with a repository that is not trusted"
  })

  // The same refusal must be the same object, or the policy would look new at every call.
  const refusals = new Map<string, View<string>>()
  const onDisk = Effect.gen(function*(): Effect.fn.Return<ReadonlyArray<Found>> {
    const found = (file: string) =>
      Effect.map(text(file), (view): Found => ({ view, place: managedPlace(path, file), brought: undefined }))
    const folder = path.join(managedFolder, "managed-settings.d")
    const first = yield* found(path.join(managedFolder, "managed-settings.json"))
    if (!(yield* exists(fs, folder))) return [first]
    const names = yield* Effect.result(fs.readDirectory(folder))
    if (names._tag === "Failure") {
      if (isAbsent(names.failure)) return [first]
      const reason = whyFailed(names.failure)
      const view = refusals.get(reason) ?? { _tag: "Refused", reason }
      refusals.set(reason, view)
      return [first, { view, place: managedPlace(path, folder), brought: undefined }]
    }
    const files = names.success.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort()
    return [first, ...(yield* Effect.forEach(files, (name) => found(path.join(folder, name))))]
  })

  // What a server keeps is the strongest of managed settings.
  const managed = Effect.gen(function*(): Effect.fn.Return<ReadonlyArray<Found>> {
    const files = yield* onDisk
    const addresses = new Map(
      files.flatMap(({ place, view }) => {
        const { managedAddress } = parse(view, place)
        return managedAddress === undefined ? [] : [[managedAddress.text, managedAddress.refreshMinutes] as const]
      })
    )
    if (addresses.size === 0) return files
    const fetched = yield* Effect.forEach(addresses, ([address, refreshMinutes]) =>
      Effect.map(
        options.fetchManaged?.(address, refreshMinutes) ?? Effect.succeed(notFetched),
        ({ note, view }): Found => ({
          view,
          place: { source: "policySettings", file: address, base: "/", root: "/" },
          brought: undefined,
          fetched: { note }
        })
      ), { concurrency: "unbounded" })
    return [...files, ...fetched]
  })

  return Effect.fnUntraced(function*(context): Effect.fn.Return<Evidence> {
    const { cwd } = context
    const trusted = yield* trust.isTrusted(cwd)
    const projectFile = path.join(cwd, ".claude", "settings.json")
    const [userView, projectView, locals, flags, policies, session] = yield* Effect.all([
      text(userFile),
      // In the home directory the two are one file, which is the user's own.
      projectFile === userFile ? Effect.succeed(missing) : text(projectFile),
      local(cwd, trusted),
      flag === undefined ? Effect.succeed([]) : Effect.map(flagFound(flag, text, cwd, known), (found) => [found]),
      managed,
      Effect.result(store.get(context.session))
    ])
    const project: Found = {
      view: projectView,
      place: { source: "projectSettings", file: projectFile, base: cwd, root: cwd, known },
      brought: trusted ? undefined : { why: "the folder is not trusted", trust: cwd },
      shared: true
    }
    const user: Found = {
      view: userView,
      place: { source: "userSettings", file: userFile, base: userFolder, root: options.home, known },
      brought: undefined
    }
    const files = [user, project, locals, ...flags, ...policies]
    const sessionKey = session._tag === "Failure" ? session.failure.message : JSON.stringify(session.success.rules)

    const read = ({ brought, fetched, place, shared, view }: Found): Source => {
      const settings = parse(view, place)
      return { settings: fetched === undefined ? settings : withNotes(settings, fetched.note), brought, shared }
    }
    return {
      name: JSON.stringify([cwd, sessionKey]),
      keys: [
        trusted,
        ...files.flatMap(({ brought, fetched, place, shared, view }) => [
          place.file,
          view,
          brought?.why,
          shared,
          fetched?.note
        ])
      ],
      files: { user: userFile, project: projectFile, local: locals.place.file ?? "" },
      brought: { project: project.brought, local: locals.brought },
      build: () => {
        const here = (source: SettingsPlace["source"]): SettingsPlace => ({ source, base: cwd, root: cwd, known })
        return {
          sources: [
            read(user),
            read(project),
            read(locals),
            ...flags.map(read),
            { settings: readTexts({ allow: options.allowedTools, deny: options.disallowedTools }, here("cliArg")) },
            { settings: readTexts({ allow: options.commandRules }, here("command")) },
            ...(options.command === undefined ? [] : [{ settings: options.command }]),
            {
              settings: session._tag === "Success"
                ? readTexts(session.success.rules, here("session"))
                : hidden(here("session"), session.failure.reason, session.failure.path)
            },
            ...policies.map(read)
          ],
          around: {
            mode: options.mode,
            trusted,
            projectRoot: cwd,
            settingsFiles: [
              ...new Set([
                ...files.flatMap(({ fetched, place }) =>
                  place.file === undefined || fetched !== undefined ? [] : [place.file]
                ),
                path.join(managedFolder, "managed-settings.d")
              ])
            ],
            graceMillis: options.graceMillis ?? 0,
            maxResultSizeChars: options.maxResultSizeChars,
            resolve: (root, text) =>
              /^~(?:[/\\]|$)/.test(text) ? path.join(options.home, text.slice(1)) : path.resolve(root, text)
          }
        }
      }
    }
  })
}

interface Found {
  readonly view: View<string>
  readonly place: SettingsPlace
  readonly brought: Source["brought"]
  readonly shared?: Source["shared"]
  /** There for settings that a server keeps, whose place is an address and no file. */
  readonly fetched?: Pick<ManagedCopy, "note">
}

const notFetched: ManagedCopy = {
  view: { _tag: "Refused", reason: "can't be fetched, since this program fetches no settings" },
  note: undefined
}

const withNotes = (settings: Settings, note: string | undefined): Settings => ({
  ...settings,
  diagnostics: [
    ...(note === undefined ? [] : [{ severity: "warning", message: note, origin: originOf(settings.place) } as const]),
    ...settings.diagnostics,
    ...(settings.managedAddress === undefined ? [] : [
      {
        severity: "warning",
        message: "`managedSettingsUrl` is left out of settings that were fetched",
        origin: originOf(settings.place)
      } as const
    ])
  ]
})

const localName = ".claude/settings.local.json"

const maxIndexBytes = 64 * 1024 * 1024

const indexWith = (fs: FileSystem.FileSystem, name: string): (file: string) => Effect.Effect<View<boolean>> =>
  watchFiles(fs, maxIndexBytes, (bytes) => ({ _tag: "Read", value: mentions(bytes, name) }))

/**
 * Where managed settings lie on each platform.
 *
 * @category constants
 * @since 0.1.0
 */
export const managedRoots: { readonly [Platform in SettingsOptions["platform"]]: string } = {
  linux: "/etc/claude-code",
  darwin: "/Library/Application Support/ClaudeCode",
  win32: "C:\\Program Files\\ClaudeCode"
}

const managedPlace = (path: Path.Path, file: string): SettingsPlace => ({
  source: "policySettings",
  file,
  // A manager's `/etc/**` speaks of the machine, not of the folder of managed settings.
  base: path.parse(file).root || "/",
  root: path.parse(file).root || "/"
})

type Flag =
  | { readonly _tag: "Inline"; readonly view: View<string> }
  | { readonly _tag: "File"; readonly file: string; readonly folder: string }

const flagOf = (value: string | undefined, path: Path.Path): Flag | undefined => {
  if (value === undefined) return undefined
  if (/^\s*\{/.test(value)) return { _tag: "Inline", view: { _tag: "Read", value } }
  const file = path.resolve(value)
  return { _tag: "File", file, folder: path.dirname(file) }
}

const flagFound = (
  flag: Flag,
  text: (file: string) => Effect.Effect<View<string>>,
  cwd: string,
  known: ReadonlySet<string> | undefined
): Effect.Effect<Found> => {
  const source = "flagSettings"
  if (flag._tag === "Inline") {
    return Effect.succeed({ view: flag.view, place: { source, base: cwd, root: cwd, known }, brought: undefined })
  }
  return Effect.map(text(flag.file), (view) => ({
    // Somebody named this file: that it is missing is no small thing.
    view: view._tag === "Missing" ? notThere : view,
    place: { source, file: flag.file, base: flag.folder, root: flag.folder, known },
    brought: undefined
  }))
}

const notThere: View<never> = { _tag: "Refused", reason: "is not there" }

const hidden = (place: SettingsPlace, reason: string, file: string | undefined): Settings => ({
  ...empty(place),
  hides: [{ origin: { source: place.source, ...(file === undefined ? {} : { file }) }, reason }]
})

const memoParse = (): (view: View<string>, place: SettingsPlace) => Settings => {
  const memo = new WeakMap<View<string>, Map<string, Settings>>()
  return (view, place) => {
    if (view._tag === "Missing") return empty(place)
    if (view._tag === "Refused") return hidden(place, view.reason, place.file)
    const key = JSON.stringify([place.source, place.file, place.base, place.root])
    const settings = memo.get(view)?.get(key) ?? readSettings(view.value, place)
    memo.set(view, (memo.get(view) ?? new Map<string, Settings>()).set(key, settings))
    return settings
  }
}
