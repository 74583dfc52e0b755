/**
 * Service boundary for the person who is asked. The answer may come from a
 * terminal, an application's window, or another machine days later.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Elicitation, ElicitationAnswer } from "../domain/Elicitation.ts"
import type { Answer, Question } from "../domain/Question.ts"

/**
 * Service that asks a person.
 *
 * **Details**
 *
 * `touched` is run at the first key of an answer: from then on no classifier
 * may permit in the person's place. Where nobody can be asked the answer is
 * `Nobody`, at once. Interrupting an ask takes the question back. `elicit` asks
 * what a server wants to know; where it is left out nobody is asked.
 *
 * @category services
 * @since 0.1.0
 */
export class Approver extends Context.Service<Approver, {
  readonly ask: (question: Question, touched: Effect.Effect<void>) => Effect.Effect<Answer>
  readonly elicit?: (elicitation: Elicitation) => Effect.Effect<ElicitationAnswer>
}>()("toolgate/services/Approver") {}
