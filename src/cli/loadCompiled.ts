/**
 * Loads a file of the built command with what V8 compiled of it in earlier runs.
 * Node's own cache keeps what is compiled while a file loads, which leaves out
 * most of what runs later.
 *
 * @since 0.1.0
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire, Module } from "node:module"
import { dirname } from "node:path"
import { Script } from "node:vm"
import { forgetOld } from "./forgetOld.ts"

/**
 * Loads a file, so that whoever requires it afterwards finds it there, and keeps
 * what was compiled in the file `kept`, if one is given, when the process ends.
 * Each of the first runs adds what it was the first to need. After them one does
 * after a minute, then after two, four and so on, and in the end one an hour: what
 * is asked for changes.
 *
 * **Gotchas**
 *
 * The file holds the function that Node would make of a CommonJS module, in ASCII
 * and without an `import()`, and has another name when it holds something else:
 * V8 compares no more than lengths. INVARIANT: what is in `kept` runs, so that
 * nobody else may write there, and it belongs to one version of Node.
 *
 * @category running
 * @since 0.1.0
 */
export const loadCompiled = (file: string, kept: string | undefined): void => {
  const { age, cachedData, runs }: Kept = kept === undefined ? nothing : read(kept)
  // Read as it is: put together from parts it would be copied before it is compiled.
  const source = readFileSync(file, "latin1")
  const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) })
  const counted = script.cachedDataRejected === true ? 0 : runs
  // Functions are compiled when they first run, so the end is the time to look.
  if (kept !== undefined && (counted < learning || age > pauseAfter(counted))) {
    process.on("exit", () => keep(kept, script, Math.min(counted + 1, 255)))
  }

  const require = createRequire(file)
  const module = new Module(file)
  module.filename = file
  require.cache[file] = module
  const run: Wrapper = script.runInThisContext()
  const { stackTraceLimit } = Error
  // Whoever looks at a stack as modules load would have V8 read all of the file again to say where.
  Error.stackTraceLimit = 0
  try {
    run(module.exports, require, module, file, dirname(file))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  module.loaded = true
}

type Wrapper = (exports: unknown, require: NodeJS.Require, module: Module, file: string, folder: string) => void

const learning = 8

/** In milliseconds. */
const pauseAfter = (runs: number): number => Math.min(2 ** (runs - learning), 60) * 60_000

interface Kept {
  readonly cachedData?: Buffer
  /** How long ago something was added, in milliseconds. */
  readonly age: number
  /** How many runs it is made of, the last byte of the file. Before it are the four of its sum. */
  readonly runs: number
}

const nothing: Kept = { age: 0, runs: 0 }

const read = (kept: string): Kept => {
  try {
    const bytes = readFileSync(kept)
    const age = Date.now() - statSync(kept).mtimeMs
    const cachedData = bytes.subarray(0, -5)
    return bytes.readInt32LE(cachedData.length) === sumOf(cachedData)
      ? { age, cachedData, runs: bytes.at(-1) ?? 0 }
      : nothing
  } catch {
    return nothing
  }
}

/** Of four words in each sector: V8 would crash over one that a disk has lost, and all words take long to add up. */
const sumOf = (code: Buffer): number => {
  const words = new Int32Array(code.buffer, code.byteOffset, code.length >> 2)
  let sum = code.length
  for (let at = 0; at < words.length; at += 31) sum ^= (words[at] ?? 0) + at
  return sum
}

/** INVARIANT: V8 trusts the bytes that it is given, so that they are all on the disk before they have their name. */
const keep = (kept: string, script: Script, runs: number): void => {
  // The number of a process is its own in one container, and a home may be that of many.
  const unfinished = `${kept}.${process.pid}-${process.hrtime.bigint()}`
  try {
    const code = script.createCachedData()
    const end = Buffer.alloc(5)
    end.writeInt32LE(sumOf(code))
    end.writeUInt8(runs, 4)
    const bytes = Buffer.concat([code, end])
    const descriptor = openSync(unfinished, "wx", 0o600)
    try {
      writeFileSync(descriptor, bytes)
      fsyncSync(descriptor)
      renameSync(unfinished, kept)
    } finally {
      closeSync(descriptor)
      rmSync(unfinished, { force: true })
    }
    if (runs === 1) forgetOld(kept)
  } catch {
    // A full disk, or a folder that may not be written to, is no reason to fail: it is only slower.
  }
}
