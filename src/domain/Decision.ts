/**
 * What was decided about a call, by whom, and everything that was looked at on
 * the way.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { HookRun } from "./Hook.ts"
import { Behavior, Origin } from "./Rule.ts"

/**
 * Schema for a verdict, strictest first.
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

/**
 * Schema for the kinds of decider.
 *
 * **Details**
 *
 * `settings`: a settings file could not be read, so that its rules are hidden.
 * `default`: nothing had anything to say, so a person is asked. `nobody`: a
 * person was to be asked and none was there.
 *
 * @category models
 * @since 0.1.0
 */
export const Decider = Schema.Literals([
  "hook",
  "rule",
  "tool",
  "safety",
  "validation",
  "mode",
  "reading",
  "settings",
  "classifier",
  "person",
  "nobody",
  "audit",
  "default"
])

/**
 * @category models
 * @since 0.1.0
 */
export type Decider = typeof Decider.Type

/**
 * Schema for one thing that was looked at for a demand.
 *
 * **Details**
 *
 * `says` is what it would decide if it matched; `matched` is `maybe` where only
 * running the command tells; `why` says why it matched or not. `deciding` is
 * true for exactly one candidate of a demand.
 *
 * @category models
 * @since 0.1.0
 */
export const Candidate = Schema.Struct({
  by: Decider,
  row: Schema.Int,
  says: Verdict,
  matched: Schema.Literals(["yes", "maybe", "no"]),
  why: Schema.String,
  deciding: Schema.Boolean,
  rule: Schema.optionalKey(Schema.Struct({ behavior: Behavior, text: Schema.String, origin: Origin }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Candidate = typeof Candidate.Type

/**
 * Schema for what was decided about one demand of a call.
 *
 * **Details**
 *
 * `demand` names it for a person: the command, `write out.txt`, or the tool.
 * `mustAsk`: a person has to answer; no classifier or hook may.
 *
 * @category models
 * @since 0.1.0
 */
export const Judged = Schema.Struct({
  demand: Schema.String,
  verdict: Verdict,
  mustAsk: Schema.Boolean,
  row: Schema.Int,
  by: Decider,
  why: Schema.String,
  rule: Schema.optionalKey(Schema.Struct({ behavior: Behavior, text: Schema.String, origin: Origin })),
  candidates: Schema.Array(Candidate)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Judged = typeof Judged.Type

/**
 * Schema for a decision: the strictest of what was judged.
 *
 * **Details**
 *
 * `row` is the row of the table of the decision (1 to 9). `judged` has one entry
 * a demand. `suggestions` are the rules that "always allow" would save; empty
 * where none may be offered. `warning` says what the call would destroy. `hooks`
 * is what became of each hook that ran for it.
 *
 * @category models
 * @since 0.1.0
 */
export const Decision = Schema.Struct({
  verdict: Verdict,
  mustAsk: Schema.Boolean,
  row: Schema.Int,
  by: Decider,
  why: Schema.String,
  rule: Schema.optionalKey(Schema.Struct({ behavior: Behavior, text: Schema.String, origin: Origin })),
  judged: Schema.Array(Judged),
  suggestions: Schema.Array(Schema.String),
  warning: Schema.optionalKey(Schema.String),
  hooks: Schema.optionalKey(Schema.Array(HookRun))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Decision = typeof Decision.Type
