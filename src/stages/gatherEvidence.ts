/**
 * Gathers what a decision is made from: the demands of the input, the paths that
 * they name followed through links, and the tool's own opinion.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ScreenedCall } from "../domain/Call.ts"
import type { Place } from "../domain/Place.ts"
import { modeOf, type Policy } from "../domain/Policy.ts"
import type { ResolvedPath } from "../domain/ResolvedPath.ts"
import type { Word } from "../domain/ShellCommand.ts"
import { subjectsOf } from "../domain/Subject.ts"
import type { Invocation } from "../domain/Tool.ts"
import { readLine } from "../permission/bash/readLine.ts"
import type { Demand } from "../permission/Demand.ts"
import { demandsOf } from "../permission/demandsOf.ts"
import type { Evidence, Side } from "../permission/Evidence.ts"
import { linkedFolders } from "../permission/linkedFolders.ts"
import { Classifier } from "../services/Classifier.ts"
import { PathResolver } from "../services/PathResolver.ts"
import { expandGlob } from "./expandGlob.ts"
import { lookBelow } from "./lookBelow.ts"

/**
 * Gathers the evidence for a screened call. Nothing is read that no demand
 * names.
 *
 * @category stages
 * @since 0.1.0
 */
export const gatherEvidence = (
  call: ScreenedCall,
  policy: Policy,
  services: Context.Context<Classifier | PathResolver>
): Effect.Effect<Evidence, never, PathResolver> => {
  const place = placeOf(call, policy, Context.get(services, PathResolver))
  // Rules keep their anchors wherever the shell stands; what a line names begins where it does.
  const standing = call.context.standing === undefined ? place : { ...place, cwd: call.context.standing }
  return Effect.flatMapEager(sidesOf(call, place, standing), ({ effective, original }) => {
    const sides = original === undefined ? [effective] : [effective, original]
    return Effect.mapEager(sides.some(namesPaths) ? follow(sides, policy, place, standing) : none, (paths) => ({
      tool: call.tool.name,
      server: call.tool.server,
      needsPerson: call.tool.needsPerson,
      hook: call.hook,
      mode: modeOf(policy, call.context),
      policy,
      effective,
      original,
      readOnly: Context.get(services, Classifier).readOnly,
      place,
      ...paths
    }))
  })
}

type Sides = Pick<Evidence, "effective" | "original">

const sidesOf = (
  call: ScreenedCall,
  place: Place,
  standing: Place
): Effect.Effect<Sides> => {
  const sideOf = ({ check, input, subject }: Invocation, ask: string | undefined): Effect.Effect<Side> => {
    const demands: Array<Demand> = []
    for (const one of subjectsOf(subject)) {
      const line = one._tag === "Shell" ? readLine(one.command) : undefined
      demands.push(...demandsOf(call.tool.name, one, line, line === undefined ? place : standing, demands.length))
    }
    return Effect.mapEager(check(call.context), (opinion) => ({ input, ask, opinion, demands }))
  }
  return Effect.flatMapEager(
    sideOf(call.invocation, call.ask),
    (effective): Effect.Effect<Sides> =>
      call.original === undefined
        ? Effect.succeed({ effective, original: undefined })
        : Effect.mapEager(sideOf(call.original.invocation, call.original.ask), (original) => ({ effective, original }))
  )
}

/** What is known of the paths that demands name. */
type Paths = Pick<Evidence, "resolved" | "expanded" | "below"> & { readonly place?: Place }

const none = Effect.succeed<Paths>({ resolved: new Map(), expanded: new Map(), below: new Map() })

const namesPaths = ({ demands }: Side): boolean => demands.some(({ _tag }) => _tag === "File" || _tag === "Folder")

const follow = Effect.fnUntraced(function*(
  sides: ReadonlyArray<Side>,
  policy: Policy,
  place: Place,
  standing: Place
): Effect.fn.Return<Paths, never, PathResolver> {
  const resolver = yield* PathResolver
  const resolved = new Map<string, ResolvedPath>()
  const expanded = new Map<Word, ReadonlyArray<string>>()
  const resolve = (path: string): Effect.Effect<void> =>
    resolved.has(path) ? Effect.void : Effect.map(resolver.resolve(path), (found) => {
      resolved.set(path, found)
    })
  for (const demand of sides.flatMap(({ demands }) => demands)) {
    if (demand._tag !== "File" && demand._tag !== "Folder") continue
    if (demand.path !== undefined) {
      yield* resolve(demand.path)
    } else if (demand._tag === "File" && demand.word?.glob === true) {
      const paths = yield* expandGlob(demand, demand.command === undefined ? place : standing)
      if (paths === undefined) continue
      expanded.set(demand.word, paths)
      yield* Effect.forEach(paths, resolve, { discard: true })
    }
  }
  const below = yield* lookBelow(sides, policy, resolved)
  if (resolved.size === 0) return { resolved, expanded, below }
  return { resolved, expanded, below, place: { ...place, links: yield* linksOf(policy, place) } }
})

const placeOf = (
  { context }: ScreenedCall,
  policy: Policy,
  { caseInsensitive, home, platform, stateDirectories }: PathResolver["Service"]
): Place => ({
  cwd: context.cwd,
  projectRoot: policy.projectRoot,
  home,
  directories: policy.directories.length === 0
    ? context.directories
    : [...context.directories, ...policy.directories],
  platform,
  caseInsensitive,
  protectedPaths: [...stateDirectories, ...policy.settingsFiles]
})

/** The folders that rules and working directories name and that lead elsewhere. */
const linksOf = Effect.fnUntraced(function*(
  policy: Policy,
  place: Place
): Effect.fn.Return<ReadonlyArray<readonly [string, string]>, never, PathResolver> {
  const resolver = yield* PathResolver
  const found: Array<readonly [string, string]> = []
  for (const folder of linkedFolders(policy, place)) {
    const { problem, real, written } = yield* resolver.resolve(folder)
    if (problem === undefined) found.push(...real.map((target) => [written, target] as const))
  }
  return found
})
