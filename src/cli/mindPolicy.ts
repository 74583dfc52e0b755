/**
 * Says aloud what was wrong with the rules before anything is decided by them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { homedir } from "node:os"
import { dirname } from "node:path"
import type { CallContext } from "../domain/CallContext.ts"
import type { Diagnostic } from "../domain/Rule.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { Misused } from "./Ended.ts"
import { line } from "./line.ts"
import { settingsAbove } from "./settingsAbove.ts"
import * as write from "./write.ts"

/**
 * Refuses a command line whose own rules or settings can't be read, and warns of
 * whatever else is odd about them, of deny and ask rules lost elsewhere, and of
 * settings above that don't count.
 *
 * @category commands
 * @since 0.1.0
 */
export const mindPolicy = Effect.fnUntraced(function*(
  context: CallContext
): Effect.fn.Return<void, Misused, RuleSources> {
  const { diagnostics, unreadable } = yield* (yield* RuleSources).policy(context)

  const hidden = unreadable.find(({ origin }) => origin.source === "flagSettings")
  if (hidden !== undefined) return yield* new Misused({ problem: `--settings${at(hidden)}: ${hidden.reason}` })
  const own = diagnostics.filter(({ origin }) => origin.source === "cliArg")
  const [bad] = own.filter(({ severity }) => severity === "error")
  if (bad !== undefined) return yield* new Misused({ problem: told(bad) })

  const loud = [...own, ...diagnostics.filter(({ severity }) => severity === "error")]
  for (const one of loud.slice(0, most)) {
    const place = one.origin.source === "cliArg" ? "" : `${one.origin.file ?? one.origin.source}${at(one)}: `
    yield* write.err(line(`${place}${told(one)}`))
  }
  if (loud.length > most) {
    yield* write.err(line(`${loud.length - most} more problems with rules; see \`toolgate rules\``))
  }
  const above = settingsAbove(context.cwd, homedir())
  if (above !== undefined) {
    const folder = dirname(dirname(above))
    yield* write.err(line(`note: \`${above}\` does not count here, its deny rules neither: use \`--cwd ${folder}\``))
  }
})

const most = 3

const at = ({ origin: { column, line } }: Pick<Diagnostic, "origin">): string =>
  [line, column].flatMap((part) => part === undefined ? [] : [`:${part}`]).join("")

const told = ({ meant, message, rule }: Diagnostic): string =>
  `${rule === undefined ? "" : `\`${rule}\`: `}${message}${
    meant === undefined ? "" : `; \`${meant}\` was probably meant`
  }`
