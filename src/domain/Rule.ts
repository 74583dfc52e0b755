/**
 * Permission rules as data: where each came from, what it tells us to do, and
 * what it matches.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Schema for what a rule tells us to do with a call it matches, strictest first.
 *
 * @category models
 * @since 0.1.0
 */
export const Behavior = Schema.Literals(["deny", "ask", "allow"])

/**
 * @category models
 * @since 0.1.0
 */
export type Behavior = typeof Behavior.Type

/**
 * Schema for the eight places that rules come from.
 *
 * @category models
 * @since 0.1.0
 */
export const RuleSource = Schema.Literals([
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings",
  "cliArg",
  "command",
  "session"
])

/**
 * @category models
 * @since 0.1.0
 */
export type RuleSource = typeof RuleSource.Type

/**
 * Schema for where a rule was written. `line` and `column` count from 1.
 *
 * @category models
 * @since 0.1.0
 */
export const Origin = Schema.Struct({
  source: RuleSource,
  file: Schema.optionalKey(Schema.String),
  line: Schema.optionalKey(Schema.Int),
  column: Schema.optionalKey(Schema.Int)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Origin = typeof Origin.Type

/**
 * Schema for a text with gaps: `*` of a rule stands between two pieces, so that
 * `["git ", " main"]` is `git * main`. One piece alone is exact. Escapes are
 * resolved: a piece is what the command must really hold.
 *
 * @category models
 * @since 0.1.0
 */
export const Wildcard = Schema.Array(Schema.String)

/**
 * @category models
 * @since 0.1.0
 */
export type Wildcard = typeof Wildcard.Type

/**
 * Schema for what stands in the parentheses of a rule, read for its tool.
 *
 * **Details**
 *
 * - `Any`: the bare tool, or `Tool(*)`.
 * - `Command`: `pieces` of a wildcard; `boundary` for a trailing ` *` or `:*`,
 *   which also matches when nothing follows.
 * - `Path`: a gitignore-style pattern without its anchor prefix; `anchor` says
 *   which one it had.
 * - `Domain`: host pattern of `WebFetch(domain:…)`.
 * - `Parameter`: one field of the input, for deny and ask.
 * - `Description`: prose for the classifier, `Bash(prompt: …)`.
 * - `Name`: an agent's or skill's name with its gaps.
 * - `Inert`: can be read and matches nothing; a diagnostic says why.
 *
 * @category models
 * @since 0.1.0
 */
export const Specifier = Schema.Union([
  Schema.TaggedStruct("Any", {}),
  Schema.TaggedStruct("Command", { pieces: Wildcard, boundary: Schema.Boolean }),
  Schema.TaggedStruct("Path", { anchor: Schema.Literals(["root", "home", "source", "cwd"]), pattern: Schema.String }),
  Schema.TaggedStruct("Domain", { pattern: Schema.String }),
  Schema.TaggedStruct("Parameter", { parameter: Schema.String, pieces: Wildcard }),
  Schema.TaggedStruct("Description", { text: Schema.String }),
  Schema.TaggedStruct("Name", { pieces: Wildcard, boundary: Schema.Boolean }),
  Schema.TaggedStruct("Inert", { text: Schema.String })
])

/**
 * @category models
 * @since 0.1.0
 */
export type Specifier = typeof Specifier.Type

/**
 * Schema for a rule without its place: which tool, and which of its calls.
 * `tool` holds the gaps of a glob such as `mcp__*`; a plain name has one piece.
 *
 * @category models
 * @since 0.1.0
 */
export const Pattern = Schema.Struct({ tool: Wildcard, specifier: Specifier })

/**
 * @category models
 * @since 0.1.0
 */
export type Pattern = typeof Pattern.Type

/**
 * Schema for one rule in force.
 *
 * **Details**
 *
 * `text` is the rule as written. `base` is the absolute directory that a path
 * pattern with a single leading slash is anchored at, by the rule's source.
 *
 * @category models
 * @since 0.1.0
 */
export const Rule = Schema.Struct({
  behavior: Behavior,
  text: Schema.String,
  pattern: Pattern,
  origin: Origin,
  base: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type Rule = typeof Rule.Type

/**
 * Schema for what is wrong with a settings file or a rule in it.
 *
 * **Details**
 *
 * `severity` is `error` where a deny or ask rule was lost or a file could not be
 * read, `warning` elsewhere. `meant` is the rule that was probably meant.
 * `offset` is the position in the rule's text, from 0.
 *
 * @category models
 * @since 0.1.0
 */
export const Diagnostic = Schema.Struct({
  severity: Schema.Literals(["error", "warning"]),
  message: Schema.String,
  origin: Origin,
  rule: Schema.optionalKey(Schema.String),
  behavior: Schema.optionalKey(Behavior),
  offset: Schema.optionalKey(Schema.Int),
  meant: Schema.optionalKey(Schema.String)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Diagnostic = typeof Diagnostic.Type
