/**
 * Reads an audit log from its oldest line on, and goes on with what is written
 * meanwhile, whatever the size of it.
 *
 * @since 0.1.0
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs"
import { currentFile, fullFile, fullNumbers } from "./auditFiles.ts"
import { maxLineBytes } from "./entryLine.ts"

/**
 * A reader that remembers where it is.
 *
 * **Details**
 *
 * `next` gives the lines of the next piece, or undefined when all that is there
 * has been read; asked again later it goes on from there, and throws what the
 * system says where a file can't be read. Lines are without their
 * line feed; `tooLong` counts those that nobody of us has written.
 *
 * @category models
 * @since 0.1.0
 */
export interface AuditReader {
  readonly next: () => ReadonlyArray<string> | undefined
  readonly tooLong: () => number
  readonly close: () => void
}

/**
 * Makes a reader for the log in a folder.
 *
 * **Details**
 *
 * A file is known by what it is, not by its name, so that one which is set aside
 * while it is read is read to its end and once.
 *
 * @category constructors
 * @since 0.1.0
 */
export const readAudit = (folder: string): AuditReader => {
  const piece = Buffer.allocUnsafe(64 * 1024)
  const done = new Set<string>()
  let open: { readonly handle: number; readonly key: string } | undefined
  let rest = ""
  let skipping = false
  let tooLong = 0
  let decoder = new TextDecoder()

  const openNext = (): typeof open => {
    for (const path of [...fullNumbers(folder).map((number) => fullFile(folder, number)), currentFile(folder)]) {
      try {
        if (done.has(keyOf(statSync(path, { bigint: true })))) continue
        const handle = openSync(path, "r")
        const key = keyOf(fstatSync(handle, { bigint: true }))
        if (!done.has(key)) return { handle, key }
        closeSync(handle)
      } catch (error) {
        // It was set aside or deleted between the two: the next look finds it under another name.
        if (!isMissing(error)) throw error
      }
    }
    return undefined
  }

  /** Whether the file that is open is the one that is written to. */
  const isCurrent = (): boolean => {
    try {
      return open !== undefined && keyOf(statSync(currentFile(folder), { bigint: true })) === open.key
    } catch {
      return false
    }
  }

  const linesOf = (bytes: Uint8Array): ReadonlyArray<string> => {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = parts.pop() ?? ""
    if (skipping && parts.length > 0) {
      parts.shift()
      skipping = false
    }
    if (rest.length > maxLineBytes * 2) {
      if (!skipping) tooLong++
      skipping = true
      rest = ""
    }
    return parts.filter((line) => line !== "")
  }

  const leave = (): void => {
    if (open === undefined) return
    closeSync(open.handle)
    done.add(open.key)
    open = undefined
    // What has no line feed at the end of a full file was cut off there.
    rest = ""
    skipping = false
    decoder = new TextDecoder()
  }

  return {
    next: () => {
      for (;;) {
        open ??= openNext()
        if (open === undefined) return undefined
        // First whether it is still written to, then its end: what is written in between is not missed.
        const current = isCurrent()
        const read = readSync(open.handle, piece, 0, piece.length, null)
        if (read > 0) return linesOf(piece.subarray(0, read))
        if (current) return undefined
        leave()
      }
    },
    tooLong: () => tooLong,
    close: leave
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

// A file system may give a number again once a file is gone, but not with the same time of birth.
const keyOf = (info: { readonly dev: bigint; readonly ino: bigint; readonly birthtimeNs: bigint }): string =>
  `${info.dev}:${info.ino}:${info.birthtimeNs}`
