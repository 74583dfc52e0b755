/**
 * A program of the tests: asks a question at its terminal, once or several times at once, and writes the answer to a
 * file, with how often a key was touched.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { writeFileSync } from "node:fs"
import { Question } from "../../../src/domain/Question.ts"
import * as Approver from "../../../src/layers/Approver.ts"
import { Approver as Service } from "../../../src/services/Approver.ts"

const [text = "", file = "", withdrawAfter = "", timeLimit = "", times = "1"] = process.argv.slice(2)

Effect.gen(function*() {
  const question = yield* Schema.decodeEffect(Schema.fromJsonString(Question))(text)
  const approver = yield* Service
  let touched = 0
  const asking = Effect.all(
    Array.from({ length: Number(times) }, () => approver.ask(question, Effect.sync(() => void touched++))),
    { concurrency: "unbounded" }
  )
  const answers = withdrawAfter === ""
    ? yield* asking
    : yield* Effect.timeoutOrElse(asking, {
      duration: `${Number(withdrawAfter)} millis`,
      orElse: () => Effect.succeed(["withdrawn"])
    })
  writeFileSync(file, JSON.stringify({ answer: answers.length === 1 ? answers[0] : answers, touched }))
}).pipe(
  Effect.provide(Approver.layerTerminal(timeLimit === "" ? {} : { timeLimit: `${Number(timeLimit)} millis` })),
  NodeRuntime.runMain
)
