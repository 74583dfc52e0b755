/**
 * What sessions have seen of files, in a file of their own: a line each time
 * that something new was seen.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import { remember } from "../../domain/remember.ts"
import { FileState } from "../../domain/SessionState.ts"
import { StoreFailed } from "../../errors/SessionError.ts"
import type { SessionStore } from "../../services/SessionStore.ts"
import { whyFailed } from "./whyFailed.ts"

/**
 * Makes the half of a session store that remembers what was seen of files.
 *
 * **Details**
 *
 * A line is added in one step, so that processes need no lock for it, and nothing
 * is written where nothing is new. A line that was cut off, by a full disk or the
 * end of the machine, is passed over: that file counts as not seen.
 *
 * The files are short and the user's own: they are looked at without leaving the
 * thread, since each step through the pool of threads costs tenfold.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSeenFiles = (
  folderOf: (session: string) => string
): Pick<SessionStore["Service"], "seen" | "saw"> => {
  const journals = new Map<string, Journal>()
  const batches = new Map<string, Batch>()

  const upToDate = (session: string): Journal => {
    const file = `${folderOf(session)}/seen.ndjson`
    const journal = journals.get(file) ?? { file, states: new Map(), identity: "", read: 0 }
    // One that can't be read is forgotten.
    journals.delete(file)
    remember(journals, file, catchUp(journal), mostKept)
    return journal
  }

  const attempt = <A>(session: string, step: (journal: Journal) => A): Effect.Effect<A, StoreFailed> =>
    Effect.try({
      try: () => step(upToDate(session)),
      catch: (cause) => new StoreFailed({ path: folderOf(session), reason: whyFailed(cause), cause })
    })

  return {
    seen: (session, path) => attempt(session, ({ states }) => states.get(path)),
    saw: Effect.fnUntraced(function*(session, path, state) {
      const batch = batches.get(session) ?? { seen: new Map(), written: undefined }
      batches.set(session, batch)
      batch.seen.set(path, state)
      // Calls that run at the same time are written down together.
      yield* Effect.yieldNow
      if (batch.written === undefined) {
        batches.delete(session)
        batch.written = yield* Effect.exit(attempt(session, (journal) => write(journal, batch.seen)))
      }
      return yield* batch.written
    })
  }
}

interface Batch {
  readonly seen: Map<string, FileState>
  written: Exit.Exit<void, StoreFailed> | undefined
}

interface Journal {
  readonly file: string
  readonly states: Map<string, FileState>
  /** What tells the file apart from another of its name, and how much of it was read. */
  identity: string
  read: number
}

const mostKept = 64

const catchUp = (journal: Journal): Journal => {
  const info = statSync(journal.file, { throwIfNoEntry: false })
  const identity = info === undefined ? "" : identityOf(info)
  const size = info?.size ?? 0
  if (identity !== journal.identity || size < journal.read) {
    journal.states.clear()
    journal.identity = identity
    journal.read = 0
  }
  if (size === journal.read) return journal

  const bytes = readFrom(journal.file, journal.read, size - journal.read)
  // What another process is about to end is read the next time.
  const whole = bytes.lastIndexOf("\n") + 1
  for (const line of bytes.toString("utf8", 0, whole).split("\n")) {
    const seen = line === "" ? undefined : Option.getOrUndefined(decode(line))
    if (seen !== undefined) journal.states.set(seen.path, seen.state)
  }
  journal.read += whole
  return journal
}

const identityOf = ({ birthtimeMs, dev, ino }: Stats): string => `${dev}:${ino}:${birthtimeMs}`

const readFrom = (file: string, position: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  const descriptor = openSync(file, "r")
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position))
  } finally {
    closeSync(descriptor)
  }
}

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ path: Schema.String, state: FileState }))
)

const same = (before: FileState | undefined, now: FileState): boolean =>
  before !== undefined && before.hash === now.hash && before.whole === now.whole &&
  before.mtimeMillis === now.mtimeMillis && before.size === now.size

const write = (journal: Journal, seen: ReadonlyMap<string, FileState>): void => {
  const { file, states } = journal
  const news = [...seen].filter(([path, state]) => !same(states.get(path), state))
  if (news.length === 0) return
  // What stands before may have been cut off: it is ended first.
  const text = Buffer.from(`\n${news.map(([path, state]) => `${JSON.stringify({ path, state })}\n`).join("")}`)
  append(file, text)

  const info = statSync(file)
  if (identityOf(info) !== journal.identity || info.size !== journal.read + text.length) return
  for (const [path, state] of news) states.set(path, state)
  journal.read = info.size
}

const append = (file: string, text: Buffer): void => {
  try {
    appendFileSync(file, text, { mode: 0o600 })
  } catch (error) {
    if (!Predicate.hasProperty(error, "code") || error.code !== "ENOENT") throw error
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    appendFileSync(file, text, { mode: 0o600 })
  }
}
