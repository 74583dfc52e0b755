/**
 * Everything that a decision is made from, as plain data: what any permission
 * system could be asked, not ours alone.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PermissionMode } from "../domain/CallContext.ts"
import { Behavior, RuleSource } from "../domain/Rule.ts"

/**
 * Schema for what is done with a call, strictest first.
 *
 * @category models
 * @since 0.1.0
 */
export const Verdict = Schema.Literals(["deny", "ask", "allow"])

/**
 * @category models
 * @since 0.1.0
 */
export type Verdict = typeof Verdict.Type

/** The rules of one source, as settings spell them. */
const RuleLists = Schema.Struct({
  allow: Schema.optionalKey(Schema.Array(Schema.String)),
  ask: Schema.optionalKey(Schema.Array(Schema.String)),
  deny: Schema.optionalKey(Schema.Array(Schema.String))
})

/**
 * Schema for the rules in force, by the source that they come from.
 *
 * @category models
 * @since 0.1.0
 */
export const RulesBySource = Schema.Struct({
  userSettings: Schema.optionalKey(RuleLists),
  projectSettings: Schema.optionalKey(RuleLists),
  localSettings: Schema.optionalKey(RuleLists),
  flagSettings: Schema.optionalKey(RuleLists),
  policySettings: Schema.optionalKey(RuleLists),
  cliArg: Schema.optionalKey(RuleLists),
  command: Schema.optionalKey(RuleLists),
  session: Schema.optionalKey(RuleLists)
})

/**
 * @category models
 * @since 0.1.0
 */
export type RulesBySource = typeof RulesBySource.Type

/**
 * Schema for a situation.
 *
 * **Details**
 *
 * - `tool`, `input`: the call, its input as the model wrote it.
 * - `hook`: what a hook that ran before said of this input; `hookSource` is
 *   where it was configured, the user's settings when left out.
 * - `classifier`: what a classifier would answer where one may: `"none"` when
 *   there is none or it has no opinion, `"fails"` when it breaks or takes too
 *   long, `"unreadable"` when what it answers is no verdict.
 * - `files`: what is on the disk, by absolute path: `"dir"`, `"file"`, or
 *   `"-> target"` for a link. Folders above are there by themselves.
 * - `cwd`, `home`: absolute paths; the workspace is trusted.
 *
 * @category models
 * @since 0.1.0
 */
export const Situation = Schema.Struct({
  tool: Schema.String,
  input: Schema.Record(Schema.String, Schema.Unknown),
  rules: RulesBySource,
  mode: PermissionMode,
  hook: Schema.Literals(["none", "allow", "ask", "deny"]),
  hookSource: Schema.optionalKey(RuleSource),
  classifier: Schema.Literals(["none", "allow", "deny", "fails", "unreadable"]),
  files: Schema.Record(Schema.String, Schema.String),
  cwd: Schema.String,
  home: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Situation = typeof Situation.Type

/**
 * Schema for one rule and where it stands.
 *
 * @category models
 * @since 0.1.0
 */
export const PlacedRule = Schema.Struct({ source: RuleSource, behavior: Behavior, text: Schema.String })

/**
 * @category models
 * @since 0.1.0
 */
export type PlacedRule = typeof PlacedRule.Type

/**
 * Returns rules in the order in which they stand.
 *
 * @category getters
 * @since 0.1.0
 */
export const placedRules = (rules: RulesBySource): ReadonlyArray<PlacedRule> =>
  RuleSource.literals.flatMap((source) =>
    Behavior.literals.flatMap((behavior) =>
      (rules[source]?.[behavior] ?? []).map((text) => ({ source, behavior, text }))
    )
  )

/**
 * Gathers placed rules by source, their order within a list kept.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bySource = (placed: ReadonlyArray<PlacedRule>): RulesBySource => {
  const rules: { [Source in RuleSource]?: { [B in Behavior]?: ReadonlyArray<string> } } = {}
  for (const { behavior, source, text } of placed) {
    rules[source] = { ...rules[source], [behavior]: [...rules[source]?.[behavior] ?? [], text] }
  }
  return rules
}

/**
 * Returns the situation with rules added at the end of their lists.
 *
 * @category combining
 * @since 0.1.0
 */
export const withRules = (situation: Situation, ...added: ReadonlyArray<PlacedRule>): Situation => ({
  ...situation,
  rules: bySource([...placedRules(situation.rules), ...added])
})

/**
 * Returns the situation with those of its rules alone that a predicate keeps.
 *
 * @category filtering
 * @since 0.1.0
 */
export const keepRules = (situation: Situation, keeps: (rule: PlacedRule) => boolean): Situation => ({
  ...situation,
  rules: bySource(placedRules(situation.rules).filter(keeps))
})

/**
 * Returns the situation without allow rules for every use of a tool, which allow
 * even what can't be read.
 *
 * @category filtering
 * @since 0.1.0
 */
export const withoutBareAllows = (situation: Situation): Situation =>
  keepRules(situation, ({ behavior, text }) => behavior !== "allow" || !/^\w+(?:\(\*\))?$/.test(text))

/**
 * Says whether one verdict is at least as strict as another.
 *
 * @category comparing
 * @since 0.1.0
 */
export const asStrict = (verdict: Verdict, other: Verdict): boolean =>
  Verdict.literals.indexOf(verdict) <= Verdict.literals.indexOf(other)
