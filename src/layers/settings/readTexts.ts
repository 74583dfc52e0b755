/**
 * Rules that no settings file holds: of a command line, a command or a session.
 *
 * @since 0.1.0
 */
import type { Unreadable } from "../../domain/Policy.ts"
import { Behavior, type Diagnostic, type Rule } from "../../domain/Rule.ts"
import { originOf } from "./Reading.ts"
import { readRule } from "./readRule.ts"
import { empty, type Settings, type SettingsPlace } from "./Settings.ts"
import { looksIncomplete } from "./splitRules.ts"

/**
 * Rules as text, by what they tell us to do.
 *
 * @category models
 * @since 0.1.0
 */
export type RuleTexts = { readonly [Key in Behavior]?: ReadonlyArray<string> | undefined }

/**
 * Reads rules of one source.
 *
 * @category reading
 * @since 0.1.0
 */
export const readTexts = (texts: RuleTexts, place: SettingsPlace): Settings => {
  const origin = originOf(place)
  const rules: Array<Rule> = []
  const diagnostics: Array<Diagnostic> = []
  for (const behavior of Behavior.literals) {
    for (const text of new Set(texts[behavior])) {
      const read = readRule(text, behavior, origin, place)
      if (read.rule !== undefined) rules.push(read.rule)
      diagnostics.push(...read.diagnostics)
      if (place.source === "cliArg" && looksIncomplete(text)) {
        const severity = behavior === "allow" ? "warning" : "error"
        const message = "this looks like part of a rule: put quotes around the whole of it"
        diagnostics.push({ severity, message, origin, rule: text, behavior })
      }
    }
  }
  // INVARIANT: a program that can't say what it denies has nothing allowed. Who keeps a file is told of the one entry.
  const hides = place.source === "cliArg" ? diagnostics.flatMap(hidden) : []
  return { ...empty(place), rules, diagnostics, hides }
}

const hidden = ({ behavior, message, origin, rule, severity }: Diagnostic): ReadonlyArray<Unreadable> =>
  severity === "error" && behavior !== "allow" ? [{ origin, reason: `\`${rule}\` can't be read, ${message}` }] : []
