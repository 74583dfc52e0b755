/**
 * The hooks of a case as programs, and a runner that notes when they ran.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as HookRunnerLayers from "../../layers/HookRunner.ts"
import { runHook } from "../../layers/hooks/HookProcess.ts"
import type { HookRunner } from "../../services/HookRunner.ts"
import type { PathResolver } from "../../services/PathResolver.ts"
import type { StubHook } from "./Case.ts"
import type { SeenHook } from "./Observation.ts"
import { type Root, write } from "./Root.ts"

/**
 * Writes a program for each hook, and gives their paths. One that is missing is
 * not written.
 *
 * @category writing
 * @since 0.1.0
 */
export const programs = (hooks: ReadonlyArray<StubHook>, root: Root): ReadonlyArray<string> =>
  hooks.map(({ stub }, index) => {
    const name = `/hooks/hook-${index + 1}`
    if (stub.missing !== true) write(root, name, program(stub), 0o755)
    return root.real(name)
  })

/**
 * Layer that runs hooks as processes in the case's folder and notes each.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (root: Root, seen: Array<SeenHook>): Layer.Layer<HookRunner, never, PathResolver> =>
  HookRunnerLayers.layerRunning(Effect.fnUntraced(function*(command) {
    const from = yield* Clock.currentTimeMillis
    const event = eventOf(command.stdin)
    const place = root.real(command.cwd)
    return yield* Effect.ensuring(
      runHook({
        ...command,
        cwd: place,
        env: { ...command.env, HOME: root.home, CLAUDE_PROJECT_DIR: place, TOOLGATE_CASE: root.marker }
      }),
      Effect.map(
        Clock.currentTimeMillis,
        (to) => void seen.push({ event, command: root.told(command.args.join(" ")), said: command.stdin, from, to })
      )
    )
  }))

const program = (stub: StubHook["stub"]): string =>
  [
    "#!/bin/bash",
    ...(stub.readsStdin === undefined || stub.readsStdin === false ? [] : ["cat > /dev/null"]),
    ...(stub.delayMs === undefined ? [] : [`sleep ${stub.delayMs / 1000}`]),
    `printf %s ${quoted(stub.stdout ?? "")}`,
    `printf %s ${quoted(stub.stderr ?? "")} >&2`,
    `exit ${stub.exit ?? 0}`,
    ""
  ].join("\n")

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const Told = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ hook_event_name: Schema.String })))

const eventOf = (stdin: string): string => {
  const told = Told(stdin)
  return told._tag === "Some" ? told.value.hook_event_name : "?"
}
