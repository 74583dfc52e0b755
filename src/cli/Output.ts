/**
 * Schemas of what the command line writes as JSON. Each has a version: it rises
 * when a reader would have to change.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AuditEntry } from "../domain/AuditEntry.ts"
import { PermissionMode } from "../domain/CallContext.ts"
import { CallEvent, Outcome } from "../domain/CallEvent.ts"
import { CallSummary, ConversationEnd, ConversationEvent, Usage } from "../domain/ConversationEvent.ts"
import { Decision } from "../domain/Decision.ts"
import { SignedIn, SignedOut } from "../domain/McpSignIn.ts"
import { Note } from "../domain/Note.ts"
import { Behavior, Diagnostic, Origin } from "../domain/Rule.ts"
import { ToolResult } from "../domain/ToolResult.ts"
import { Finding } from "../permission/lint/Finding.ts"

/**
 * The version of every form of output.
 *
 * @category constants
 * @since 0.1.0
 */
export const version = 1

const Version = Schema.Literal(version)

/**
 * Schema for what `call` writes with `--output json`. `decision` is missing where
 * the call ended before anything was decided.
 *
 * @category models
 * @since 0.1.0
 */
export const CallOutput = Schema.Struct({
  version: Version,
  result: ToolResult,
  outcome: Outcome,
  decision: Schema.optionalKey(Decision),
  notes: Schema.Array(Note)
})

/**
 * @category models
 * @since 0.1.0
 */
export type CallOutput = typeof CallOutput.Type

/**
 * Schema for a line that `call` writes with `--output stream-json`: an event with
 * the version and the time beside its fields. `at` counts milliseconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export const StreamLine = Schema.Union(
  CallEvent.members.map((member) => Schema.Struct({ version: Version, at: Schema.Int, ...member.fields }))
)

/**
 * Schema for a line that `chat` writes with `--output stream-json`: an event of
 * the conversation or of a call in it, in the same form.
 *
 * @category models
 * @since 0.1.0
 */
export const ChatLine = Schema.Union(
  ConversationEvent.members.map((member) => Schema.Struct({ version: Version, at: Schema.Int, ...member.fields }))
)

/**
 * Schema for what `chat` writes with `--output json`.
 *
 * @category models
 * @since 0.1.0
 */
