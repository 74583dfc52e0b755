/**
 * Empty folders that stand for closed paths that are not there.
 *
 * @since 0.1.0
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, sep } from "node:path"
import type { StoreFailed } from "../../errors/SessionError.ts"
import * as LockOwner from "../files/LockOwner.ts"
import { withLock } from "../files/withLock.ts"

/**
 * What is there as long as a command runs.
 *
 * @category models
 * @since 0.1.0
 */
export interface StandIns {
  readonly paths: ReadonlyArray<string>
  readonly takeAway: Effect.Effect<void>
}

/**
 * Makes a way to put a folder at the first part that is missing of each path in
 * the given roots. What can't be made is left to the runtime.
 *
 * **Details**
 *
 * Linux closes a path by mounting something over it, so something must be there.
 * Left to itself the runtime takes a device, and an empty file on the disk that
 * it makes and removes without asking who else relies on it. Git overlooks an
 * empty folder, and every program can copy one. For `file` a file stands, since
 * a program would not start beside a folder of that name.
 *
 * INVARIANT: a folder is taken away once nobody relies on it, in this process
 * or another, since what is mounted on it goes with it. So it is written down who
 * does; a process that ended without a word counts for as long as one of its
 * commands goes on.
 *
 * @category constructors
 * @since 0.1.0
 */
export const standIns = (stateDirectory: string, fs: FileSystem.FileSystem) => {
  const record = `${stateDirectory}/stand-ins.json`
  const change = (edit: (before: Holders) => Holders): Effect.Effect<void, Cause.UnknownError | StoreFailed> =>
    Effect.try(() => {
      const before = read(record)
      const after = edit(before)
      if (after !== before) write(record, after)
    }).pipe(withLock(`${record}.lock`), Effect.provideService(FileSystem.FileSystem, fs))

  return Effect.fnUntraced(function*(
    closed: ReadonlyArray<string>,
    roots: ReadonlyArray<string>,
    file?: string
  ): Effect.fn.Return<StandIns> {
    const owner = LockOwner.mine(randomUUID())
    const folders = roots.flatMap(realFolder)
    let paths: ReadonlyArray<string> = []
    let inUseBefore: ReadonlySet<string> = new Set()
    const put = change((before) => {
      if (!before.every(isHeld)) inUseBefore = mountPoints()
      const known = new Set(before.flatMap((holder) => holder.paths))
      const found = new Set<string>()
      for (const path of closed) {
        const place = standIn(path, known, folders)
        if (place === undefined) continue
        found.add(place)
        // Another path may lie below.
        known.add(place)
      }
      if (file !== undefined && (makeFile(file) || known.has(file))) found.add(file)
      paths = [...found]
      return paths.length === 0 ? before : [...before, { owner, paths }]
    })
    let left: ReadonlyArray<string> = []
    const takeFree = change((before) => {
      const held = before.filter((other) => other.owner !== owner && isHeld(other))
      const kept = new Set(held.flatMap((holder) => holder.paths))
      const free = new Set(before.flatMap((holder) => holder.paths).filter((path) => !kept.has(path)))
      const inUse = free.size === 0 ? free : mountPoints()
      for (const path of free) if (!inUse.has(path)) remove(path)
      left = [...free].filter((path) => inUse.has(path))
      return left.length === 0 ? held : [...held, { paths: left }]
    })
    // What is left of a command is ended with it, and that takes a moment. One of a process that ended may go on for ever.
    const takeAway = Effect.gen(function*() {
      yield* takeFree
      for (let waited = 0; waited < goneMillis && left.some((path) => !inUseBefore.has(path)); waited += 20) {
        yield* Effect.andThen(Effect.sleep(20), takeFree)
      }
    })
    yield* Effect.try(() => mkdirSync(stateDirectory, { recursive: true, mode: 0o700 })).pipe(
      Effect.andThen(put),
      Effect.ignore
    )
    return { paths, takeAway: paths.length === 0 ? Effect.void : Effect.ignore(takeAway) }
  })
}

/** Long enough for a machine that is busy. */
const goneMillis = 10_000

/** Without an owner they are those of a process that ended, and of a command that did not. */
const Holders = Schema.Array(Schema.Struct({
  owner: Schema.optionalKey(Schema.String),
  paths: Schema.Array(Schema.String)
}))

type Holders = typeof Holders.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Holders))

const read = (file: string): Holders => {
  try {
    return Option.getOrElse(decode(readFileSync(file, "utf8")), () => [])
  } catch {
    return []
  }
}

const write = (file: string, holders: Holders): void => {
  writeFileSync(`${file}.tmp`, JSON.stringify(holders), { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
}

const isHeld = ({ owner }: Holders[number]): boolean => owner !== undefined && !LockOwner.isGone(owner, 0, Infinity)

const realFolder = (folder: string): ReadonlyArray<string> => {
  try {
    return [realpathSync(folder)]
  } catch {
    return []
  }
}

/** The folder that stands for a path, which is there from now on, if one can. */
const standIn = (
  path: string,
  known: ReadonlySet<string>,
  folders: ReadonlyArray<string>
): string | undefined => {
  const missing = above(path).find((part) => known.has(part) || !isThere(part))
  if (missing === undefined) return undefined
  try {
    const parent = realpathSync(dirname(missing))
    if (!folders.some((folder) => parent === folder || parent.startsWith(`${folder}${sep}`))) return undefined
    if (!known.has(missing) || statSync(missing, { throwIfNoEntry: false })?.isDirectory() !== true) {
      mkdirSync(missing, missing === path ? closedMode : undefined)
    }
    return missing
  } catch {
    return undefined
  }
}

const makeFile = (path: string): boolean => {
  try {
    closeSync(openSync(path, "wx", 0o444))
    return true
  } catch {
    return false
  }
}

/** Whoever reads settings knows by it that this is no folder of somebody's. */
const closedMode = 0o555

/** The folders that a path lies in, and itself, from the root down. */
const above = (path: string): ReadonlyArray<string> =>
  path.split(sep).flatMap((_, index, parts) => index === 0 ? [] : [parts.slice(0, index + 1).join(sep)])

const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** One that holds something by now is no longer ours. */
const remove = (path: string): void => {
  try {
    const found = lstatSync(path)
    if (found.isDirectory()) rmdirSync(path)
    else if (found.isFile() && found.size === 0) unlinkSync(path)
  } catch {
    return
  }
}

/** Where anything is mounted for a process that does not see the disk as we do. */
const mountPoints = (): ReadonlySet<string> => {
  const found = new Set<string>()
  const seen = new Set([namespaceOf("self")])
  for (const id of readdirSync("/proc")) {
    const namespace = /^\d+$/.test(id) ? namespaceOf(id) : undefined
    if (namespace === undefined || seen.has(namespace)) continue
    seen.add(namespace)
    for (const line of mountsOf(id)) {
      found.add(
        (line.split(" ")[4] ?? "").replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)))
      )
    }
  }
  return found
}

const namespaceOf = (id: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${id}/ns/mnt`)
  } catch {
    return undefined
  }
}

const mountsOf = (id: string): ReadonlyArray<string> => {
  try {
    return readFileSync(`/proc/${id}/mountinfo`, "utf8").split("\n")
  } catch {
    return []
  }
}
