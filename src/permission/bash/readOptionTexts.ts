/**
 * Reads programs that do work of their own, and start another one only where an
 * option names it: `tar --to-command`, `rsync -e`, `sort --compress-program`.
 *
 * @since 0.1.0
 */
import type { Word } from "../../domain/ShellCommand.ts"
import { clusterFirst } from "./clusterFirst.ts"
import { elsewhere, type Reader, readTextOf } from "./Context.ts"
import { textsOf } from "./Options.ts"

const tars = ["tar", "gtar", "bsdtar"]

/**
 * The options of each program whose values a shell runs, or are run as if by one;
 * `?` marks one that only begins like such an option. After their manual pages.
 *
 * @category tables
 * @since 0.1.0
 */
export const optionTexts: ReadonlyMap<string, string> = new Map(
  tars.map((name): readonly [string, string] => [
    name,
    "-I= -F= --use-compress-program= --info-script= --new-volume-script= --to-command= --checkpoint? --checkpoint-action= --rsh-command= --rmt-command="
  ]).concat([
    ["cpio", "--rsh-command= --rmt-command="],
    ["rsync", "-e= --rsh= --rsync-path="],
    ["scp", "-S="],
    ["sftp", "-S= -D="],
    ["sort", "--compress-program="],
    ["split", "--filter="],
    ["zip", "-TT= --unzip-command="],
    ["rg", "--pre="],
    ["man", "-P= --pager="],
    ["nc", "-e= -c="],
    ["ncat", "-e= -c= --exec= --sh-exec="],
    ["tcpdump", "-z="],
    ["wget", "--use-askpass="],
    ["nodemon", "-x= --exec="]
  ])
)

/**
 * Makes the reader for the options of the program `name`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readOptionTexts = (name: string, options: string): Reader => (started, context) => {
  const given = started.words.slice(1)
  const texts = [
    ...textsOf(tars.includes(name) ? clusterFirst(given) : given, options).map((word) => without(word, "exec=")),
    ...(copiers.includes(name) ? sshTexts(given) : [])
  ]
  if (texts.length === 0) return undefined
  const inner = elsewhere(started, context, (inside) => texts.flatMap((text) => readTextOf([text], started, inside)))
  return inner.length === 0 ? undefined : { carrier: "delegate", inner, transparent: false, exactOnly: false }
}

const copiers = ["scp", "sftp"]

/**
 * Returns the commands of this machine that options of `ssh`, and of what uses it,
 * name.
 *
 * @category reading
 * @since 0.1.0
 */
export const sshTexts = (words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  textsOf(words, "-o=").flatMap((word) => {
    const [setting] = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)[\s=]+/i.exec(word.known[0]) ?? []
    return setting === undefined ? [] : [without(word, setting)]
  })

/** What stands behind a beginning, such as `exec=`: of what `tar` may do at a checkpoint one thing is to run something. */
const without = (word: Word, start: string): Word => {
  const [first, ...rest] = word.known
  if (!first.startsWith(start)) return word
  return { ...word, known: [first.slice(start.length), ...rest], value: word.value?.slice(start.length) }
}
