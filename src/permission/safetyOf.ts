/**
 * What the built-in safety says of a demand, above every allow rule.
 *
 * @since 0.1.0
 */
import type { SimpleCommand } from "../domain/ShellCommand.ts"
import type { Demand, DemandOf } from "./Demand.ts"
import type { Evidence } from "./Evidence.ts"
import { expansionOf, resolvedOf } from "./matchDemand.ts"
import { criticalRemovals, isCriticalPath } from "./path/critical.ts"
import { normalise } from "./path/normalise.ts"
import { holdsProtected, isProtected } from "./path/protected.ts"

/**
 * Why a person has to look. `critical` is about the removal of critical paths,
 * which no mode permits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Safety {
  readonly critical: boolean
  readonly why: string
}

/**
 * Returns the concern of safety about a demand, or undefined when it has none.
 *
 * @category getters
 * @since 0.1.0
 */
export const safetyOf = (demand: Demand, evidence: Evidence): Safety | undefined => {
  if (demand._tag === "Command") return ofCommand(demand.command, evidence)
  if (demand._tag !== "File" || demand.access === "read") return undefined
  const paths = expansionOf(demand, evidence) ?? []
  // Of a glob, the folder that it looks in comes first and is not itself written.
  for (const path of demand.path === undefined ? paths.slice(1) : paths) {
    const safety = ofFile(demand, path, evidence)
    if (safety !== undefined) return safety
  }
  return undefined
}

const ofFile = (
  { access, from, recursive }: DemandOf<"File">,
  path: string,
  evidence: Evidence
): Safety | undefined => {
  const { place } = evidence
  const { real, written } = resolvedOf(path, evidence)
  const paths = [normalise(written, place) ?? written, ...real]
  const critical = access === "remove" && from === "argument"
    ? paths.find((one) => isCriticalPath(one, place))
    : undefined
  if (critical !== undefined) return { critical: true, why: `\`${critical}\` is a critical path` }
  const below = access === "remove" || from === "tool" && recursive
  const guarded = paths.find((one) => isProtected(one, place) || below && holdsProtected(one, place))
  return guarded === undefined ? undefined : { critical: false, why: `\`${guarded}\` is a protected path` }
}

const ofCommand = (command: SimpleCommand, evidence: Evidence): Safety | undefined => {
  const [word] = [command.directory, ...command.elsewhere ?? []].flatMap((directory) =>
    criticalRemovals({ ...command, directory }, evidence.place)
  )
  if (word !== undefined) return { critical: true, why: `it would remove the critical path \`${word.source}\`` }
  for (const inner of command.inner) {
    const safety = ofCommand(inner, evidence)
    if (safety !== undefined) return safety
  }
  return undefined
}
