/**
 * What laws and properties are drawn from: rules, sets of rules, shell lines,
 * calls of every tool, disks with links, hooks' outcomes, and people's answers.
 *
 * @since 0.1.0
 */
export { bashCall, bashCalls, calls, type DrawnCall, paths } from "./arbitraries/calls.ts"
export { below, oneOf, pick } from "./arbitraries/oneOf.ts"
export { rules, ruleTexts, sources } from "./arbitraries/ruleTexts.ts"
export { plainSimples, shells, simples } from "./arbitraries/shells.ts"
export { answers, around, disks, hookOutcomes, modes, quiet, ruleSets, situations } from "./arbitraries/situations.ts"
