/**
 * Shows the recording of `toolgate trace`.
 *
 * @since 0.1.0
 */
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { existsSync, realpathSync } from "node:fs"
import { dirname } from "node:path"
import { atomicWrite } from "../layers/files/atomicWrite.ts"
import { whyFailed } from "../layers/files/whyFailed.ts"
import { readRecording } from "../trace/Recording.ts"
import { traceOf } from "../trace/traceOf.ts"
import { Ended, Misused } from "./Ended.ts"
import { line } from "./line.ts"
import { readText } from "./readText.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * What `toolgate trace` was given.
 *
 * @category models
 * @since 0.1.0
 */
export interface TraceGiven {
  readonly file: string
  readonly html: Option.Option<string>
}

/**
 * Reads a recording and writes it as text or as a page. What can't be read of it
 * is told, a line each.
 *
 * @category commands
 * @since 0.1.0
 */
export const runTrace = Effect.fn("cli.trace")(function*({ file, html }: TraceGiven, shared: Shared) {
  if (Surroundings.form(shared) !== "text") {
    return yield* new Misused({ problem: "`trace` writes text or a page: the recording itself is the JSON" })
  }
  const page = Option.getOrUndefined(html)
  if (page === "") return yield* new Misused({ problem: "`--html` needs a file, or `-` for standard output" })
  if (page !== undefined && page !== "-" && sameFile(page, file)) {
    return yield* new Misused({ problem: "`--html` names the recording itself, which would be lost" })
  }
  const { events, problems } = readRecording(yield* readText(file === "-" ? "-" : `@${file}`, "the recording"))
  yield* write.err(problems.map((problem) => line(`the recording \`${file}\`: ${problem}`)).join(""))
  if (events.length === 0) {
    yield* write.err(line(`\`${file}\` holds no event, record with \`--output stream-json\``))
    return yield* new Ended({ code: 1 })
  }
  const trace = traceOf(events)
  if (page === undefined) {
    const { traceText } = yield* Effect.promise(() => import("../trace/traceText.ts"))
    const { canColor } = yield* TerminalCapabilities
    return yield* write.out(traceText(trace, { colors: canColor, columns: write.columns() ?? 80 }))
  }
  const { tracePage } = yield* Effect.promise(() => import("../trace/tracePage.ts"))
  const text = tracePage(trace, problems)
  if (page === "-") return yield* write.out(text)
  yield* atomicWrite(page, text, { mode: 0o600 }).pipe(
    Effect.catchTag("PlatformError", (error) => {
      const folder = dirname(page)
      const why = existsSync(folder) ? `\`${page}\` ${whyFailed(error)}` : `there is no folder \`${folder}\``
      return Effect.andThen(write.err(line(`the page can't be written, ${why}`)), new Ended({ code: 1 }))
    })
  )
  yield* write.err(line(`\`${page}\` is written, open it in a browser`))
})

const sameFile = (one: string, other: string): boolean => {
  const real = (file: string): string | undefined => {
    try {
      return realpathSync(file)
    } catch {
      return undefined
    }
  }
  const first = real(one)
  return first !== undefined && first === real(other)
}
