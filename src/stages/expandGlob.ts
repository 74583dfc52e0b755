/**
 * What a glob of a shell line stands for on the disk as it is now.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Place } from "../domain/Place.ts"
import { absolute } from "../permission/absolute.ts"
import type { DemandOf } from "../permission/Demand.ts"
import { matchPieces } from "../permission/rule/pieces.ts"
import { PathResolver } from "../services/PathResolver.ts"

/**
 * Returns absolute paths for everything that a glob may stand for, and for the
 * folder that it is looked for in. Undefined where that can't be told: the word
 * also expands something else, or too much would have to be looked at.
 *
 * **Details**
 *
 * Every unquoted glob character counts as `*`, so that rather too much is found
 * than too little.
 *
 * @category getters
 * @since 0.1.0
 */
export const expandGlob = Effect.fnUntraced(function*(
  { directory, dotted, word }: DemandOf<"File">,
  place: Place
): Effect.fn.Return<ReadonlyArray<string> | undefined, never, PathResolver> {
  if (word?.glob !== true || /[$`{]/.test(word.source)) return undefined
  const components = word.known.join(gap).split("/")
  const at = components.findIndex((component) => component.includes(gap))
  const before = components.slice(0, at).join("/")
  const start = before !== "" ? before : word.known[0].startsWith("/") ? "/" : "."
  if (directory === undefined && !start.startsWith("/") && word.tilde !== true) return undefined
  const base = absolute(start, place, directory, word.tilde === true)
  if (base === undefined) return undefined

  const resolver = yield* PathResolver
  let folders: ReadonlyArray<string> = [base]
  const rest = components.slice(at)
  for (const [index, component] of rest.entries()) {
    if (folders.length > mostFolders) return undefined
    if (component === "" || !component.includes(gap)) {
      folders = folders.map((folder) => component === "" ? folder : below(folder, component))
      continue
    }
    const last = index === rest.length - 1
    const found: Array<string> = []
    for (const folder of folders) {
      const entries = yield* resolver.entries(folder)
      // A folder that is not there holds nothing; one that can't be looked into may hold anything.
      if (entries === undefined) {
        if ((yield* resolver.resolve(folder)).kind === "missing") continue
        return undefined
      }
      for (const { kind, name } of entries) {
        if ((last || kind !== "file") && fits(component, name, dotted)) found.push(below(folder, name))
      }
    }
    folders = found
  }
  return [base, ...folders]
})

const gap = "\u0000"

const mostFolders = 100

const below = (folder: string, name: string): string => `${folder.replace(/\/$/, "")}/${name}`

const fits = (component: string, name: string, dotted: boolean): boolean =>
  matchPieces(component.split(gap), name) && (dotted || !component.startsWith(gap) || !name.startsWith("."))
