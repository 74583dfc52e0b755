/**
 * One rule of a source, or what is wrong with it.
 *
 * @since 0.1.0
 */
import type { Behavior, Diagnostic, Origin, Rule } from "../../domain/Rule.ts"
import { parseRule } from "../../permission/rule/parseRule.ts"
import type { SettingsPlace } from "./Settings.ts"

/**
 * Reads one rule. What is lost of a deny or ask rule is an error.
 *
 * @category reading
 * @since 0.1.0
 */
export const readRule = (
  text: string,
  behavior: Behavior,
  origin: Origin,
  place: SettingsPlace
): { readonly rule: Rule | undefined; readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const { pattern, problems } = parseRule(text, {
    behavior,
    source: origin.source,
    ...(place.known === undefined ? {} : { known: place.known })
  })
  const lost = pattern === undefined
  const diagnostics = problems.map((problem): Diagnostic => ({
    severity: lost && behavior !== "allow" ? "error" : problem.severity,
    message: problem.message,
    origin,
    rule: text,
    behavior,
    offset: problem.offset,
    ...(problem.meant === undefined ? {} : { meant: problem.meant })
  }))
  if (pattern !== undefined) return { rule: { behavior, text, pattern, origin, base: place.base }, diagnostics }
  if (diagnostics.length > 0) return { rule: undefined, diagnostics }
  const severity = behavior === "allow" ? "warning" : "error"
  return {
    rule: undefined,
    diagnostics: [{ severity, message: "this is no rule that can be read", origin, rule: text, behavior }]
  }
}
