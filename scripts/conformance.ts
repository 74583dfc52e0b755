/**
 * Runs the protocol's conformance suite against our client: `npm run conformance`, or with the names of scenarios.
 * Fails when one does not pass.
 */
import { runScenario, scenarios } from "./conformanceScenarios.ts"

const listed = await scenarios()
const named = process.argv.slice(2)
const unknown = named.filter((name) => !listed.includes(name))
if (unknown.length > 0) {
  console.error(`no scenario is named \`${unknown.join("`, `")}\`: there are ${listed.join(", ")}`)
  process.exit(2)
}

const chosen = named.length === 0 ? listed : named
let failed = 0
for (const scenario of chosen) {
  const said = await runScenario(scenario)
  console.log(`${said === undefined ? "passed" : "FAILED"} ${scenario}`)
  if (said !== undefined) {
    failed++
    console.error(said)
  }
}
console.log(`\n${chosen.length - failed} of ${chosen.length} scenarios passed`)
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1
