#!/usr/bin/env node
/**
 * The program `toolgate`.
 *
 * @since 0.1.0
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { call } from "./call.ts"
import { chat } from "./chat.ts"
import { check } from "./check.ts"
import { Ended } from "./Ended.ts"
import { explain } from "./explain.ts"
import { hook } from "./hook.ts"
import { lint } from "./lint.ts"
import { log } from "./log.ts"
import { logging } from "./logging.ts"
import { mcp } from "./mcp.ts"
import { presenter } from "./presenter.ts"
import { root } from "./root.ts"
import { rules } from "./rules.ts"
import { runMain } from "./runMain.ts"
import { serve } from "./serve.ts"
import { tasks } from "./tasks.ts"
import { tools } from "./tools.ts"
import { trace } from "./trace.ts"
import { trust } from "./trust.ts"
import { version } from "./version.ts"

root.pipe(
  Command.withSubcommands([chat, call, check, explain, hook, serve, tasks, tools, rules, lint, log, trace, trust, mcp]),
  Command.run({ version }),
  Effect.provide(Layer.mergeAll(
    NodeServices.layer,
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    CliOutput.layerPresenter(presenter),
    logging
  )),
  // Whatever the parser refuses was presented when it refused.
  Effect.catchIf(CliError.isCliError, () => Effect.fail(new Ended({ code: 2 }))),
  runMain
)
