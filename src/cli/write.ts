/**
 * Writes to the standard streams, and waits until what was written is taken.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { fstatSync, writeSync } from "node:fs"

/**
 * Writes to standard output. Succeeds even when nobody reads any more: that the
 * reader is gone stops the program in its own way.
 *
 * @category output
 * @since 0.1.0
 */
export const out = (text: string): Effect.Effect<void> => writeTo(1, text)

/**
 * Writes to standard error.
 *
 * @category output
 * @since 0.1.0
 */
export const err = (text: string): Effect.Effect<void> => writeTo(2, text)

/**
 * Writes a value as one line of JSON.
 *
 * @category output
 * @since 0.1.0
 */
export const json = (value: unknown): Effect.Effect<void> => Effect.suspend(() => out(`${JSON.stringify(value)}\n`))

/**
 * How many columns standard output has, or standard error, where it is a terminal.
 *
 * @category getters
 * @since 0.1.0
 */
export const columns = (descriptor: 1 | 2 = 1): number | undefined =>
  fstatSync(descriptor).isCharacterDevice() ? (descriptor === 1 ? process.stdout : process.stderr).columns : undefined

/**
 * Has somebody told that standard output takes nothing any more.
 *
 * @category output
 * @since 0.1.0
 */
export const onBroken = (then: () => void): void => {
  whenBroken = then
}

/**
 * Waits for what was written, and says by which error standard output did not
 * take all of it.
 *
 * @category output
 * @since 0.1.0
 */
export const lost: Effect.Effect<Error | undefined> = Effect.suspend(() => {
  const stream = streams.get(1)
  if (stream === undefined) return Effect.undefined
  return Effect.callback((resume) => {
    stream.write("", () => resume(Effect.succeed(stream.errored ?? undefined)))
  })
})

let whenBroken = (): void => {}

/** Those that did not take everything at once. All that comes later has to go behind it. */
const streams = new Map<1 | 2, NodeJS.WriteStream>()

/**
 * How many bytes may be written before there is a stream: as many as any pipe takes whose reader is slow, since nothing
 * else happens while one waits for its reader, not even a signal. Consoles of Windows read no UTF-8 but from a stream.
 */
let room = process.platform === "win32" ? 0 : 4096

// All in one step, so that nothing that is written meanwhile comes between.
const writeTo = (descriptor: 1 | 2, text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const bytes = Buffer.from(text)
    const written = writeAtOnce(descriptor, bytes)
    if (written === bytes.length) return resume(Effect.void)
    streamOf(descriptor).write(bytes.subarray(written), () => resume(Effect.void))
  })

/** Writes what can be written without a stream: Node takes longer to make one than a decision takes to make. */
const writeAtOnce = (descriptor: 1 | 2, bytes: Buffer): number => {
  let written = 0
  if (streams.has(descriptor) || bytes.length > room) return written
  room -= bytes.length
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch {
    // A stream waits until there is room, and says what is wrong in its own way.
  }
  return written
}

const streamOf = (descriptor: 1 | 2): NodeJS.WriteStream => {
  const made = streams.get(descriptor)
  if (made !== undefined) return made
  const stream = descriptor === 1 ? process.stdout : process.stderr
  streams.set(descriptor, stream)
  return stream.on("error", () => descriptor === 1 ? whenBroken() : undefined)
}
