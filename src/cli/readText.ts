/**
 * Reads what an argument stands for: itself, standard input or a file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { createReadStream, fstatSync } from "node:fs"
import type { Readable } from "node:stream"
import { Misused } from "./Ended.ts"
import { type Input, readInput } from "./readInput.ts"

/**
 * Reads the text of an argument: `-` is standard input, `@FILE` a file, and
 * anything else the text itself. Reading ends at the limit of 50 MB.
 *
 * @category reading
 * @since 0.1.0
 */
export const readText = Effect.fnUntraced(function*(
  argument: string,
  name: string
): Effect.fn.Return<string, Misused> {
  if (argument === "-") {
    const what = `${name} from standard input`
    // A stream takes it for one that has nothing.
    if (fstatSync(0).isDirectory()) return yield* new Misused({ problem: `${what} is a folder, name a file` })
    if (ahead !== undefined && ahead.bytes.length > limit) return yield* tooLong(what)
    return ahead?.ended === true
      ? yield* decode(ahead.bytes, what)
      : yield* readStream(process.stdin, what, ahead?.bytes)
  }
  if (argument === "@") return yield* new Misused({ problem: `${name} \`@\` names no file, write \`@FILE\`` })
  if (argument.startsWith("@")) {
    const file = argument.slice(1)
    // Opened by itself, so that a pipe such as `<(...)` works, and a folder fails as it is read.
    return yield* readStream(createReadStream(file), `the file \`${file}\` of ${name}`)
  }
  return Buffer.byteLength(argument) > limit ? yield* tooLong(name) : argument
})

/**
 * Reads standard input before it is asked for, as far as it can be read at once.
 * To be called before signals are minded.
 *
 * @category reading
 * @since 0.1.0
 */
export const readAhead = (): void => {
  ahead = readInput(limit)
}

let ahead: Input | undefined

const limit = 50_000_000

const readStream = (stream: Readable, what: string, before: Buffer = Buffer.alloc(0)): Effect.Effect<string, Misused> =>
  Effect.callback<string, Misused>((resume) => {
    const chunks = [before]
    let size = before.length
    const onData = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > limit) finish(tooLong(what))
    }
    const onEnd = () => finish(decode(Buffer.concat(chunks), what))
    const onError = (error: Error) => finish(new Misused({ problem: `${what} ${whyUnread(error)}` }))
    const finish = (result: Effect.Effect<string, Misused>) => {
      stop()
      resume(result)
    }
    const stop = () => {
      stream.off("data", onData).off("end", onEnd)
      stream.destroy()
    }
    stream.on("data", onData).on("end", onEnd).on("error", onError)
    return Effect.sync(stop)
  })

const decode = (bytes: Buffer, what: string): Effect.Effect<string, Misused> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new Misused({ problem: `${what} is not UTF-8 text` })
  })

const tooLong = (what: string): Effect.Effect<never, Misused> =>
  Effect.fail(new Misused({ problem: `${what} is longer than ${limit / 1_000_000} MB, give less` }))

const whyUnread = (error: Error): string => {
  const code = Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : error.name
  return reasons[code] ?? `can't be read (${code})`
}

const reasons: { readonly [code: string]: string } = {
  EACCES: "may not be read by this user",
  EISDIR: "is a folder, name a file",
  ENAMETOOLONG: "has too long a name",
  ENOENT: "is not there",
  ENOTDIR: "has a file where a folder should be"
}
