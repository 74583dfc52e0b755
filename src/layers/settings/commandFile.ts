/**
 * Rules that a command file gives for the turn that it begins: the
 * `allowed-tools` and `disallowed-tools` of its frontmatter.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { isScalar, isSeq, LineCounter, parseDocument, type Scalar } from "yaml"
import { nearest } from "../../domain/nearest.ts"
import type { Behavior, Diagnostic, Origin, Rule } from "../../domain/Rule.ts"
import { originOf } from "./Reading.ts"
import { readRule } from "./readRule.ts"
import { empty, type Settings, type SettingsPlace } from "./Settings.ts"
import { looksIncomplete, splitRules } from "./splitRules.ts"

/**
 * What a command file says, or why it can't be told: `None` has no frontmatter,
 * `Broken` one that is no YAML or no mapping. Lines count from the file's first.
 *
 * @category models
 * @since 0.1.0
 */
export type CommandFile =
  | { readonly _tag: "Rules"; readonly settings: Settings }
  | { readonly _tag: "None" }
  | { readonly _tag: "Broken"; readonly reason: string; readonly line: number; readonly column: number }

/**
 * Reads the text of a command file. Never throws, whatever the text.
 *
 * **Details**
 *
 * Both lists are a text with rules between blanks or commas, or a YAML list of
 * such texts. What stands in parentheses is never split.
 *
 * **Example** (Reading a command file)
 *
 * ```ts
 * import { readCommandFile } from "toolgate/layers/settings/commandFile"
 *
 * const text = "---\nallowed-tools: Read, Bash(git log *)\n---\nLook around."
 * const read = readCommandFile(text, { source: "command", base: "/repo", root: "/repo" })
 * read._tag === "Rules" ? read.settings.rules.map(({ text }) => text) : [] // => ["Read", "Bash(git log *)"]
 * ```
 *
 * @category reading
 * @since 0.1.0
 */
export const readCommandFile = (text: string, place: SettingsPlace): CommandFile => {
  const frontmatter = /^\uFEFF?---[ \t]*\r?\n([^]*?)^(?:---|\.\.\.)[ \t]*$/m.exec(text)
  if (frontmatter === null || frontmatter.index !== 0) {
    return /^\uFEFF?---[ \t]*\r?\n/.test(text)
      ? broken("the frontmatter has no `---` at its end", 1, 1)
      : { _tag: "None" }
  }
  const yaml = frontmatter[1] ?? ""
  const lines = new LineCounter()
  // A text that nests too deep makes the library throw.
  const parsed = Result.try(() =>
    parseDocument(yaml, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, logLevel: "error" })
  )
  if (Result.isFailure(parsed)) return broken("the frontmatter can't be read as YAML", 1, 1)
  const { contents, errors } = parsed.success
  const position = (offset: number) => {
    const { col, line } = lines.linePos(offset)
    return { line: line + 1, column: Math.max(col, 1) }
  }
  const [error] = errors
  if (error !== undefined) {
    const { column, line } = position(error.pos[0])
    return broken(`the frontmatter is no YAML: ${oneSentence(error.message)}`, line, column)
  }
  if (contents === null) return { _tag: "Rules", settings: empty(place) }
  if (!("items" in contents) || isSeq(contents)) return broken("the frontmatter is no list of names and values", 2, 1)

  const rules: Array<Rule> = []
  const diagnostics: Array<Diagnostic> = []
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : ""
    const behavior = behaviors.get(name)
    const origin = { ...originOf(place), ...position(isScalar(key) ? key.range?.[0] ?? 0 : 0) }
    if (behavior === undefined) {
      diagnostics.push(...misspelled(name, origin))
      continue
    }
    const list = textsOf(value)
    if (list === undefined) {
      const severity = behavior === "allow" ? "warning" : "error"
      diagnostics.push({
        severity,
        message: `\`${name}\` is a text or a list of texts, and is left out`,
        origin,
        behavior
      })
      continue
    }
    for (const scalar of list) {
      const [start, end] = scalar.range ?? [0, 0]
      for (const rule of splitRules([String(scalar.value)])) {
        const at = yaml.indexOf(rule, start)
        const here = { ...origin, ...position(at >= 0 && at < end ? at : start) }
        const read = readRule(rule, behavior, here, place)
        if (read.rule !== undefined) rules.push(read.rule)
        diagnostics.push(...read.diagnostics, ...incomplete(rule, behavior, here))
      }
    }
  }
  return { _tag: "Rules", settings: { ...empty(place), rules, diagnostics } }
}

const broken = (reason: string, line: number, column: number): CommandFile => ({ _tag: "Broken", reason, line, column })

const behaviors: ReadonlyMap<string, Behavior> = new Map([["allowed-tools", "allow"], ["disallowed-tools", "deny"]])

const oneSentence = (message: string): string => {
  const text = message.replace(/\s+/g, " ").trim()
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

const misspelled = (name: string, origin: Origin): ReadonlyArray<Diagnostic> => {
  const [near] = name.length < 8 ? [] : nearest(name, behaviors.keys(), 1)
  if (near === undefined) return []
  const severity = near === "disallowed-tools" ? "error" : "warning"
  return [{ severity, message: `\`${name}\` is not read; \`${near}\` was probably meant`, origin }]
}

const textsOf = (node: unknown): ReadonlyArray<Scalar> | undefined => {
  const nodes: ReadonlyArray<unknown> = isSeq(node) ? node.items : [node]
  const scalars = nodes.filter(isScalar)
  // A name with nothing behind it is an empty list.
  if (scalars.length === 1 && scalars[0]?.value === null) return []
  return scalars.length === nodes.length && scalars.every(({ value }) => typeof value === "string")
    ? scalars
    : undefined
}

const incomplete = (rule: string, behavior: Behavior, origin: Origin): ReadonlyArray<Diagnostic> =>
  looksIncomplete(rule)
    ? [{
      severity: behavior === "allow" ? "warning" : "error",
      message: "this looks like part of a rule: put quotes around the whole of it",
      origin,
      rule,
      behavior
    }]
    : []
