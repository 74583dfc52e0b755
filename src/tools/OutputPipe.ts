/**
 * The pipe that a command prints into.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { closeSync, constants, open as openFd } from "node:fs"
import { type FileHandle, mkdtemp, open, realpath, rm } from "node:fs/promises"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { promisify } from "node:util"
import { fileStep, type FileStepFailed } from "./fileStep.ts"

/**
 * Both ends of a pipe: what comes out, and the descriptor that a command gets as
 * its standard output and standard error alike. Our own copy of that has to be
 * closed once the command has it. Nothing is at `path` any more, but the system
 * still knows the pipe by it.
 *
 * @category models
 * @since 0.1.0
 */
export interface OutputPipe {
  readonly path: string
  readonly out: Readable
  readonly into: FileHandle
}

/**
 * Makes a pipe.
 *
 * **Details**
 *
 * One pipe for both keeps what is printed in order, which two never do. It is a
 * real one: what Node gives a child is a socket, and no program can open
 * `/dev/stderr` on a socket. Node can't make a pipe itself; so a named one is
 * made, opened at both ends and removed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<OutputPipe, FileStepFailed> = Effect.acquireUseRelease(
  fileStep(() => mkdtemp(join(tmpdir(), "toolgate-pipe-"))),
  Effect.fnUntraced(function*(folder): Effect.fn.Return<OutputPipe, FileStepFailed> {
    const path = join(yield* fileStep(() => realpath(folder)), "output")
    yield* fileStep(() => run("mkfifo", ["-m", "600", path]))
    // The reading end does not wait for a writer, and then the writing end has a reader already.
    const fd = yield* fileStep(() => descriptor(path, constants.O_RDONLY | constants.O_NONBLOCK))
    const into = yield* Effect.onError(
      fileStep(() => open(path, constants.O_WRONLY)),
      () => Effect.sync(() => closeSync(fd))
    )
    // INVARIANT: the socket begins to read at once, and without a writer it would find the end.
    return { path, out: new Socket({ fd, readable: true, writable: false }), into }
  }, Effect.uninterruptible),
  (folder) => Effect.ignore(fileStep(() => rm(folder, { recursive: true, force: true })))
)

const run = promisify(execFile)

const descriptor = promisify(openFd)
