/**
 * Runs a file of cases through the pipeline: `npm run cases -- FILE.jsonl`.
 * `--area AREA` and `--id ID` choose from it. Fails when a case falls short.
 */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { readCases } from "../src/testing/cases/Case.ts"
import { report, runCases } from "../src/testing/cases/runCases.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { area: { type: "string", multiple: true }, id: { type: "string", multiple: true } }
})
if (positionals.length === 0) {
  console.error("usage: npm run cases -- FILE.jsonl [--area AREA] [--id ID]")
  process.exit(2)
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    console.error(`\`${file}\` can't be read: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(2)
  }
}

const lines = positionals.flatMap((file) => readCases(textOf(file))).filter((line) =>
  line._tag === "Problem" ||
  (values.area === undefined || values.area.includes(line.case.area)) &&
    (values.id === undefined || values.id.includes(line.case.id))
)
if (lines.length === 0) {
  console.error("there is no such case")
  process.exit(2)
}
const outcomes = await Effect.runPromise(runCases(lines))
console.log(report(outcomes))
process.exitCode = outcomes.every(({ lacks }) => lacks.length === 0) ? 0 : 1
