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
 * How many columns standard output has, where it is a terminal.
 *
 * @category getters
 * @since 0.1.0
 */
export const columns = (): number | undefined => fstatSync(1).isCharacterDevice() ? process.stdout.columns : undefined

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
  return Effect.map(writeStream(stream, ""), () => stream.errored ?? undefined)
})

let whenBroken = (): void => {}

/** Those that did not take everything at once. All that comes later has to go behind it. */
const streams = new Map<1 | 2, NodeJS.WriteStream>()

// Node takes longer to make a stream than a decision takes to make.
const writeTo = (descriptor: 1 | 2, text: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const stream = streams.get(descriptor)
    if (stream !== undefined) return writeStream(stream, text)
    const bytes = Buffer.from(text)
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written)
      return Effect.void
    } catch {
      // A stream waits until there is room, and says what is wrong in its own way.
      return writeStream(streamOf(descriptor), bytes.subarray(written))
    }
  })

const streamOf = (descriptor: 1 | 2): NodeJS.WriteStream => {
  const stream = descriptor === 1 ? process.stdout : process.stderr
  streams.set(descriptor, stream)
  return stream.on("error", () => descriptor === 1 ? whenBroken() : undefined)
}

const writeStream = (stream: NodeJS.WriteStream, data: string | Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => void stream.write(data, () => resume(Effect.void)))
