/**
 * Where the built command starts: with what was compiled before, if there is
 * any, and with no more than the command line needs.
 *
 * @since 0.1.0
 */
import { readdirSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { compileCache } from "./compileCache.ts"
import { loadCompiled } from "./loadCompiled.ts"
import { plainForm } from "./plainForm.ts"

const start = async (): Promise<void> => {
  const cache = compileCache()
  const form = plainForm(process.argv.slice(2))
  // A plain command line needs one file, and Node's own cache takes longer to set up than the others to compile.
  if (cache !== undefined && form === undefined) enableCompileCache(cache)
  loadMost(cache, form === undefined ? "main" : "plain")
  if (form === undefined) await import("./main.ts")
  else (await import("./runPlain.ts")).runPlain(form)
}

/** As built, most of every command is in one file beside this one; a plain command line runs little of it. */
const loadMost = (cache: string | undefined, use: string): void => {
  const folder = import.meta.dirname
  const file = readdirSync(folder).find((name) => /^plain-.*\.cjs$/.test(name))
  if (file === undefined) return
  const kept = cache === undefined ? undefined : join(cache, `${file}.${use}.${process.version}-${process.arch}`)
  loadCompiled(join(folder, file), kept)
}

start().catch((cause: unknown) => {
  process.stderr.write(`toolgate: it could not start: ${String(cause)}\n`)
  // Whoever asks a hook goes on after any other exit code.
  process.exitCode = process.argv.includes("hook") ? 2 : 70
})
