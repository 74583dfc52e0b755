/**
 * The processes that a case has left behind.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync } from "node:fs"

/**
 * The names of the processes that bear a case's marker. One that is on its way
 * out gets a moment. Whatever is found is ended.
 *
 * @category searching
 * @since 0.1.0
 */
export const processesOf = Effect.fnUntraced(function*(marker: string): Effect.fn.Return<ReadonlyArray<string>> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (find(marker).length === 0) return []
    yield* Effect.sleep(30)
  }
  const found = find(marker)
  for (const { pid } of found) end(pid)
  return found.map(({ name }) => name)
})

const find = (marker: string): ReadonlyArray<{ readonly pid: number; readonly name: string }> =>
  numbers().flatMap((pid) =>
    read(`/proc/${pid}/environ`).includes(`TOOLGATE_CASE=${marker}\0`)
      ? [{ pid, name: read(`/proc/${pid}/comm`).trim() }]
      : []
  )

const numbers = (): ReadonlyArray<number> => {
  try {
    return readdirSync("/proc").map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  } catch {
    return []
  }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const end = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It was faster.
  }
}
