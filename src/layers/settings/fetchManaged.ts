/**
 * Managed settings that a server keeps: fetched, kept, and asked about again from
 * time to time.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { atomicWrite } from "../files/atomicWrite.ts"
import { privateFolder } from "../files/sessionFolder.ts"
import { decodeText } from "./decodeText.ts"
import type { FetchManaged, ManagedCopy } from "./ManagedCopy.ts"
import { parseDocument } from "./parseDocument.ts"
import { whyNoAddress } from "./whyNoAddress.ts"

/**
 * How settings are fetched: `timeout` for a whole answer, `maxBytes` of it.
 *
 * @category options
 * @since 0.1.0
 */
export interface FetchOptions {
  readonly stateDirectory: string
  readonly timeout?: Duration.Input | undefined
  readonly maxBytes?: number | undefined
}

/**
 * Makes a way to fetch managed settings.
 *
 * **Details**
 *
 * What was fetched is kept in the state directory, where only the user can read
 * it, and used without a question while it is young. After that the server is
 * asked whether it changed. When the server can't be reached, answers with an
 * error or with what are no settings, the copy counts, with a note that says so,
 * and the server is left alone for some minutes. No redirect is followed: the
 * address is the one that a manager wrote.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFetchManaged = Effect.fnUntraced(function*(
  { maxBytes = 2 * 1024 * 1024, stateDirectory, timeout = "10 seconds" }: FetchOptions
): Effect.fn.Return<FetchManaged, never, FileSystem.FileSystem | HttpClient.HttpClient | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const client = yield* HttpClient.HttpClient
  const one = yield* Semaphore.make(1)
  const known = new Map<string, Known>()
  const folder = path.join(stateDirectory, "managed")
  const fileOf = (address: string): string =>
    path.join(folder, `${createHash("sha256").update(address).digest("hex").slice(0, 32)}.json`)

  const load = Effect.fnUntraced(function*(address: string): Effect.fn.Return<Known> {
    const text = yield* Effect.option(fs.readFileString(fileOf(address)))
    const kept = Option.flatMap(text, Schema.decodeUnknownOption(KeptFile))
    return Option.isSome(kept) && kept.value.address === address && isSettings(kept.value.text)
      ? remembered(kept.value, undefined)
      : remembered(undefined, undefined)
  })

  // That a copy can't be kept costs the next process a question, and this one nothing.
  const save = (kept: Kept): Effect.Effect<void> =>
    privateFolder(fs, folder).pipe(
      Effect.andThen(atomicWrite(fileOf(kept.address), JSON.stringify(kept), { mode: 0o600 })),
      Effect.provideService(FileSystem.FileSystem, fs),
      Effect.provideService(Path.Path, path),
      Effect.ignore
    )

  const ask = (address: string, etag: string | undefined): Effect.Effect<Answer> =>
    client.execute(HttpClientRequest.get(address, {
      headers: { accept: "application/json", ...(etag === undefined ? {} : { "if-none-match": etag }) }
    })).pipe(
      Effect.flatMap((response): Effect.Effect<Answer, unknown> => {
        const { headers, status } = response
        if (status === 304 && etag !== undefined) return Effect.succeed({ _tag: "Same" })
        if (status >= 300 && status < 400) {
          return Effect.succeed(failed("answers with a redirect, which is not followed"))
        }
        if (status !== 200) return Effect.succeed(failed(`answers with status ${status}`))
        return response.stream.pipe(
          Stream.runFoldEffect(
            (): Body => ({ chunks: [], size: 0 }),
            ({ chunks, size }, chunk: Uint8Array) =>
              size + chunk.length > maxBytes
                ? Effect.fail(tooLarge)
                : Effect.succeed({ chunks: [...chunks, chunk], size: size + chunk.length })
          ),
          Effect.map(({ chunks }) => answerOf(Buffer.concat(chunks), headers["etag"]))
        )
      }),
      Effect.scoped,
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.succeed(failed("does not answer in time")) }),
      Effect.catch((error) =>
        Effect.succeed(failed(error === tooLarge ? `answers with more than ${maxBytes} bytes` : "can't be reached"))
      )
    )

  const renew = Effect.fnUntraced(function*(address: string, before: Known, now: number): Effect.fn.Return<Known> {
    const answer = yield* ask(address, before.kept?.etag)
    if (answer._tag === "Failed") {
      if (before.kept === undefined) return { ...remembered(undefined, answer.reason, before), triedAt: now }
      const kept = { ...before.kept, failedAt: now, reason: answer.reason }
      yield* save(kept)
      return remembered(kept, undefined, before)
    }
    if (answer._tag === "Same" && before.kept === undefined) {
      return remembered(undefined, "answers that nothing changed")
    }
    const kept: Kept = {
      version: 1,
      address,
      checkedAt: now,
      text: answer._tag === "Same" ? before.kept?.text ?? "" : answer.text,
      ...(answer._tag === "Same" ? etagOf(before.kept?.etag) : etagOf(answer.etag))
    }
    yield* save(kept)
    return remembered(kept, undefined, before)
  })

  return Effect.fnUntraced(function*(address, refreshMinutes = 60) {
    const problem = whyNoAddress(address)
    if (problem !== undefined) return (remembered(undefined, problem, known.get(address))).copy
    const before = known.get(address) ?? (yield* load(address))
    const now = yield* Clock.currentTimeMillis
    const refresh = Math.max(refreshMinutes, 1) * 60_000
    const after = isDue(before, now, refresh) ? yield* renew(address, before, now) : before
    known.set(address, after)
    return after.copy
  }, one.withPermits(1))
})

const Kept = Schema.Struct({
  version: Schema.Literal(1),
  address: Schema.String,
  checkedAt: Schema.Finite,
  text: Schema.String,
  etag: Schema.optionalKey(Schema.String),
  failedAt: Schema.optionalKey(Schema.Finite),
  reason: Schema.optionalKey(Schema.String)
})

type Kept = typeof Kept.Type

const KeptFile = Schema.fromJsonString(Kept)

interface Known {
  readonly kept: Kept | undefined
  readonly copy: ManagedCopy
  readonly triedAt: number | undefined
}

type Answer =
  | { readonly _tag: "Same" }
  | { readonly _tag: "Changed"; readonly text: string; readonly etag: string | undefined }
  | { readonly _tag: "Failed"; readonly reason: string }

interface Body {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly size: number
}

const tooLarge = Symbol("too large")

const failed = (reason: string): Answer => ({ _tag: "Failed", reason })

const etagOf = (etag: string | undefined): Pick<Kept, "etag"> =>
  etag === undefined || etag.length > 1_000 ? {} : { etag }

const answerOf = (bytes: Uint8Array, etag: string | undefined): Answer => {
  const text = decodeText(bytes)
  if (text === undefined) return failed("answers with what is not valid UTF-8")
  return isSettings(text) ? { _tag: "Changed", text, etag } : failed("answers with what is no JSON object")
}

const isSettings = (text: string): boolean => {
  const document = parseDocument(text)
  return document._tag === "Tree" && document.root.type === "object"
}

// The same settings have to be the same object, or the policy would look new at every call.
const remembered = (kept: Kept | undefined, problem: string | undefined, before?: Known): Known => {
  if (kept === undefined) {
    const reason = problem ?? "was not fetched yet"
    const { copy } = before ?? {}
    const same = copy?.view._tag === "Refused" && copy.view.reason === reason
    return { kept, copy: same ? copy : { view: { _tag: "Refused", reason }, note: undefined }, triedAt: undefined }
  }
  const note = kept.reason === undefined
    ? undefined
    : `the server ${kept.reason}, so that the copy of ${DateTime.formatIso(DateTime.makeUnsafe(kept.checkedAt))} counts`
  const view = before?.kept?.text === kept.text ? before.copy.view : { _tag: "Read" as const, value: kept.text }
  return { kept, copy: { view, note }, triedAt: kept.failedAt }
}

const isDue = ({ kept, triedAt }: Known, now: number, refresh: number): boolean => {
  if (
    triedAt !== undefined && now >= triedAt &&
    now - triedAt < (kept === undefined ? 10_000 : Math.min(refresh, 300_000))
  ) {
    return false
  }
  // A clock that was put back makes a copy look as if it came from the future.
  return kept === undefined || now < kept.checkedAt || now - kept.checkedAt >= refresh
}
