/**
 * A settings text while it is being read: what was found wrong so far, and where.
 *
 * @since 0.1.0
 */
import type { Unreadable } from "../../domain/Policy.ts"
import type { Diagnostic, Origin } from "../../domain/Rule.ts"
import type { Node, Position } from "./parseDocument.ts"
import type { SettingsPlace } from "./Settings.ts"

/**
 * The place of a text, and everything noted about it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reading {
  readonly place: SettingsPlace
  readonly diagnostics: Array<Diagnostic>
  readonly hides: Array<Unreadable>
  readonly at: (node: Node) => Origin
}

/**
 * One member of an object.
 *
 * @category models
 * @since 0.1.0
 */
export interface Member {
  readonly key: string
  readonly name: Node
  readonly value: Node
}

/**
 * Begins to read a text.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (place: SettingsPlace, position: (offset: number) => Position): Reading => ({
  place,
  diagnostics: [],
  hides: [],
  at: (node) => ({ ...originOf(place), ...position(node.offset) })
})

/**
 * The origin of whatever has no line of its own.
 *
 * @category constructors
 * @since 0.1.0
 */
export const originOf = (place: SettingsPlace): Origin => ({
  source: place.source,
  ...(place.file === undefined ? {} : { file: place.file })
})

/**
 * Notes what is wrong with a node.
 *
 * @category noting
 * @since 0.1.0
 */
export const note = (
  reading: Reading,
  severity: Diagnostic["severity"],
  node: Node,
  message: string,
  more: Pick<Diagnostic, "rule" | "behavior" | "offset" | "meant"> = {}
): void => {
  reading.diagnostics.push({ severity, message, origin: reading.at(node), ...more })
}

/**
 * Notes that a node can't be read and may hide what somebody counts on.
 *
 * @category noting
 * @since 0.1.0
 */
export const hide = (reading: Reading, node: Node, reason: string): void => {
  reading.hides.push({ origin: reading.at(node), reason })
}

/**
 * The members of an object in the order they are written, those of a name that
 * is written twice included, with a note.
 *
 * @category reading
 * @since 0.1.0
 */
export const members = (reading: Reading, node: Node, where: string): ReadonlyArray<Member> => {
  const seen = new Set<string>()
  const found: Array<Member> = []
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? []
    if (name === undefined || value === undefined) continue
    const key = String(name.value)
    if (seen.has(key)) {
      note(
        reading,
        "warning",
        name,
        `\`${where}${key}\` is written more than once, which other programs read otherwise`
      )
    }
    seen.add(key)
    found.push({ key, name, value })
  }
  return found
}

/**
 * The value of a node that is a text.
 *
 * @category reading
 * @since 0.1.0
 */
export const textOf = (node: Node): string | undefined => {
  const value: unknown = node.value
  return typeof value === "string" ? value : undefined
}

/**
 * The value of a node that is a truth value.
 *
 * @category reading
 * @since 0.1.0
 */
export const booleanOf = (node: Node): boolean | undefined => {
  const value: unknown = node.value
  return typeof value === "boolean" ? value : undefined
}

/**
 * A node's kind as a person would say it.
 *
 * @category reading
 * @since 0.1.0
 */
export const kindOf = (node: Node): string => kinds[node.type]

const kinds: { readonly [Type in Node["type"]]: string } = {
  object: "an object",
  array: "a list",
  property: "a member",
  string: "a text",
  number: "a number",
  boolean: "a truth value",
  null: "null"
}
