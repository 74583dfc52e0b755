/**
 * The pipe that a command prints into.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { fileStep, type FileStepFailed } from "./fileStep.ts"
import * as OutputReader from "./OutputReader.ts"

/**
 * Both ends of a pipe.
 *
 * **Details**
 *
 * - `reader`: what comes out. It is made when it is asked for first, best while
 *   the command starts, and finds the end where nobody has `into` by then.
 * - `into`: the descriptor that a command gets as its standard output and
 *   standard error alike. `closeInto` has to be called once the command has it.
 * - `takeAgain`: one more descriptor to read from, which waits where nothing is
 *   there, as programs expect it. Whoever takes it has to close it; nothing is
 *   left to take once `reader` was closed.
 * - `path`: nothing is there any more, but the system still knows the pipe by it.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputPipe {
  readonly path: string
  readonly reader: OutputReader.OutputReader
  readonly into: number
  readonly closeInto: () => void
  readonly takeAgain: () => number | undefined
}

/**
 * Gives a pipe that nobody else has.
 *
 * **Details**
 *
 * One pipe for both keeps what is printed in order, which two never do. It is a
 * real one: what Node gives a child is a socket, and no program can open
 * `/dev/stderr` on a socket. Node can't make a pipe itself; so named ones are
 * made, opened at both ends and removed. Since that takes a process, whoever
 * needs a second one gets many made at once.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<OutputPipe, FileStepFailed> = Effect.suspend(() => {
  const ends = ready.pop()
  if (ends === undefined) return Effect.andThen(fileStep(more), make)
  given += 1
  if (given > 1) setImmediate(keepSome)
  return Effect.succeed(toPipe(ends))
})

/** The next ones are made while a command runs. Should that fail, whoever needs one will hear of it. */
const keepSome = (): void => {
  if (ready.length < fewest) more().catch(() => {})
}

interface Ends {
  readonly path: string
  readonly fd: number
  readonly into: number
  /** Once nobody writes, opening one more would wait for ever. */
  readonly spare: number
}

// Pipes are the process's, as descriptors are: no command ever sees one that another has had.
const ready: Array<Ends> = []
let making: Promise<void> | undefined
let given = 0

const fewest = 4
const many = 12

const more = (): Promise<void> =>
  making ??= makeSome().finally(() => {
    making = undefined
  })

const makeSome = async (): Promise<void> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-pipe-")))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once("exit", remove)
  try {
    const paths = Array.from({ length: given === 0 ? 1 : many }, (_, index) => join(folder, `output-${index}`))
    await promisify(execFile)("mkfifo", ["-m", "600", ...paths])
    for (const path of paths) ready.push(openEnds(path))
  } finally {
    process.off("exit", remove)
    remove()
  }
}

const openEnds = (path: string): Ends => {
  // The reading end does not wait for a writer, and then the writing end has a reader already.
  const open = [openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)]
  try {
    const [fd = -1, into = -1, spare = -1] = [
      ...open,
      ...[constants.O_WRONLY, constants.O_RDONLY].map((how) => {
        const descriptor = openSync(path, how)
        open.push(descriptor)
        return descriptor
      })
    ]
    return { path, fd, into, spare }
  } catch (cause) {
    for (const descriptor of open) closeSync(descriptor)
    throw cause
  }
}

const toPipe = ({ fd, into, path, spare }: Ends): OutputPipe => {
  let reader: OutputReader.OutputReader | undefined
  let open: number | undefined = spare
  const closeSpare = () => {
    if (open !== undefined) closeSync(open)
    open = undefined
  }
  return {
    path,
    get reader() {
      return reader ??= OutputReader.fromPipe(fd, closeSpare)
    },
    into,
    closeInto: () => closeSync(into),
    takeAgain: () => {
      const own = open
      open = undefined
      return own
    }
  }
}
