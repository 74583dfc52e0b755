/**
 * What `toolgate chat` keeps of a conversation from one start to the next.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ConversationEvent } from "../domain/ConversationEvent.ts"
import type { Message } from "../domain/Message.ts"
import { keepConversation, readConversation } from "../layers/files/conversationFile.ts"
import { stateDirectory } from "../layers/stateDirectory.ts"
import { Misused } from "./Ended.ts"
import { line } from "./line.ts"
import * as write from "./write.ts"

/**
 * A history that is kept.
 *
 * **Details**
 *
 * - `earlier`: what was said before.
 * - `keep`: keeps a conversation whenever a turn begins or all of it ends: what is
 *   said in a turn that is killed is lost, and nothing else. Where it can't be kept
 *   that is told once, and the conversation goes on.
 *
 * @category models
 * @since 0.1.0
 */
export interface History {
  readonly earlier: ReadonlyArray<Message>
  readonly keep: (
    event: ConversationEvent,
    said: Effect.Effect<ReadonlyArray<Message>>
  ) => Effect.Effect<void, never, FileSystem.FileSystem | Path.Path>
}

/**
 * Opens the history of a session, to go on with it or to begin anew.
 *
 * @category constructors
 * @since 0.1.0
 */
export const open = Effect.fnUntraced(function*(
  session: string,
  goesOn: boolean
): Effect.fn.Return<History, Misused, FileSystem.FileSystem> {
  const earlier = goesOn
    ? yield* Effect.mapError(
      readConversation(stateDirectory(), session),
      ({ message }) => new Misused({ problem: message })
    )
    : []
  if (goesOn && earlier.length === 0) {
    yield* write.err(line("note: nothing was said in this session so far, this is a new conversation"))
  }
  let told = false
  return {
    earlier,
    keep: (event, said) =>
      event._tag !== "TurnStarted" && event._tag !== "ConversationEnded" ? Effect.void : said.pipe(
        Effect.flatMap((messages) => keepConversation(stateDirectory(), session, messages)),
        Effect.catch(({ message }) => {
          if (told) return Effect.void
          told = true
          return write.err(line(`note: \`--continue\` will not know of this, ${message}`))
        })
      )
  }
})
