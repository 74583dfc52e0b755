/**
 * Reads the audit log for `toolgate log`.
 *
 * @since 0.1.0
 */
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { existsSync } from "node:fs"
import { auditFolder } from "../layers/audit/auditFiles.ts"
import { type AuditReader, readAudit } from "../layers/audit/readAudit.ts"
import { whyFailed } from "../layers/files/whyFailed.ts"
import { stateDirectory } from "../layers/stateDirectory.ts"
import { Ended, Misused } from "./Ended.ts"
import { line } from "./line.ts"
import { logFilter, type LogGiven } from "./logFilter.ts"
import { logText, readLogLine } from "./logText.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Writes the entries that were asked for, in bounded memory.
 *
 * @category commands
 * @since 0.1.0
 */
export const runLog = Effect.fn("cli.log")(function*(given: LogGiven, shared: Shared) {
  const wanted = yield* logFilter(given, shared.session, yield* Clock.currentTimeMillis)
  const last = Option.getOrUndefined(given.last)
  if (last !== undefined && (last < 0 || last > 100_000)) {
    return yield* new Misused({ problem: "`--last` is a number from 0 to 100000" })
  }
  const folder = auditFolder(stateDirectory())
  if (!existsSync(folder) && !given.follow) {
    return yield* write.err(
      line("there is no audit log yet; `\"audit\": true` in ~/.claude/settings.json switches it on")
    )
  }
  const { canColor } = yield* TerminalCapabilities
  const asJson = Surroundings.form(shared) !== "text"
  let broken = 0

  const chosen = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.flatMap((text) => {
      const entry = readLogLine(text)
      if (entry === undefined) broken++
      if (entry === undefined || !wanted(entry)) return []
      return [asJson ? `${text}\n` : logText(entry, canColor)]
    })

  const next = (reader: AuditReader): Effect.Effect<ReadonlyArray<string> | undefined, Unread> =>
    Effect.try({ try: () => reader.next(), catch: (cause) => new Unread({ cause }) })

  const show = Effect.fnUntraced(function*(reader: AuditReader): Effect.fn.Return<void, Unread> {
    const kept: Array<string> = []
    for (let lines = yield* next(reader); lines !== undefined; lines = yield* next(reader)) {
      const texts = chosen(lines)
      if (last === undefined) {
        yield* write.out(texts.join(""))
      } else {
        kept.push(...texts)
        kept.splice(0, Math.max(0, kept.length - last))
      }
      // Between two pieces is the time to be interrupted.
      yield* Effect.yieldNow
    }
    yield* write.out(kept.join(""))
    while (given.follow) {
      const lines = yield* next(reader)
      if (lines === undefined) yield* Effect.sleep("200 millis")
      else yield* write.out(chosen(lines).join(""))
    }
  })

  yield* Effect.acquireUseRelease(Effect.sync(() => readAudit(folder)), show, (reader) =>
    Effect.sync(() => {
      broken += reader.tooLong()
      reader.close()
    })).pipe(
      Effect.catchTag("Unread", ({ cause }) =>
        Effect.andThen(
          write.err(line(`the audit log in \`${folder}\` can't be read: a file ${whyFailed(cause)}`)),
          Effect.fail(new Ended({ code: 1 }))
        ))
    )
  if (broken > 0) {
    const what = broken === 1 ? "1 line of the audit log is" : `${broken} lines of the audit log are`
    yield* write.err(line(`${what} no entry that can be read, and left out`))
  }
})

class Unread extends Schema.TaggedError<Unread>()("Unread", { cause: Schema.Defect() }) {}