export const ChatOutput = Schema.Struct({
  version: Version,
  why: ConversationEnd,
  answer: Schema.String,
  turns: Schema.Int,
  calls: Schema.Array(CallSummary),
  usage: Usage,
  cost: Schema.optionalKey(Schema.Finite),
  error: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type ChatOutput = typeof ChatOutput.Type

/**
 * Schema for what `check` writes.
 *
 * @category models
 * @since 0.1.0
 */
export const CheckOutput = Schema.Struct({ version: Version, decision: Decision })

/**
 * @category models
 * @since 0.1.0
 */
export type CheckOutput = typeof CheckOutput.Type

/**
 * Schema for what `explain` writes: a decision with every candidate of each part.
 *
 * @category models
 * @since 0.1.0
 */
export const ExplainOutput = Schema.Struct({ version: Version, decision: Decision })

/**
 * @category models
 * @since 0.1.0
 */
export type ExplainOutput = typeof ExplainOutput.Type

/**
 * Schema for what `lint` writes. Only errors, and with `--strict` warnings, make
 * it end with 1.
 *
 * @category models
 * @since 0.1.0
 */
export const LintOutput = Schema.Struct({
  version: Version,
  findings: Schema.Array(Finding),
  errors: Schema.Int,
  warnings: Schema.Int,
  notes: Schema.Int
})

/**
 * @category models
 * @since 0.1.0
 */
export type LintOutput = typeof LintOutput.Type

/**
 * Schema for a line that `log` writes with `--output json`.
 *
 * @category models
 * @since 0.1.0
 */
export const LogLine = AuditEntry

/**
 * Schema for what `tools` writes. `input_schema` is the JSON Schema of the input.
 *
 * @category models
 * @since 0.1.0
 */
export const ToolsOutput = Schema.Struct({
  version: Version,
  tools: Schema.Array(Schema.Struct({
    name: Schema.String,
    aliases: Schema.Array(Schema.String),
    deprecated_aliases: Schema.Array(Schema.String),
    description: Schema.String,
    origin: Schema.Literals(["builtin", "mcp", "application"]),
    input_schema: Schema.Record(Schema.String, Schema.Unknown)
  }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type ToolsOutput = typeof ToolsOutput.Type

const McpServerOutput = Schema.Struct({
  name: Schema.String,
  scope: Schema.Literals(["managed", "flag", "local", "project", "user"]),
  origin: Origin,
  status: Schema.String,
  why: Schema.optionalKey(Schema.String)
})

/**
 * Schema for what `mcp list` writes. `problems` of a server are about single
 * tools of it, those beside the servers about the files that name them.
 *
 * @category models
 * @since 0.1.0
 */
export const McpListOutput = Schema.Struct({
  version: Version,
  servers: Schema.Array(Schema.Struct({
    ...McpServerOutput.fields,
    tools: Schema.optionalKey(Schema.Int),
    problems: Schema.optionalKey(Schema.Array(Schema.String))
  })),
  problems: Schema.Array(Diagnostic)
})

/**
 * @category models
 * @since 0.1.0
 */
export type McpListOutput = typeof McpListOutput.Type

/**
 * Schema for what `mcp get` writes. Secrets of `config` are starred out.
 *
 * @category models
 * @since 0.1.0
 */
export const McpGetOutput = Schema.Struct({
  version: Version,
  ...McpServerOutput.fields,
  config: Schema.Unknown,
  tools: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type McpGetOutput = typeof McpGetOutput.Type

/**
 * Schema for what `mcp login` writes once it went well.
 *
 * @category models
 * @since 0.1.0
 */
export const McpLoginOutput = Schema.Struct({ version: Version, server: Schema.String, status: SignedIn })

/**
 * @category models
 * @since 0.1.0
 */
export type McpLoginOutput = typeof McpLoginOutput.Type

/**
 * Schema for what `mcp logout` writes: each sign-in that was ended, and whether
 * the authorization server took its tokens back.
 *
 * @category models
 * @since 0.1.0
 */
export const McpLogoutOutput = Schema.Struct({
  version: Version,
  server: Schema.String,
  ended: Schema.Array(SignedOut)
})

/**
 * @category models
 * @since 0.1.0
 */
export type McpLogoutOutput = typeof McpLogoutOutput.Type

/**
 * Schema for what `rules` writes. `problems` is everything that was wrong with
 * what was read; `unreadable` the files whose rules are hidden, so that nothing
 * is permitted beside them without a person.
 *
 * @category models
 * @since 0.1.0
 */
export const RulesOutput = Schema.Struct({
  version: Version,
  workspace: Schema.Struct({ directory: Schema.String, trusted: Schema.Boolean }),
  mode: PermissionMode,
  directories: Schema.Array(Schema.String),
  rules: Schema.Array(Schema.Struct({ behavior: Behavior, text: Schema.String, origin: Origin })),
  problems: Schema.Array(Diagnostic),
  unreadable: Schema.Array(Schema.Struct({ origin: Origin, reason: Schema.String })),
  settings_files: Schema.Array(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type RulesOutput = typeof RulesOutput.Type

/**
 * Schema for what `trust` writes: the folder that was asked about, and every
 * folder that is trusted now.
 *
 * @category models
 * @since 0.1.0
 */
export const TrustOutput = Schema.Struct({
  version: Version,
  directory: Schema.optionalKey(Schema.String),
  changed: Schema.Boolean,
  trusted: Schema.Array(Schema.String),
  brings: Schema.optionalKey(Schema.Array(Schema.String))
})

/**
 * @category models
 * @since 0.1.0
 */
export type TrustOutput = typeof TrustOutput.Type

/**
 * Schema for what `tasks` writes. `began` counts milliseconds since 1970; there is
 * an `exit_code` where a task ended by itself and somebody learned it.
 *
 * @category models
 * @since 0.1.0
 */
export const TasksOutput = Schema.Struct({
  version: Version,
  session: Schema.String,
  tasks: Schema.Array(Schema.Struct({
    id: Schema.String,
    command: Schema.String,
    cwd: Schema.String,
    began: Schema.Finite,
    output: Schema.String,
    status: Schema.Literals(["running", "ended"]),
    state: Schema.String,
    exit_code: Schema.optionalKey(Schema.Int)
  }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type TasksOutput = typeof TasksOutput.Type
