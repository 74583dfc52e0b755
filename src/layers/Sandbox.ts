/**
 * Layer that provides `Sandbox`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { randomBytes } from "node:crypto"
import { realpathSync } from "node:fs"
import { join } from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import type { Place } from "../domain/Place.ts"
import type { Rule } from "../domain/Rule.ts"
import { ToolFailed } from "../errors/ExecuteError.ts"
import { withheld } from "../permission/withheld.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { type Program, Sandbox, type Sandboxed } from "../services/Sandbox.ts"
import { closedNames } from "./sandbox/closedNames.ts"
import { deniedPaths } from "./sandbox/deniedPaths.ts"
import { type StandIns, standIns } from "./sandbox/standIns.ts"

/**
 * What the sandbox is to do where settings say nothing of it.
 *
 * **Details**
 *
 * - `always`: whether there is one although no settings switch it on.
 * - `onMissing`: what happens to commands where there can be no sandbox: they
 *   are refused when left out, or run without one, and the result says so.
 * - `allowedDomains`: hosts that may be reached beside those that allow rules for
 *   WebFetch and settings name.
 *
 * @category options
 * @since 0.1.0
 */
export interface SandboxOptions {
  readonly always?: boolean
  readonly onMissing?: "refuse" | "continue"
  readonly allowedDomains?: ReadonlyArray<string>
}

/**
 * Layer that runs commands in the sandbox of `@anthropic-ai/sandbox-runtime`:
 * bubblewrap on Linux, Seatbelt on macOS.
 *
 * **Details**
 *
 * It is off until settings or `always` switch it on. It is made of the rules in
 * force: a command writes in the working directories
 * alone, but for what deny rules for Edit, settings files and Toolgate's own
 * state close; it reads what no deny rule for Read closes; it reaches the hosts
 * that WebFetch may. Linux needs `bubblewrap` and `socat`. The package is an
 * optional one, and loaded with the first command.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerRuntime = (
  stateDirectory: string,
  options: SandboxOptions = {}
): Layer.Layer<never, never, FileSystem.FileSystem | PathResolver | RuleSources> =>
  Layer.effect(
    Sandbox,
    Effect.gen(function*() {
      const paths = yield* PathResolver
      const putStandIns = standIns(stateDirectory, yield* FileSystem.FileSystem)
      const sources = yield* RuleSources
      const start = yield* Effect.cached(started)

      const wrap = Effect.fnUntraced(function*(
        context: CallContext,
        program: Program,
        own?: string
      ): Effect.fn.Return<Sandboxed, ToolFailed> {
        const outside: Sandboxed = { program, contained: false, release: Effect.void }
        const policy = yield* sources.policy(context)
        if (policy.sandbox === undefined && options.always !== true) return outside
        const runtime = yield* start
        if (typeof runtime === "string") {
          const missing = `there is no sandbox: ${runtime}`
          if (policy.sandbox?.required ?? (options.onMissing !== "continue")) {
            return yield* new ToolFailed({ reason: missing })
          }
          return { ...outside, notice: missing }
        }
        const { caseInsensitive, home, platform, stateDirectories } = paths
        const directories = [...context.directories, ...policy.directories]
        const place: Place = {
          cwd: context.cwd,
          projectRoot: policy.projectRoot,
          home,
          directories,
          platform,
          caseInsensitive,
          protectedPaths: [...stateDirectories, ...policy.settingsFiles]
        }
        if (deniesAll(policy.rules, "Read")) {
          return yield* new ToolFailed({
            reason: "a rule denies every use of Read, and no command can run in a sandbox that nothing can be read in"
          })
        }
        const denyRead = yield* deniedPaths(policy.rules, "Read", place)
        const allowWrite = deniesAll(policy.rules, "Edit") ? [] : [context.cwd, ...directories]
        const denyWrite = [
          ...(yield* deniedPaths(policy.rules, "Edit", place)),
          ...place.protectedPaths,
          ...allowWrite.flatMap(closedNames)
        ]
        const homes = allowWrite.filter((folder) => isSameFolder(folder, home))
        const held = process.platform === "linux"
          // In a home folder they would be in the way of every shell outside, and of git inside and out.
          ? yield* putStandIns(
            denyWrite,
            allowWrite.filter((folder) => !homes.includes(folder)),
            homes.map((folder) => join(folder, ".gitconfig"))[0]
          )
          : noStandIns
        const id = randomBytes(16).toString("base64url")
        const { argv: [file = "", option = "", command = ""] } = yield* Effect.tryPromise({
          try: () => {
            runtime.deny(domainsOf(policy.rules, "deny"))
            return runtime.manager.wrapWithSandboxArgv(
              [...temporaryFiles, ...program].map(quote).join(" "),
              "bash",
              {
                filesystem: {
                  denyRead: denyRead.map(literal),
                  allowWrite: [...allowWrite, ...(own === undefined ? [] : [own])].map(literal),
                  denyWrite: [...denyWrite, ...held.paths].map(literal)
                }
              },
              undefined,
              context.cwd,
              { commandId: id, commandText: "" }
            )
          },
          catch: failed
        }).pipe(Effect.onError(() => held.takeAway))
        // INVARIANT: the runtime counts what it made, and removes nothing of it until as much was given back.
        const release = Effect.andThen(Effect.sync(() => runtime.release(id)), held.takeAway)
        return yield* Effect.try({
          try: (): Sandboxed => {
            const closed = withKernelClosed(command)
            runtime.manager.registerCommandNetworkLists(id, {
              allowedDomains: deniesAll(policy.rules, "WebFetch") ? [] : [
                ...domainsOf(policy.rules, "allow"),
                ...policy.sandbox?.allowedDomains ?? [],
                ...options.allowedDomains ?? []
              ]
            })
            return { program: [file, option, closed], contained: process.platform === "linux", refusal, release }
          },
          catch: failed
        }).pipe(Effect.onError(() => release))
      })
      return { wrap }
    })
  )

interface Runtime {
  readonly manager: Awaited<ReturnType<typeof load>>
  readonly deny: (domains: ReadonlyArray<string>) => void
  readonly release: (id: string) => void
}

const failed = (cause: unknown) => new ToolFailed({ reason: `the sandbox could not be made${why(cause)}`, cause })

const load = async () => (await import("@anthropic-ai/sandbox-runtime")).SandboxManager

const refusal =
  "in the sandbox a command writes in the working directories alone, and nothing there that programs read " +
  "when they start (`.git/config`, git's hooks, `.bashrc` and their like); git commits where the folder that holds " +
  "`.git` is a working directory"

const noStandIns: StandIns = { paths: [], takeAway: Effect.void }

/** Gives the runtime, or why there is none, in a clause. */
const started: Effect.Effect<Runtime | string> = Effect.promise(async () => {
  try {
    const manager = await load()
    if (!manager.isSupportedPlatform()) return "this system is not supported"
    const { rgPath } = await import("@vscode/ripgrep")
    const { errors } = manager.checkDependencies({ command: rgPath })
    const missing = errors.filter((error) => !error.startsWith("ripgrep"))
    if (missing.length > 0) return `${missing.join(", ")}; on Debian, install bubblewrap and socat`
    await manager.initialize(configOf([], rgPath))
    return {
      manager,
      deny: denying(manager, rgPath),
      release: (id: string) => {
        manager.unregisterCommandNetworkLists(id)
        manager.cleanupAfterCommand()
      }
    }
  } catch (cause) {
    const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
    // The built command requires it, which has a code of its own.
    return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND"
      ? "the package `@anthropic-ai/sandbox-runtime` is not installed"
      : `it could not be started${why(cause)}`
  }
})

