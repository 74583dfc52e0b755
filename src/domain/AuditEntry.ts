/**
 * What an audit log keeps of a decision.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PermissionMode } from "./CallContext.ts"
import { Decider, Decision } from "./Decision.ts"

/**
 * Schema for how an audit log is kept: after how many bytes a new file begins,
 * and how many full ones are kept beside it. Where it is `required`, what can't be
 * written down does not run.
 *
 * @category models
 * @since 0.1.0
 */
export const AuditSettings = Schema.Struct({
  maxBytes: Schema.Int,
  keep: Schema.Int,
  required: Schema.optionalKey(Schema.Boolean)
})

/**
 * @category models
 * @since 0.1.0
 */
export type AuditSettings = typeof AuditSettings.Type

/**
 * How an audit log is kept unless settings say otherwise: 16 MiB a file, eight
 * full ones.
 *
 * @category constants
 * @since 0.1.0
 */
export const standard: AuditSettings = { maxBytes: 16 * 1024 * 1024, keep: 8 }

/**
 * Schema for one decision, as it stands in the log.
 *
 * **Details**
 *
 * - `verdict`, `by`: what came of it in the end and who said so, a person who
 *   was asked included; `why` says it in words.
 * - `parent`: the id of the call whose tool made this one, as code of `REPL` does.
 * - `input`: the input that was to run, long texts cut.
 * - `decision`: the decision before anybody was asked, with everything that was
 *   looked at.
 * - `cut`: something was left out, since the line would have been too long.
 * - `traceId`: the trace that the call belongs to, where one was kept.
 *
 * @category models
 * @since 0.1.0
 */
export const AuditEntry = Schema.Struct({
  version: Schema.Literal(1),
  time: Schema.String,
  session: Schema.String,
  id: Schema.String,
  parent: Schema.optionalKey(Schema.String),
  tool: Schema.String,
  cwd: Schema.String,
  mode: PermissionMode,
  user: Schema.optionalKey(Schema.String),
  verdict: Schema.Literals(["allow", "deny"]),
  by: Decider,
  why: Schema.String,
  input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  decision: Decision,
  cut: Schema.optionalKey(Schema.Boolean),
  traceId: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type AuditEntry = typeof AuditEntry.Type
