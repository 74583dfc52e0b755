/**
 * Cases: situations with the answer that people expect, one JSON object a line.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { PermissionMode } from "../../domain/CallContext.ts"

const Repeat = Schema.Struct({ text: Schema.String, count: Schema.Int })

const Texts = Schema.Record(Schema.String, Schema.String)

const Rules = Schema.Struct({
  // Settings hold all kinds of things where a text should be.
  allow: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  ask: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  deny: Schema.optionalKey(Schema.Array(Schema.Unknown))
})

/**
 * Schema for what a stand-in tool does in place of a real one.
 *
 * @category models
 * @since 0.1.0
 */
export const Behaviour = Schema.Struct({
  returns: Schema.optionalKey(Schema.String),
  returnsRepeat: Schema.optionalKey(Repeat),
  returnsJson: Schema.optionalKey(Schema.String),
  returnsBytesHex: Schema.optionalKey(Schema.String),
  chunksHex: Schema.optionalKey(Schema.Array(Schema.String)),
  throws: Schema.optionalKey(Schema.String),
  throwsRepeat: Schema.optionalKey(Repeat),
  throwsValue: Schema.optionalKey(Schema.Unknown),
  exit: Schema.optionalKey(Schema.Int),
  stdout: Schema.optionalKey(Schema.String),
  stderr: Schema.optionalKey(Schema.String),
  stdoutRepeat: Schema.optionalKey(Repeat),
  delayMs: Schema.optionalKey(Schema.Finite),
  echoesInput: Schema.optionalKey(Schema.Boolean),
  validateFails: Schema.optionalKey(Schema.Unknown)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Behaviour = typeof Behaviour.Type

/**
 * Schema for a hook of a case: a process that says and does what `stub` tells.
 *
 * @category models
 * @since 0.1.0
 */
export const StubHook = Schema.Struct({
  event: Schema.String,
  matcher: Schema.optionalKey(Schema.String),
  timeoutMs: Schema.optionalKey(Schema.Finite),
  stub: Schema.Struct({
    exit: Schema.optionalKey(Schema.Int),
    stdout: Schema.optionalKey(Schema.String),
    stderr: Schema.optionalKey(Schema.String),
    delayMs: Schema.optionalKey(Schema.Finite),
    readsStdin: Schema.optionalKey(Schema.Unknown),
    missing: Schema.optionalKey(Schema.Boolean)
  })
})

/**
 * @category models
 * @since 0.1.0
 */
export type StubHook = typeof StubHook.Type

const Settings = Schema.Struct({
  hookAllow: Schema.optionalKey(Schema.String),
  mode: Schema.optionalKey(PermissionMode),
  interactive: Schema.optionalKey(Schema.Boolean),
  trusted: Schema.optionalKey(Schema.Boolean),
  additionalDirectories: Schema.optionalKey(Schema.Array(Schema.String)),
  allowManagedPermissionRulesOnly: Schema.optionalKey(Schema.Boolean),
  rawFiles: Schema.optionalKey(Texts),
  readFiles: Schema.optionalKey(Schema.Array(Schema.String)),
  changedSinceRead: Schema.optionalKey(Schema.Array(Schema.String)),
  touchedSinceRead: Schema.optionalKey(Schema.Array(Schema.String)),
  maxResultSizeChars: Schema.optionalKey(Schema.Int),
  previewChars: Schema.optionalKey(Schema.Int),
  maxErrorChars: Schema.optionalKey(Schema.Int),
  resultDirectory: Schema.optionalKey(Schema.String)
})

const Call = Schema.Struct({ name: Schema.String, input: Schema.Unknown })

const BatchCall = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.String,
  input: Schema.Unknown,
  behaviour: Schema.optionalKey(Behaviour)
})

const StandIn = Schema.Struct({
  name: Schema.String,
  server: Schema.optionalKey(Schema.String),
  tool: Schema.optionalKey(Schema.String),
  behaviour: Schema.optionalKey(Behaviour)
})