const configOf = (deniedDomains: ReadonlyArray<string>, rgPath: string) => ({
  // Hosts are allowed command by command, so that no session opens them for another.
  network: { allowedDomains: [], deniedDomains: [...deniedDomains] },
  filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
  ripgrep: { command: rgPath }
})

/** Denied hosts are the process's; one more that another session denies does no harm. */
const denying = (manager: Runtime["manager"], rgPath: string) => {
  const denied = new Set<string>()
  return (domains: ReadonlyArray<string>): void => {
    const before = denied.size
    for (const domain of domains) denied.add(domain)
    if (denied.size > before) manager.updateConfig(configOf([...denied], rgPath))
  }
}

/** Such a rule names no path that could be closed. */
const deniesAll = (rules: ReadonlyArray<Rule>, name: "Read" | "Edit" | "WebFetch"): boolean =>
  withheld({ rules }, { name })

const domainsOf = (rules: ReadonlyArray<Rule>, behavior: "allow" | "deny"): ReadonlyArray<string> =>
  rules.flatMap(({ behavior: own, pattern: { specifier, tool } }) =>
    own === behavior && tool.length === 1 && tool[0] === "WebFetch" && specifier._tag === "Domain"
      ? [specifier.pattern]
      : []
  )

/** The runtime names a folder that nobody makes; this one is the command's own memory, and ends with it. */
const temporaryFiles = process.platform === "linux" ? ["env", "TMPDIR=/dev/shm"] : []

/**
 * INVARIANT: what the kernel is set by can't be written. It is open to root in
 * whatever namespace, and bubblewrap does not see that.
 */
const withKernelClosed = (command: string): string => {
  if (process.platform !== "linux" || process.geteuid?.() !== 0) return command
  const parts = command.split(" --proc /proc ")
  // A second one is a command's or a path's, and which of them that is can't be told for sure.
  if (parts.length !== 2) throw new Error("the command, or the name of a file, holds ` --proc /proc `")
  return parts.join(" --proc /proc --ro-bind /proc/sys /proc/sys ")
}

const isSameFolder = (one: string, other: string): boolean => {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return one === other
  }
}

const literal = (path: string) => ({ path, literal: true as const })

const quote = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`

const why = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") && typeof cause.message === "string"
    ? `: ${cause.message.split("\n", 1)[0]}`
    : ""
