/**
 * Laws of permission decisions, what they are drawn from, and our own decision
 * as a function to hold them against.
 *
 * @since 0.1.0
 */
export * as Arbitraries from "./arbitraries.ts"
export { adapt, type Decide, verdictOf } from "./Decide.ts"
export * as Law from "./Law.ts"
export { engineLaws, laws } from "./laws.ts"
export { type Engine, ours } from "./ours.ts"
export { printShell } from "./shell/printShell.ts"
export { type Redirect, type Shell, type Simple, simpleCommands, type Word } from "./shell/Shell.ts"
export { bySource, PlacedRule, placedRules, RulesBySource, Situation, Verdict, withRules } from "./Situation.ts"
