/**
 * Listens on a Unix socket that nobody else can take the place of.
 *
 * @since 0.1.0
 */
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Scope from "effect/Scope"
import type { SocketServer } from "effect/socket/SocketServer"
import { lstatSync, mkdirSync, realpathSync, unlinkSync } from "node:fs"
import { createConnection } from "node:net"
import * as path from "node:path"
import { whyFailed } from "../layers/files/whyFailed.ts"
import { withLock } from "../layers/files/withLock.ts"
import { Misused } from "./Ended.ts"
import { nearestFolder, whyNotOwn } from "./ownFolder.ts"

/**
 * Listens at a path, for the user alone, as long as the scope is open. The
 * socket of a server that is gone is replaced, one that answers is not.
 *
 * @category serving
 * @since 0.1.0
 */
export const listen = Effect.fnUntraced(function*(
  given: string
): Effect.fn.Return<SocketServer["Service"], Misused, FileSystem.FileSystem | Scope.Scope> {
  const file = yield* Effect.try({ try: () => inOwnFolder(given), catch: (cause) => misusedOf(given, cause) })
  if (Buffer.byteLength(file) > longest) {
    return yield* new Misused({
      problem: `the socket's path \`${file}\` is longer than ${longest} bytes, choose a shorter one`
    })
  }
  // Two servers that start at once must not both find that nobody answers.
  return yield* withLock(`${file}.lock`)(Effect.gen(function*() {
    yield* clear(file)
    // For the user alone from the first moment on.
    const mask = process.umask(0o177)
    return yield* NodeSocketServer.make({ path: file, allowHalfOpen: true }).pipe(
      Effect.mapError(({ reason }) => misusedOf(file, reason.cause)),
      Effect.ensuring(Effect.sync(() => process.umask(mask)))
    )
  })).pipe(
    Effect.catchTag(
      "StoreFailed",
      ({ reason }) => Effect.fail(new Misused({ problem: `can't listen on \`${file}\`: its lock ${reason}` }))
    )
  )
})

// What every Unix has room for in the address of a socket.
const longest = 103

class Shared extends Error {}

const inOwnFolder = (given: string): string => {
  const folder = path.dirname(given)
  const refuse = (at: string): void => {
    const why = whyNotOwn(at)
    if (why !== undefined) throw new Shared(`\`${at}\`, which ${why}: choose one in a folder of your own`)
  }
  const nearest = nearestFolder(folder)
  refuse(nearest)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const real = realpathSync(folder)
  if (real !== nearest) refuse(real)
  return path.join(real, path.basename(given))
}

const misusedOf = (file: string, cause: unknown): Misused =>
  new Misused({
    problem: cause instanceof Shared
      ? `the socket can't be in ${cause.message}`
      : `can't listen on \`${file}\`: it ${whyFailed(cause)}`
  })

const clear = Effect.fnUntraced(function*(file: string): Effect.fn.Return<void, Misused> {
  const info = lstatSync(file, { throwIfNoEntry: false })
  if (info === undefined) return
  if (!info.isSocket()) {
    return yield* new Misused({ problem: `\`${file}\` is there and is no socket, choose another path` })
  }
  if (yield* answers(file)) {
    return yield* new Misused({ problem: `another server listens on \`${file}\`, stop it or choose another path` })
  }
  unlinkSync(file)
})

/** Whether anybody takes connections there; one that can't be tried may be somebody's. */
const answers = (file: string): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const connection = createConnection(file)
    connection.once("connect", () => resume(Effect.succeed(true)))
    connection.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code !== "ECONNREFUSED")))
    return Effect.sync(() => connection.destroy())
  })
