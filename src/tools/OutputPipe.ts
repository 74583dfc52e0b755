/**
 * The pipe that a command prints into.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { closeSync, constants, open as openFd } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { promisify } from "node:util"
import { fileStep, type FileStepFailed } from "./fileStep.ts"

/**
 * Both ends of a pipe.
 *
 * **Details**
 *
 * - `out`: what comes out.
 * - `into`: the descriptor that a command gets as its standard output and
 *   standard error alike. `closeInto` has to be called once the command has it.
 * - `takeAgain`: one more descriptor to read from, which waits where nothing is
 *   there, as programs expect it. Whoever takes it has to close it; nothing is
 *   left to take once `out` was closed.
 * - `path`: nothing is there any more, but the system still knows the pipe by it.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputPipe {
  readonly path: string
  readonly out: Readable
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
 * made, opened at both ends and removed. Since that takes a process, some are
 * made at once, and more before they are used up.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<OutputPipe, FileStepFailed> = Effect.map(
  fileStep(() => take()),
  (ends) => toPipe(ends)
)

interface Ends {
  readonly path: string
  readonly fd: number
  readonly into: number
  /** Once nobody writes, opening one more would wait for ever. */
  readonly spare: number
}

const atOnce = 4

// Pipes are the process's, as descriptors are: no command ever sees one that another has had.
const ready: Array<Ends> = []
let making: Promise<void> | undefined

const take = async (): Promise<Ends> => {
  while (true) {
    const ends = ready.pop()
    if (ends !== undefined) {
      if (ready.length === 0) more().catch(() => {})
      return ends
    }
    await more()
  }
}

const more = (): Promise<void> => {
  making ??= makeSome().finally(() => {
    making = undefined
  })
  return making
}

const makeSome = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "toolgate-pipe-"))
  try {
    const real = await realpath(folder)
    const paths = Array.from({ length: atOnce }, (_, index) => join(real, `output-${index}`))
    await run("mkfifo", ["-m", "600", ...paths])
    for (const path of paths) ready.push(await openEnds(path))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const openEnds = async (path: string): Promise<Ends> => {
  // The reading end does not wait for a writer, and then the writing end has a reader already.
  const fd = await descriptor(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const into = await descriptor(path, constants.O_WRONLY)
    return { path, fd, into, spare: await descriptor(path, constants.O_RDONLY) }
  } catch (cause) {
    closeSync(fd)
    throw cause
  }
}

const toPipe = ({ fd, into, path, spare }: Ends): OutputPipe => {
  let open: number | undefined = spare
  // INVARIANT: the socket begins to read at once, and without a writer it would find the end.
  const out = new Socket({ fd, readable: true, writable: false })
  out.once("close", () => {
    if (open !== undefined) closeSync(open)
    open = undefined
  })
  return {
    path,
    out,
    into,
    closeInto: () => closeSync(into),
    takeAgain: () => {
      const own = open
      open = undefined
      return own
    }
  }
}

const run = promisify(execFile)

const descriptor = promisify(openFd)
