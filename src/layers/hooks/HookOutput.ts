/**
 * What a hook wrote to one of its outputs, bounded.
 *
 * @since 0.1.0
 */

/**
 * Keeps the first megabyte, or another number of bytes, and knows whether there was more.
 *
 * @category models
 * @since 0.1.0
 */
export class HookOutput {
  readonly #kept: Array<Uint8Array> = []
  readonly #most: number
  #size = 0

  constructor(most = 1_048_576) {
    this.#most = most
  }

  /** Takes the next piece. */
  add(bytes: Uint8Array): void {
    const room = this.#most - this.#size
    this.#size += bytes.length
    if (room > 0) this.#kept.push(bytes.length <= room ? bytes : bytes.slice(0, room))
  }

  /** Whether something was dropped. */
  get isCut(): boolean {
    return this.#size > this.#most
  }

  /** The text so far, without a byte order mark, which also tells of UTF-16. */
  get text(): string {
    const bytes = Buffer.concat(this.#kept)
    return new TextDecoder(encodings[bytes.toString("hex", 0, 2)]).decode(bytes)
  }
}

const encodings: { readonly [mark: string]: string } = { fffe: "utf-16le", feff: "utf-16be" }

/**
 * An output that holds a text.
 *
 * @category constructors
 * @since 0.1.0
 */
export const outputOf = (text: string): HookOutput => {
  const output = new HookOutput(Infinity)
  output.add(new TextEncoder().encode(text))
  return output
}
