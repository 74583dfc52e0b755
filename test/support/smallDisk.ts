/** A disk of a megabyte that can be filled up, for those who may mount one. */
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Disk {
  readonly folder: string
  readonly fill: () => void
  readonly free: () => void
  readonly readOnly: (on: boolean) => void
}

/** Skips the test, with a reason, where no disk can be mounted. */
export const smallDisk = <A, E, R>(
  test: { readonly skip: (note?: string) => void },
  use: (disk: Disk) => Effect.Effect<A, E, R>
): Effect.Effect<A | void, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(mount),
    (disk) => disk === undefined ? Effect.sync(() => test.skip("no disk of its own can be mounted here")) : use(disk),
    (disk) =>
      Effect.sync(() => {
        if (disk === undefined) return
        execFileSync("umount", ["-l", disk.folder])
        rmSync(disk.folder, { recursive: true, force: true })
      })
  )

const mount = (): Disk | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), "toolgate-disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", folder], { stdio: "ignore" })
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  const ballast = join(folder, "ballast")
  return {
    folder,
    fill: () => {
      const handle = openSync(ballast, "w")
      try {
        for (;;) writeSync(handle, Buffer.alloc(4_096))
      } catch {
        // That is what full means.
      } finally {
        closeSync(handle)
      }
    },
    free: () => rmSync(ballast),
    readOnly: (on) => {
      execFileSync("mount", ["-o", `remount,${on ? "ro" : "rw"}`, folder])
    }
  }
}
