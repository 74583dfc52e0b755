/**
 * The readers of what stands in a rule's parentheses, one for each kind of tool.
 *
 * @since 0.1.0
 */
import type { Behavior, RuleSource, Specifier } from "../../domain/Rule.ts"
import type { RuleProblem } from "./RuleProblem.ts"

/**
 * What a reader knows of the rule around the parentheses. `offset` is where
 * their content begins in the rule's text.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reading {
  readonly tool: string
  readonly behavior: Behavior
  readonly source: RuleSource
  readonly offset: number
}

/**
 * What a reader found. Without a specifier the rule is lost; `tool` is there
 * where the rule speaks for another tool than the one it names.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReadSpecifier {
  readonly specifier: Specifier | undefined
  readonly tool?: string
  readonly problems: ReadonlyArray<RuleProblem>
}

/**
 * A function that reads the content of a rule's parentheses.
 *
 * @category models
 * @since 0.1.0
 */
export type Reader = (content: string, reading: Reading) => ReadSpecifier
