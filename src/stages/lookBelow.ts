/**
 * What lies below the folders that a shell line would walk through.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Policy } from "../domain/Policy.ts"
import type { ResolvedPath } from "../domain/ResolvedPath.ts"
import type { Below, Side } from "../permission/Evidence.ts"
import { indexOf } from "../permission/RuleIndex.ts"
import { PathResolver } from "../services/PathResolver.ts"

/**
 * Looks below those folders where a rule may deny or ask about something there,
 * and adds where each path leads to what is `resolved`.
 *
 * **Details**
 *
 * A line that changes files may change what lies there before it is read, so
 * that looking now would tell nothing. What is too much to look at is left out.
 *
 * @category getters
 * @since 0.1.0
 */
export const lookBelow = (
  sides: ReadonlyArray<Side>,
  policy: Policy,
  resolved: Map<string, ResolvedPath>
): Effect.Effect<ReadonlyMap<string, Below>, never, PathResolver> => {
  const restricted = indexOf(policy).restrictingPaths.length > 0
  return restricted ? walkAll(sides, resolved) : Effect.succeed(new Map())
}

const walkAll = Effect.fnUntraced(function*(
  sides: ReadonlyArray<Side>,
  resolved: Map<string, ResolvedPath>
): Effect.fn.Return<ReadonlyMap<string, Below>, never, PathResolver> {
  const below = new Map<string, Below>()
  for (const { demands } of sides) {
    const files = demands.filter((demand) => demand._tag === "File")
    if (files.some(({ access, from }) => access !== "read" && from !== "tool")) continue
    for (const { path, recursive } of files) {
      const folder = path === undefined ? undefined : resolved.get(path)
      if (!recursive || path === undefined || folder === undefined || below.has(path)) continue
      const found = yield* walk(path, folder, resolved)
      if (found !== undefined) below.set(path, found)
    }
  }
  return below
})

const mostPaths = 2_000

/** Lists everything below a folder; links are resolved and not walked through. */
const walk = Effect.fnUntraced(function*(
  path: string,
  { kind, problem, real, written }: ResolvedPath,
  resolved: Map<string, ResolvedPath>
): Effect.fn.Return<Below | undefined, never, PathResolver> {
  const resolver = yield* PathResolver
  if (problem !== undefined) return undefined
  if (kind !== "directory") return []

  const paths: Array<string> = []
  const folders = [""]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = yield* resolver.entries(joined(path, folder))
    if (entries === undefined || paths.length + entries.length > mostPaths) return undefined
    for (const { kind, name } of entries) {
      const rest = `${folder}/${name}`
      const one = joined(path, rest)
      paths.push(one)
      if (kind === "directory") folders.push(rest)
      if (resolved.has(one)) continue
      // Without a link on the way a path leads where its folder does.
      resolved.set(
        one,
        kind === "link"
          ? yield* resolver.resolve(one)
          : { written: joined(written, rest), real: real.map((start) => joined(start, rest)), kind }
      )
    }
  }
  return paths
})

const joined = (folder: string, rest: string): string => `${folder.replace(/\/+$/, "")}${rest}` || "/"
