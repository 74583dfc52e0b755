/**
 * Reads the commands that programs find in their options.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { clusterFirst } from "./clusterFirst.ts"
import { elsewhere, type Reader, readTextOf } from "./Context.ts"
import { textsOf } from "./Options.ts"
import { type OptionTexts, sshSettings } from "./optionTexts.ts"

/**
 * Makes the reader for the options of the program `name`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readOptionTexts = (name: string, given: ReadonlyArray<OptionTexts>): Reader => (started, context) => {
  const words = started.words.slice(1)
  const apart = name.endsWith("tar") ? clusterFirst(words) : words
  const texts = given.flatMap((options) => textsIn(apart, options))
  if (texts.length === 0) return undefined
  const inner = elsewhere(started, context, (inside) => texts.flatMap((text) => readTextOf([text], started, inside)))
  return inner.length === 0 ? undefined : { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

/**
 * Returns the commands of this machine that options of `ssh` name.
 *
 * @category reading
 * @since 0.1.0
 */
export const sshTexts = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => textsIn(words, sshSettings)

const textsIn = (words: ReadonlyArray<Word>, { behind, options }: OptionTexts): ReadonlyArray<Word> => {
  const texts = textsOf(words, options)
  return behind === undefined ? texts : texts.flatMap((word) => {
    const [start] = behind.exec(word.known[0]) ?? []
    if (start === undefined) return []
    const [first, ...rest] = word.known
    return [{ ...word, known: [first.slice(start.length), ...rest] as const, value: word.value?.slice(start.length) }]
  })
}
