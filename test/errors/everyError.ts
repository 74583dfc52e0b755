/** One error of every kind that we have, and of kinds that others have, for a test that builds this with a minifier. */
import * as Schema from "effect/Schema"
import { BatchRefused } from "../../src/errors/BatchError.ts"
import { CallStopped, InternalError } from "../../src/errors/CallError.ts"
import { classify } from "../../src/errors/classify.ts"
import { McpAuthRequired, McpCallFailed, ToolFailed, ToolTimedOut } from "../../src/errors/ExecuteError.ts"
import { ToolNotFound } from "../../src/errors/LookupError.ts"
import { PermissionDenied } from "../../src/errors/PermissionError.ts"
import { ResultStoreFailed } from "../../src/errors/ResultError.ts"
import { StoreFailed } from "../../src/errors/SessionError.ts"
import { TelemetrySafeError } from "../../src/errors/TelemetrySafeError.ts"
import { InputInvalid, InputRefused } from "../../src/errors/ValidateError.ts"

const call = {
  use: { type: "tool_use", id: "t", name: "Secret", input: {} },
  context: { session: "s", cwd: "/secret", directories: [] },
  notes: []
} as const

class WeatherDown extends Schema.TaggedError<WeatherDown>()("WeatherDown", { city: Schema.String }) {}

class PlainlyNamed extends Error {}

class NamesItself extends Error {
  override name = "NamesItself"
}

class NamedByItsClass extends Error {
  constructor(message: string) {
    super(message)
    this.name = new.target.name
  }
}

const everyError: ReadonlyArray<unknown> = [
  new TelemetrySafeError({ message: "the index is stale" }),
  new BatchRefused({ id: "secret", reason: "twice" }),
  new CallStopped({ call, how: "cancelled" }),
  new InternalError({ call, id: "t", cause: "secret" }),
  new ToolNotFound({ call, nearest: [] }),
  new InputInvalid({ call, issues: [], schema: {} }),
  new InputRefused({ call, reason: "secret", code: 1 }),
  new PermissionDenied({ call, by: "rule", detail: "secret" }),
  new ToolFailed({ reason: "secret" }),
  new ToolTimedOut({ limitMillis: 1 }),
  new McpCallFailed({ server: "secret", reason: "secret" }),
  new McpAuthRequired({ server: "secret", how: "secret" }),
  new ResultStoreFailed({ reason: "secret" }),
  new StoreFailed({ path: "/secret", reason: "secret" }),
  new WeatherDown({ city: "secret" }),
  new PlainlyNamed("secret"),
  new NamesItself("secret"),
  new TypeError("secret"),
  Object.assign(new Error("secret"), { code: "ENOENT" })
]

/** Depends on what the minifier makes of a class's name. */
const byClass: unknown = new NamedByItsClass("secret")

export const names: ReadonlyArray<string> = everyError.map(classify)

export const nameByClass: string = classify(byClass)
