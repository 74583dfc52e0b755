/**
 * Where the built command starts: with what was compiled before, if there is
 * any, and with no more than the command line needs.
 *
 * @since 0.1.0
 */
import { useCompileCache } from "./compileCache.ts"
import { plainForm } from "./plainForm.ts"

const start = async (): Promise<void> => {
  useCompileCache()
  const form = plainForm(process.argv.slice(2))
  if (form === undefined) await import("./main.ts")
  else (await import("./runPlain.ts")).runPlain(form)
}

start().catch((cause: unknown) => {
  process.stderr.write(`toolgate: it could not start: ${String(cause)}\n`)
  // Whoever asks a hook goes on after any other exit code.
  process.exitCode = process.argv.includes("hook") ? 2 : 70
})
