/**
 * The last conversation of a session, in a file of the session's folder.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { Message, problemOf } from "../../domain/Message.ts"
import { StoreFailed } from "../../errors/SessionError.ts"
import { atomicWrite } from "./atomicWrite.ts"
import { privateFolder, sessionFolder } from "./sessionFolder.ts"
import { whyFailed } from "./whyFailed.ts"

/**
 * Reads what was said in a session's last conversation: nothing where there was
 * none. Fails with `StoreFailed` for a file that can't be read, or that holds what
 * no model would take.
 *
 * @category reading
 * @since 0.1.0
 */
export const readConversation = Effect.fnUntraced(function*(
  stateDirectory: string,
  session: string
): Effect.fn.Return<ReadonlyArray<Message>, StoreFailed, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const path = fileOf(stateDirectory, session)
  const text = yield* fs.readFileString(path).pipe(
    Effect.catch((error) => error.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(failed(path)(error)))
  )
  if (text === undefined) return []
  const { messages } = yield* Effect.mapError(
    decode(text),
    (cause) => unreadable(path, "it holds something else", cause)
  )
  const problem = problemOf(messages)
  return problem === undefined ? messages : yield* unreadable(path, problem)
})

/**
 * Keeps what was said so far in place of what was kept before, for the user alone.
 *
 * **Details**
 *
 * The file is replaced as a whole: one that ends in the middle is never seen. Of
 * two conversations that go on in the same session, the one that was kept last
 * stays.
 *
 * @category writing
 * @since 0.1.0
 */
export const keepConversation = Effect.fnUntraced(function*(
  stateDirectory: string,
  session: string,
  messages: ReadonlyArray<Message>
): Effect.fn.Return<void, StoreFailed, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = fileOf(stateDirectory, session)
  yield* privateFolder(fs, sessionFolder(stateDirectory, session)).pipe(
    Effect.andThen(atomicWrite(path, JSON.stringify({ version: 1, messages }), { mode: 0o600 })),
    Effect.mapError(failed(path))
  )
})

const fileOf = (stateDirectory: string, session: string): string =>
  `${sessionFolder(stateDirectory, session)}/conversation.json`

const decode = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ version: Schema.Literal(1), messages: Schema.Array(Message) }))
)

const failed = (path: string) => (error: PlatformError): StoreFailed =>
  new StoreFailed({ path, reason: whyFailed(error), cause: error })

const unreadable = (path: string, problem: string, cause?: unknown): StoreFailed =>
  new StoreFailed({
    path,
    reason: `is no conversation that can go on: ${problem}; move it away to begin anew`,
    ...(cause === undefined ? {} : { cause })
  })