const Given = Schema.Struct({
  rules: Schema.optionalKey(Schema.Record(Schema.String, Rules)),
  cwd: Schema.NonEmptyString,
  home: Schema.optionalKey(Schema.NonEmptyString),
  settings: Schema.optionalKey(Settings),
  fs: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Boolean]))),
  platform: Schema.optionalKey(Schema.Literals(["linux", "darwin", "win32"])),
  hooks: Schema.optionalKey(Schema.Array(StubHook)),
  tools: Schema.optionalKey(Schema.Array(StandIn)),
  batch: Schema.optionalKey(Schema.Array(BatchCall)),
  abortAfterMs: Schema.optionalKey(Schema.Finite),
  userAnswers: Schema.optionalKey(Schema.Record(Schema.String, Schema.Literals(["allow", "deny"]))),
  repeat: Schema.optionalKey(Schema.Int),
  padInput: Schema.optionalKey(Schema.Record(Schema.String, Schema.Int))
})

/**
 * Schema for the answers that a case may expect.
 *
 * @category models
 * @since 0.1.0
 */
export const Answer = Schema.Literals(["allow", "ask", "deny", "error"])

/**
 * @category models
 * @since 0.1.0
 */
export type Answer = typeof Answer.Type

const Expect = Schema.Struct({
  decision: Answer,
  why: Schema.optionalKey(Schema.String),
  alsoOk: Schema.optionalKey(Schema.Array(Answer)),
  also: Schema.optionalKey(Schema.Array(Schema.String)),
  // Facts of the real shell, for those who compare parsers: nothing is run for them here.
  shell: Schema.optionalKey(Schema.Unknown)
})

/**
 * Schema for one case.
 *
 * **Details**
 *
 * `given` is the situation, `call` what the model asks for, `expect` the answer
 * and what else must be seen. Mode `default`, a person to ask, a trusted folder
 * and Linux unless `given` says otherwise.
 *
 * @category models
 * @since 0.1.0
 */
export const Case = Schema.Struct({
  id: Schema.NonEmptyString,
  area: Schema.String,
  severity: Schema.String,
  given: Given,
  call: Call,
  expect: Expect
})

/**
 * @category models
 * @since 0.1.0
 */
export type Case = typeof Case.Type

/**
 * A line of a file of cases: a case, or why it is none.
 *
 * @category models
 * @since 0.1.0
 */
export type Line =
  | { readonly _tag: "Case"; readonly case: Case }
  | { readonly _tag: "Problem"; readonly line: number; readonly id: string; readonly problem: string }

/**
 * Reads a file of cases. A field that is not known here makes its line a
 * problem, since nobody would notice that it was left out.
 *
 * @category reading
 * @since 0.1.0
 */
export const readCases = (text: string): ReadonlyArray<Line> =>
  text.split("\n").flatMap((line, index): ReadonlyArray<Line> => line.trim() === "" ? [] : [readLine(line, index + 1)])

const Named = Schema.Struct({
  id: Schema.String,
  area: Schema.Unknown,
  severity: Schema.Unknown,
  given: Schema.Unknown,
  call: Schema.Unknown,
  expect: Schema.Unknown
})

// Title, source and confidence are for people.
const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(Named))

const decodeCase = Schema.decodeUnknownResult(Case, { onExcessProperty: "error", errors: "all" })

const readLine = (text: string, line: number): Line => {
  const named = decodeLine(text)
  if (Result.isFailure(named)) {
    return { _tag: "Problem", line, id: `line ${line}`, problem: onOneLine(named.failure.message) }
  }
  const read = decodeCase(named.success)
  return Result.isSuccess(read)
    ? { _tag: "Case", case: read.success }
    : { _tag: "Problem", line, id: named.success.id, problem: onOneLine(read.failure.message) }
}

const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
