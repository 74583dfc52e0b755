/**
 * What a look over all rules finds.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Behavior, Origin } from "../../domain/Rule.ts"

/**
 * Schema for how much a finding matters: an `error` lets something through that
 * somebody meant to stop, a `warning` is a rule or hook that does not do what it
 * seems to, a `note` is worth knowing.
 *
 * @category models
 * @since 0.1.0
 */
export const Severity = Schema.Literals(["error", "warning", "note"])

/**
 * @category models
 * @since 0.1.0
 */
export type Severity = typeof Severity.Type

/**
 * Schema for the kinds of findings.
 *
 * **Details**
 *
 * - `unreadable`: a file, or a part of one, whose rules are hidden.
 * - `problem`: what reading a setting found wrong with it.
 * - `duplicate`: the same rule stands elsewhere, too.
 * - `unreachable`: a stricter rule covers everything that this one covers.
 * - `contained`: a wider rule of the same kind covers everything that this one
 *   covers.
 * - `described`: a rule allows what a description for the classifier denies.
 * - `server`: a rule is about an MCP server that nobody configured.
 * - `gate`: a hook before tools that lets calls go on when it fails.
 * - `broad`: a rule that lets any program run.
 *
 * @category models
 * @since 0.1.0
 */
export const FindingKind = Schema.Literals([
  "unreadable",
  "problem",
  "duplicate",
  "unreachable",
  "contained",
  "described",
  "server",
  "gate",
  "broad"
])

/**
 * @category models
 * @since 0.1.0
 */
export type FindingKind = typeof FindingKind.Type

/**
 * Schema for a tool call that shows a finding.
 *
 * @category models
 * @since 0.1.0
 */
export const Example = Schema.Struct({ tool: Schema.String, input: Schema.Record(Schema.String, Schema.String) })

/**
 * @category models
 * @since 0.1.0
 */
export type Example = typeof Example.Type

/**
 * Schema for a rule that a finding speaks of.
 *
 * @category models
 * @since 0.1.0
 */
export const FoundRule = Schema.Struct({ behavior: Behavior, text: Schema.String, origin: Origin })

/**
 * @category models
 * @since 0.1.0
 */
export type FoundRule = typeof FoundRule.Type

/**
 * Schema for one finding.
 *
 * **Details**
 *
 * `origin` is where to look. `rule` and `behavior` are what stands there, where
 * it is a rule; `because` is the other rule that makes it so; `meant` is what was
 * probably meant; `example` is a call that shows it.
 *
 * @category models
 * @since 0.1.0
 */
export const Finding = Schema.Struct({
  kind: FindingKind,
  severity: Severity,
  message: Schema.String,
  origin: Origin,
  rule: Schema.optionalKey(Schema.String),
  behavior: Schema.optionalKey(Behavior),
  because: Schema.optionalKey(FoundRule),
  meant: Schema.optionalKey(Schema.String),
  example: Schema.optionalKey(Example)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Finding = typeof Finding.Type
