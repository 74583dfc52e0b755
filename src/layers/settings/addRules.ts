/**
 * Allow rules written into a settings text, whose comments and formatting stay.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Json from "jsonc-parser"
import { type Node, parseDocument } from "./parseDocument.ts"

/**
 * Adds allow rules to a settings text; those that it has are not added again.
 * Fails with a reason where the text can't be understood, and is then best left
 * alone.
 *
 * @category editing
 * @since 0.1.0
 */
export const addRules = (text: string, rules: ReadonlyArray<string>): Result.Result<string, string> => {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const body = text.slice(mark.length)
  const document = parseDocument(body)
  switch (document._tag) {
    case "Broken":
      return Result.fail(`${document.reason}, at line ${document.position.line}`)
    case "Empty": {
      const before = body.trim() === "" ? "" : `${body.trimEnd()}\n`
      const content = JSON.stringify({ permissions: { allow: [...new Set(rules)] } }, null, 2)
      return Result.succeed(`${mark}${before}${content}\n`)
    }
    case "Tree":
      return Result.flatMap(findAllow(document.root), (allow) => {
        const present = new Set((allow?.children ?? []).map(({ value }): unknown => value))
        const added = [...new Set(rules)].filter((rule) => !present.has(rule))
        if (added.length === 0) return Result.succeed(text)
        const last = allow?.children?.at(-1)
        const edits = last !== undefined
          ? append(body, last, added)
          : allow !== undefined && hasComment(body, allow)
          ? fillBehindComment(body, allow, added)
          : insertList(body, document.root, added)
        const edited = Json.applyEdits(body, edits)
        return onlyAdds(body, edited, added) ? Result.succeed(mark + edited) : Result.fail("could not be edited safely")
      })
  }
}

const findAllow = (root: Node): Result.Result<Node | undefined, string> =>
  Result.flatMap(
    only(root, "permissions", "object"),
    (permissions) => permissions === undefined ? Result.succeed(undefined) : only(permissions, "allow", "array")
  )

const hasComment = (text: string, list: Node): boolean =>
  /\S/.test(text.slice(list.offset + 1, list.offset + list.length - 1))

const only = (node: Node, key: string, type: Node["type"]): Result.Result<Node | undefined, string> => {
  if (node.type !== "object") return Result.fail("must hold an object")
  const found = (node.children ?? []).filter(({ children }) => children?.[0]?.value === key)
  if (found.length > 1) return Result.fail(`has \`${key}\` more than once`)
  const value = found[0]?.children?.[1]
  if (value !== undefined && value.type !== type && value.type !== "null") {
    return Result.fail(`has something unexpected under \`${key}\``)
  }
  return Result.succeed(value?.type === "null" ? undefined : value)
}

const insertList = (text: string, root: Node, rules: ReadonlyArray<string>): Json.EditResult => {
  const formattingOptions = formattingOf(text)
  const [path, value] = Json.findNodeAtLocation(root, ["permissions"])?.type === "object"
    ? [["permissions", "allow"], rules]
    : [["permissions"], { allow: rules }]
  return Json.modify(text, path, value, { formattingOptions })
}

const fillBehindComment = (text: string, list: Node, rules: ReadonlyArray<string>): Json.EditResult => {
  const inner = text.slice(list.offset + 1, list.offset + list.length - 1)
  const { eol } = formattingOf(text)
  const indent = /^[ \t]+/m.exec(inner)?.[0] ?? ""
  const lines = rules.map((rule) => indent + JSON.stringify(rule))
  const offset = list.offset + 1 + inner.trimEnd().length
  const end = /\s$/.test(inner) ? "" : eol
  return [{ offset, length: 0, content: `${eol}${lines.join(`,${eol}`)}${end}` }]
}

// A comment behind the last rule stays with that rule.
const append = (text: string, last: Node, rules: ReadonlyArray<string>): Json.EditResult => {
  const end = last.offset + last.length
  const lineStart = Math.max(text.lastIndexOf("\n", last.offset - 1), text.lastIndexOf("\r", last.offset - 1)) + 1
  const indent = /^[ \t]*$/.test(text.slice(lineStart, last.offset)) ? text.slice(lineStart, last.offset) : undefined
  const eol = formattingOf(text).eol
  const written = rules.map((rule) => JSON.stringify(rule))
  const rest = /^([ \t]*)(,?)[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)?)(?=[\r\n])/.exec(
    text.slice(end)
  )
  if (indent === undefined || rest === null) {
    const separator = indent === undefined ? ", " : `,${eol}${indent}`
    return [{ offset: end, length: 0, content: written.map((rule) => separator + rule).join("") }]
  }
  const trailing = rest[2] ?? ""
  const lines = `${eol}${indent}${written.join(`,${eol}${indent}`)}${trailing}`
  const after = { offset: end + rest[0].length, length: 0, content: lines }
  return trailing === "" ? [{ offset: end, length: 0, content: "," }, after] : [after]
}

const formattingOf = (
  text: string
): { readonly tabSize: number; readonly insertSpaces: boolean; readonly eol: string } => {
  const indent = /^[\t ]+(?=["}\]])/m.exec(text)?.[0] ?? "  "
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 4 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n"
  }
}

// INVARIANT: an edit adds to the list and leaves every other value and every comment as it was.
const onlyAdds = (before: string, after: string, rules: ReadonlyArray<string>): boolean => {
  const kept = withoutAllow(before)
  const edited = withoutAllow(after)
  return kept !== undefined && edited !== undefined && kept.rest === edited.rest &&
    JSON.stringify([...kept.allow, ...rules]) === JSON.stringify(edited.allow) &&
    JSON.stringify(comments(before)) === JSON.stringify(comments(after))
}

const withoutAllow = (
  text: string
): { readonly allow: ReadonlyArray<unknown>; readonly rest: string } | undefined => {
  const document = parseDocument(text)
  if (document._tag !== "Tree") return undefined
  const { permissions, ...rest }: { readonly [key: string]: unknown } = Json.getNodeValue(document.root)
  const { allow, ...others }: { readonly [key: string]: unknown } = Predicate.isObject(permissions) ? permissions : {}
  return { allow: Array.isArray(allow) ? allow : [], rest: JSON.stringify([rest, others]) }
}

const comments = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  Json.visit(text, {
    onComment: (offset, length) => {
      found.push(text.slice(offset, offset + length))
    }
  })
  return found
}
