/**
 * Whether one rule leaves another one without effect.
 *
 * @since 0.1.0
 */
import type { Place } from "../../domain/Place.ts"
import type { Rule, Specifier } from "../../domain/Rule.ts"
import { matchDomain } from "../rule/matchDomain.ts"
import { matchName } from "../rule/matchName.ts"
import { containsPath } from "./containsPath.ts"
import { containsBounded, containsText } from "./containsText.ts"
import { containsTool } from "./containsTool.ts"
import { onlyMatches, plainCommand, reachesSpelled } from "./plainCommand.ts"

/**
 * Says whether `outer`, which is as strict as `inner` or stricter, decides about
 * everything that `inner` could decide about.
 *
 * **Details**
 *
 * True only where that is sure: taking `inner` away changes no decision. Where it
 * can't be told, as with patterns that hold quotes, the answer is `false`.
 *
 * @category predicates
 * @since 0.1.0
 */
export const covers = (outer: Rule, inner: Rule, place: Place): boolean => {
  if (!isAsStrict(outer, inner) || !standsAsLong(outer, inner)) return false
  if (!containsTool(outer.pattern.tool, inner.pattern.tool)) return false
  // A rule that allows edits lets the files be read as well, which what restricts edits does not touch.
  if (inner.behavior === "allow" && outer.behavior !== "allow" && inner.pattern.tool[0] === "Edit") {
    if (!containsTool(outer.pattern.tool, ["Read"])) return false
  }
  return !searchesDiffer(outer, inner) && containsSpecifier(outer, inner, place)
}

const strictness = { deny: 2, ask: 1, allow: 0 }

const isAsStrict = (outer: Rule, inner: Rule): boolean => strictness[outer.behavior] >= strictness[inner.behavior]

// Beside a hook's allow only rules of managed settings may be left standing.
const standsAsLong = (outer: Rule, inner: Rule): boolean =>
  inner.behavior === "allow" || outer.origin.source === "policySettings" || inner.origin.source !== "policySettings"

// A search leaves out what a path rule denies below its folder, and asks about what one wants to be asked about.
const searchesDiffer = (outer: Rule, inner: Rule): boolean =>
  outer.behavior === "deny" && inner.behavior === "ask" && outer.pattern.specifier._tag === "Path" &&
  inner.pattern.tool[0] === "Read"

const containsSpecifier = (outer: Rule, inner: Rule, place: Place): boolean => {
  const [wide, narrow] = [outer.pattern.specifier, inner.pattern.specifier]
  if (narrow._tag === "Description" || narrow._tag === "Inert") return false
  switch (wide._tag) {
    case "Any":
      return true
    case "Command":
      return narrow._tag === "Command" && (isSame(wide, narrow) || containsCommand(outer, inner))
    case "Path":
      return containsPath(outer, inner, place)
    case "Domain":
      return narrow._tag === "Domain" &&
        (wide.pattern === narrow.pattern || containsDomain(wide.pattern, narrow.pattern))
    case "Name":
      return narrow._tag === "Name" &&
        (isSame(wide, narrow) || isOneName(narrow) && matchName(wide, narrow.pieces.join()))
    case "Parameter":
      return narrow._tag === "Parameter" && wide.parameter === narrow.parameter &&
        containsText(wide.pieces, narrow.pieces)
    case "Description":
    case "Inert":
      return false
  }
}

type Text = Extract<Specifier, { readonly _tag: "Command" | "Name" }>

const isSame = (one: Text, other: Text): boolean =>
  one.boundary === other.boundary && one.pieces.length === other.pieces.length &&
  one.pieces.every((piece, index) => piece === other.pieces[index])

const containsCommand = (outer: Rule, inner: Rule): boolean => {
  const { specifier } = outer.pattern
  const [wide, narrow] = [plainCommand(specifier), plainCommand(inner.pattern.specifier)]
  if (specifier._tag !== "Command" || wide === undefined || narrow === undefined) return false
  if (!containsBounded(wide, narrow)) return false
  if (inner.behavior !== "allow") return true
  return outer.behavior === "allow" ? onlyMatches(narrow) : reachesSpelled(specifier, narrow)
}

const containsDomain = (wide: string, narrow: string): boolean => {
  if (!plainHost.test(wide) || !plainHost.test(narrow)) return false
  if (!narrow.startsWith("*.")) return matchDomain(wide, `https://${narrow}/`) === true
  return wide.startsWith("*.") && narrow.slice(1).endsWith(wide.slice(1))
}

const plainHost = /^(?:\*\.)?[a-z0-9-]*[a-z-][a-z0-9-]*(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/

const isOneName = ({ boundary, pieces }: Text): boolean => !boundary && /^[\w.-]+$/.test(pieces.join("*"))
