/**
 * Folders whose contents a kernel makes up, such as `/proc` and `/sys`: they have
 * no end that is worth waiting for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { fileLook } from "./fileStep.ts"

/**
 * Returns such folders below a real folder, as paths from there on. Empty where
 * the system doesn't say, as on macOS.
 *
 * @category getters
 * @since 0.1.0
 */
export const kernelFolders = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  fileLook(() => readFileSync("/proc/self/mountinfo", "utf8")).pipe(
    Effect.map((mounts) => kernelFoldersIn(mounts, folder)),
    Effect.orElseSucceed(() => [])
  )

/**
 * The same out of a table of mounts as Linux writes it.
 *
 * **Example** (What lies inside another is not named)
 *
 * ```ts
 * import { kernelFoldersIn } from "toolgate/tools/kernelFolders"
 *
 * const mounts = [
 *   "27 1 254:0 / / rw - ext4 /dev/vda rw",
 *   "22 27 0:21 / /proc rw - proc proc rw",
 *   "23 22 0:22 / /proc/fs/bpf rw - bpf bpf rw"
 * ].join("\n")
 *
 * kernelFoldersIn(mounts, "/") // => ["proc"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const kernelFoldersIn = (mounts: string, folder: string): ReadonlyArray<string> => {
  const found = mounts.split("\n").flatMap((line) => {
    const fields = line.split(" ")
    const at = fields[4]?.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
    const kind = fields[fields.indexOf("-") + 1] ?? ""
    const rest = at === undefined || !kinds.has(kind) ? "" : relative(folder, at)
    return rest === "" || rest === ".." || rest.startsWith("../") ? [] : [rest]
  })
  const outermost = found.filter((one) => !found.some((other) => one.startsWith(`${other}/`)))
  return [...new Set(outermost)].sort()
}

const kinds: ReadonlySet<string> = new Set([
  "binfmt_misc",
  "bpf",
  "cgroup",
  "cgroup2",
  "configfs",
  "debugfs",
  "devpts",
  "devtmpfs",
  "efivarfs",
  "fusectl",
  "hugetlbfs",
  "mqueue",
  "proc",
  "pstore",
  "securityfs",
  "selinuxfs",
  "sysfs",
  "tracefs"
])
