/**
 * Adds up what vitest reported in `build/results`, and fails when a test failed, was skipped, or none ran.
 */
import { globSync, readFileSync } from "node:fs"

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

const reports = globSync("build/results/*.json").map((file): Report => JSON.parse(readFileSync(file, "utf8")))
const passed = reports.reduce((sum, report) => sum + report.numPassedTests, 0)
const failed = reports.reduce((sum, report) => sum + report.numFailedTests, 0)
const skipped = reports
  .flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults))
  .filter(({ status }) => status !== "passed" && status !== "failed")

for (const { fullName } of skipped) console.log(`skipped: ${fullName}`)
console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`)
process.exitCode = passed > 0 && failed === 0 && skipped.length === 0 ? 0 : 1
