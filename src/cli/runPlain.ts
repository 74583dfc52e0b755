/**
 * Runs a command line that has nothing but its arguments.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { logging } from "./logging.ts"
import type { PlainForm } from "./plainForm.ts"
import { readAhead } from "./readText.ts"
import type { Shared } from "./root.ts"
import { runCheck } from "./runCheck.ts"
import { runHook } from "./runHook.ts"
import { runMain } from "./runMain.ts"

/**
 * The shared flags where none is given, as the parser has them.
 *
 * @category constants
 * @since 0.1.0
 */
export const noFlags: Shared = {
  cwd: Option.none(),
  settings: Option.none(),
  allowedTools: [],
  disallowedTools: [],
  mcpConfig: [],
  command: Option.none(),
  mode: Option.none(),
  addDir: [],
  session: Option.none(),
  output: "text",
  json: false,
  ask: "prompt"
}

/**
 * Runs the command as the parser would, and ends the process.
 *
 * @category running
 * @since 0.1.0
 */
export const runPlain = (form: PlainForm): void => {
  if (form.command === "hook" || form.input === "-") readAhead()
  runMain(
    Effect.provide(
      form.command === "hook"
        ? runHook(noFlags)
        : runCheck(
          { tool: Option.some(form.tool), input: Option.some(form.input), toolUse: Option.none() },
          { ...noFlags, json: form.json }
        ),
      logging
    )
  )
}
