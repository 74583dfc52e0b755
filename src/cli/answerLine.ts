/**
 * Answers one line that came over the server's socket.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as path from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import { classify } from "../errors/classify.ts"
import { defaultSession } from "../layers/SessionStore.ts"
import { Pipeline } from "../pipeline.ts"
import type { RuleSources } from "../services/RuleSources.ts"
import type { ToolRegistry } from "../services/ToolRegistry.ts"
import { answerHook } from "./answerHook.ts"
import { decisionText } from "./decisionText.ts"
import { Misused } from "./Ended.ts"
import { oneLine } from "./line.ts"
import { version } from "./Output.ts"
import { parseJson } from "./parseJson.ts"
import { readQuestion } from "./readQuestion.ts"
import { realFolder } from "./realFolder.ts"
import { type ServeReply, ServeRequest } from "./Serving.ts"

/**
 * Answers a line, whatever it holds: what can't be answered gets an error.
 * `standard` is for what a question leaves out.
 *
 * @category serving
 * @since 0.1.0
 */
export const answerLine = (
  line: string,
  standard: CallContext
): Effect.Effect<ServeReply, never, Pipeline | RuleSources | ToolRegistry> => {
  let id: ServeReply["id"] = null
  return Effect.gen(function*() {
    const given = yield* parseJson(line, "the line")
    if (Predicate.isObject(given) && (Predicate.isString(given["id"]) || Number.isFinite(given["id"]))) {
      // `isFinite` is true of numbers alone.
      id = given["id"] as string | number
    }
    return yield* answer(yield* readQuestion(ServeRequest, given, "the question"), standard)
  }).pipe(
    Effect.matchCauseEffect({
      onSuccess: (body) => Effect.succeed({ version, id, ...body }),
      onFailure: (cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.interrupt
          : Effect.succeed({ version, id, error: errorText(Cause.squash(cause)) })
    })
  )
}

type Body =
  | Omit<Extract<ServeReply, { readonly decision: unknown }>, "id" | "version">
  | Omit<Extract<ServeReply, { readonly hook: unknown }>, "id" | "version">

const answer = Effect.fnUntraced(function*(
  { check, hook, project }: ServeRequest,
  standard: CallContext
): Effect.fn.Return<Body, Misused, Pipeline | RuleSources | ToolRegistry> {
  if (hook !== undefined && check === undefined) {
    return { hook: yield* answerHook(hook, project, standard.directories) }
  }
  if (check === undefined || hook !== undefined) {
    return yield* new Misused({ problem: "a question has either `check` or `hook`" })
  }
  const context = yield* contextOf(check, standard)
  const use = { type: "tool_use", id: "serve", name: check.tool, input: check.input } as const
  const decision = yield* Effect.flatMap(Pipeline, (pipeline) => pipeline.check(use, { context })).pipe(
    Effect.mapError((error) => new Misused({ problem: error.message }))
  )
  return { decision, ...(check.text === true ? { text: decisionText(check.tool, decision) } : {}) }
})

const contextOf = (
  { cwd, directories, mode, session }: NonNullable<ServeRequest["check"]>,
  standard: CallContext
): Effect.Effect<CallContext, Misused> =>
  Effect.gen(function*() {
    const relative = [cwd, ...directories ?? []].find((folder) => folder !== undefined && !path.isAbsolute(folder))
    if (relative !== undefined) return yield* new Misused({ problem: `\`${relative}\` has to be an absolute path` })
    const real = cwd === undefined ? standard.cwd : yield* realFolder(cwd)
    return {
      ...standard,
      cwd: real,
      session: session ?? (real === standard.cwd ? standard.session : defaultSession(real)),
      directories: [...standard.directories, ...directories ?? []],
      ...(mode === undefined ? {} : { mode })
    }
  })

/** What is no fault of the question is told by its kind alone. */
const errorText = (error: unknown): string =>
  error instanceof Misused ? oneLine(error.problem) : `internal error: ${classify(error)}`
