/**
 * Writes to the standard streams, and waits until what was written is taken.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

/**
 * Writes to standard output. Succeeds even when nobody reads any more: that the
 * reader is gone stops the program in its own way.
 *
 * @category output
 * @since 0.1.0
 */
export const out = (text: string): Effect.Effect<void> => writeTo(process.stdout, text)

/**
 * Writes to standard error.
 *
 * @category output
 * @since 0.1.0
 */
export const err = (text: string): Effect.Effect<void> => writeTo(process.stderr, text)

/**
 * Writes a value as one line of JSON.
 *
 * @category output
 * @since 0.1.0
 */
export const json = (value: unknown): Effect.Effect<void> => Effect.suspend(() => out(`${JSON.stringify(value)}\n`))

const writeTo = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  text === "" ? Effect.void : Effect.callback((resume) => void stream.write(text, () => resume(Effect.void)))
