/** A folder of its own for one test, with files in it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { CallContext } from "../../../src/domain/CallContext.ts"
import type { RuleSource } from "../../../src/domain/Rule.ts"
import * as RuleSourcesLayers from "../../../src/layers/RuleSources.ts"
import * as SessionStoreLayers from "../../../src/layers/SessionStore.ts"
import type { SettingsOptions } from "../../../src/layers/settings/SettingsOptions.ts"
import * as TrustLayers from "../../../src/layers/Trust.ts"
import { RuleSources } from "../../../src/services/RuleSources.ts"
import type { SessionStore } from "../../../src/services/SessionStore.ts"
import type { Trust } from "../../../src/services/Trust.ts"

export interface Files {
  readonly root: string
  /** The path of a file of the folder. */
  readonly at: (name: string) => string
  /** Writes a file as text or bytes, or as JSON when it is neither. */
  readonly write: (name: string, content: unknown) => void
  readonly read: (name: string) => string
  readonly has: (name: string) => boolean
  /** Makes a file look as if nobody had touched it for years. */
  readonly age: (name: string) => void
  /** Runs with the rule sources of this folder: `home`, `etc` and a repository `repo`. */
  readonly settings: <A, E>(
    use: Effect.Effect<A, E, RuleSources | SessionStore | Trust>,
    options?: Partial<SettingsOptions> & { readonly trusted?: boolean }
  ) => Effect.Effect<A, E>
  readonly context: CallContext
}

export const withFiles = <A, E>(
  files: { readonly [name: string]: unknown },
  use: (files: Files) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => make(files)),
    use,
    ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

export const policyOf = Effect.fnUntraced(function*(context: CallContext) {
  return yield* (yield* RuleSources).policy(context)
})

export const grant = Effect.fnUntraced(function*(
  context: CallContext,
  destination: RuleSource,
  rules: ReadonlyArray<string>
) {
  return yield* (yield* RuleSources).grant(context, destination, rules)
})

const make = (files: { readonly [name: string]: unknown }): Files => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-settings-")))
  const at = (name: string) => join(root, name)
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(
      at(name),
      typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content)
    )
  }
  mkdirSync(at("repo"))
  for (const [name, content] of Object.entries(files)) write(name, content)
  return {
    root,
    at,
    write,
    read: (name) => readFileSync(at(name), "utf8"),
    has: (name) => existsSync(at(name)),
    age: (name) => utimesSync(at(name), 1_000_000_000, 1_000_000_000),
    context: { session: "one", cwd: at("repo"), directories: [] },
    settings: (use, { trusted = true, ...options } = {}) =>
      Effect.provide(
        use,
        RuleSourcesLayers.layerSettings({
          home: at("home"),
          platform: "linux",
          managedRoot: at("etc"),
          ...options
        }).pipe(
          Layer.provideMerge([TrustLayers.layerMemory(trusted ? [at("repo")] : []), SessionStoreLayers.layerMemory]),
          Layer.provide(NodeServices.layer)
        )
      )
  }
}
