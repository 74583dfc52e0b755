/**
 * The whole gate, wired as the flags of the command line want it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Approver from "../layers/Approver.ts"
import { splitRules } from "../layers/settings/splitRules.ts"
import type { Options } from "../toolgate.ts"
import { commandOf } from "./commandOf.ts"
import { languageModel } from "./languageModel.ts"
import { resultLimits } from "./resultLimits.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"

/**
 * Makes the Layer that a command runs with.
 *
 * @category constructors
 * @since 0.1.0
 */
export const gate = Effect.fnUntraced(function*(shared: Shared, more: Pick<Options, "trust"> = {}) {
  const context = yield* Surroundings.context(shared)
  const settings = yield* Surroundings.settings(shared)
  const configs = yield* Surroundings.mcpConfigs(shared)
  const command = Option.isNone(shared.command) ? undefined : yield* commandOf(shared.command.value, context.cwd)
  const { layer } = yield* Effect.promise(() => import("../toolgate.ts"))
  const whole = layer({
    context,
    ...more,
    outlived: true,
    mcp: { configs },
    ...languageModel(process.env),
    ...resultLimits(process.env),
    ...(settings === undefined ? {} : { settings }),
    ...(command === undefined ? {} : { command }),
    ...(context.mode === undefined ? {} : { mode: context.mode }),
    allowedTools: splitRules(shared.allowedTools),
    disallowedTools: splitRules(shared.disallowedTools),
    approver: shared.ask === "deny" ? Approver.layerDeny("`--ask deny` was given") : Approver.layerTerminal()
  })
  return wantsExport(process.env) ? Layer.merge(whole, yield* exporter) : whole
})

const wantsExport = (environment: { readonly [name: string]: string | undefined }): boolean =>
  !/^\s*true\s*$/i.test(environment["OTEL_SDK_DISABLED"] ?? "") &&
  Object.entries(environment).some(([name, value = ""]) =>
    /^OTEL_EXPORTER_OTLP_(?:\w+_)?ENDPOINT$/.test(name) && value !== ""
  )

const exporter = Effect.map(
  Effect.promise(() => import("./exporting.ts")),
  ({ exporting }) => exporting(process.env)
)
