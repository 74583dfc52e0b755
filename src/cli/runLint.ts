/**
 * Looks over settings for `toolgate lint`.
 *
 * @since 0.1.0
 */
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import { homedir } from "node:os"
import * as path from "node:path"
import type { Place } from "../domain/Place.ts"
import { layerMemory } from "../layers/Trust.ts"
import { lint } from "../permission/lint/lint.ts"
import { McpServers } from "../services/McpServers.ts"
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
  const { policy, servers } = yield* Effect.gen(function*() {
    const policy = yield* (yield* RuleSources).policy(context)
    const asks = policy.rules.some(({ text }) => text.startsWith("mcp__"))
    return { policy, servers: asks ? yield* configuredServers : undefined }
  }).pipe(Effect.provide(layer))
  const place: Place = {
    cwd: context.cwd,
    projectRoot: policy.projectRoot,
    home: homedir(),
    directories: [...context.directories, ...policy.directories],
    platform: process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux",
    caseInsensitive: false,
    protectedPaths: policy.settingsFiles
  }
  const findings = lint(policy, place, servers)
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

/** The names of all servers, unless a file that may name some can't be read. None of them is started. */
const configuredServers = Effect.gen(function*() {
  const { diagnostics, servers } = yield* (yield* McpServers).status
  const hidden = diagnostics.some(({ severity }) => severity === "error")
  return hidden ? undefined : servers.map(({ entry }) => entry.name)
})
