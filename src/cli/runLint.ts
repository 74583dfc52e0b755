/**
 * Looks over settings for `toolgate lint`.
 *
 * @since 0.1.0
 */
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import { homedir } from "node:os"
import * as path from "node:path"
import { layerMemory } from "../layers/Trust.ts"
import { lint } from "../permission/lint/lint.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { Ended } from "./Ended.ts"
import { gate } from "./gate.ts"
import { lintText } from "./lintText.ts"
import { type LintOutput, version } from "./Output.ts"
import type { Shared } from "./root.ts"
import * as Surroundings from "./Surroundings.ts"
import * as write from "./write.ts"

/**
 * Writes what there is to say about all settings.
 *
 * @category commands
 * @since 0.1.0
 */
export const runLint = Effect.fn("cli.lint")(function*(shared: Shared, strict: boolean) {
  const context = yield* Surroundings.context(shared)
  // Whoever writes a project's rules wants to hear of them before somebody trusts them.
  const layer = yield* gate(shared, { trust: layerMemory([path.parse(context.cwd).root]) })
  const policy = yield* Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(Effect.provide(layer))
  const findings = lint(policy, {
    cwd: context.cwd,
    projectRoot: policy.projectRoot,
    home: homedir(),
    directories: [...context.directories, ...policy.directories],
    platform: process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux",
    caseInsensitive: false,
    protectedPaths: policy.settingsFiles
  })
  if (Surroundings.form(shared) === "text") {
    const { canColor } = yield* TerminalCapabilities
    yield* write.out(lintText(findings, { colors: canColor, columns: write.columns() ?? 80 }))
  } else {
    const count = (severity: string): number => findings.filter((finding) => finding.severity === severity).length
    const output: LintOutput = {
      version,
      findings,
      errors: count("error"),
      warnings: count("warning"),
      notes: count("note")
    }
    yield* write.json(output)
  }
  const fails = findings.some(({ severity }) => severity === "error" || strict && severity === "warning")
  if (fails) return yield* new Ended({ code: 1 })
})
