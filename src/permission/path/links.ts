/**
 * Folders that are known to have a second name.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import { below, folded } from "./normalise.ts"

/**
 * Returns the folders, and what each is when the known links are followed.
 * Meant for folders that a person chose, such as the working directory.
 *
 * @category combining
 * @since 0.1.0
 */
export const withTargets = (folders: ReadonlyArray<string>, place: Place): ReadonlyArray<string> => {
  const found = new Set(folders)
  for (const folder of found) {
    for (const [link, target] of linksOf(place)) {
      const rest = below(folder, link)
      if (rest !== undefined && found.size < mostNames) found.add(joined(target, rest))
    }
  }
  return [...found]
}

/**
 * Returns a path under each name that it goes by: for a deny or ask rule with
 * every known link, for an allow rule only with those of the system itself.
 *
 * @category combining
 * @since 0.1.0
 */
export const otherNames = (path: string, place: Place, trust: "every link" | "system links"): ReadonlyArray<string> => {
  const links = trust === "every link" ? linksOf(place) : systemLinks(place)
  if (links.length === 0) return [path]
  const found = new Set([path])
  for (const name of found) {
    for (const [link, target] of links) {
      const rest = below(name, target)
      if (rest !== undefined && found.size < mostNames) found.add(joined(link, rest))
    }
    for (const [link, target] of systemLinks(place)) {
      const rest = below(name, link)
      if (rest !== undefined && found.size < mostNames) found.add(joined(target, rest))
    }
  }
  return [...found]
}

type Links = ReadonlyArray<readonly [link: string, target: string]>

const mostNames = 64

const darwin: Links = [["/tmp", "/private/tmp"], ["/var", "/private/var"], ["/etc", "/private/etc"]]

const none: Links = []

const systemLinks = ({ platform }: Place): Links => platform === "darwin" ? darwin : none

const linksOf = (place: Place): Links =>
  place.links === undefined
    ? systemLinks(place)
    : [
      ...systemLinks(place),
      ...place.links.map(([link, target]) => [folded(link, place), folded(target, place)] as const)
    ]

const joined = (folder: string, rest: string): string =>
  rest === "" ? folder : folder.endsWith("/") ? `${folder}${rest}` : `${folder}/${rest}`
