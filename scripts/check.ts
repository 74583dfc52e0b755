/**
 * Runs every check, or the ones named on the command line, and says at the end which failed.
 */
import { spawnSync } from "node:child_process"

interface Check {
  readonly run: ReadonlyArray<string>
  readonly env?: Record<string, string>
}

// What .ci/run counts.
const report = process.env.CI === undefined
  ? []
  : ["--reporter=default", "--reporter=json", "--outputFile.json=build/results/tests.json"]

// Effect's own diagnostics come with a patched compiler.
// `tsc` by its path: the TypeScript that tstyche needs brings a command of the same name.
const checks: Record<string, Check> = {
  format: { run: ["dprint", "check"] },
  lint: { run: ["oxlint", "--deny-warnings"] },
  examples: { run: ["node", "scripts/doctest.ts"] },
  "types-ready": { run: ["effect-tsgo", "patch", "--typescript"] },
  types: { run: ["node", "node_modules/typescript/bin/tsc"] },
  "type-tests": { run: ["tstyche"], env: { TSTYCHE_TYPESCRIPT_MODULE: "typescript-6" } },
  tests: { run: ["vitest", "run", "--project", "test", "--project", "examples", ...report] },
  unused: { run: ["knip"] }
}

const named = process.argv.slice(2)
const unknown = named.filter((name) => checks[name] === undefined)
if (unknown.length > 0) {
  console.error(`no check is named \`${unknown.join("`, `")}\`: there are ${Object.keys(checks).join(", ")}`)
  process.exit(2)
}

const failed = Object.entries(checks)
  .filter(([name]) => named.length === 0 || named.includes(name))
  .filter(([name, { env, run: [command = "", ...args] }]) => {
    console.log(`\n== ${name}: ${[command, ...args].join(" ")}`)
    return spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } }).status !== 0
  })
  .map(([name]) => name)

console.log(failed.length === 0 ? "\n== all checks passed" : `\n== failed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
