/**
 * What one decision about a shell line costs, reading the line included, with few rules and with many.
 *
 * Run it with `npm run bench`. The machine's own speed is in the first row: compare ratios, not times.
 */
import * as Effect from "effect/Effect"
import { Bench } from "tinybench"
import type { CallContext } from "../src/domain/CallContext.ts"
import { silent } from "../src/domain/Hook.ts"
import type { Place } from "../src/domain/Place.ts"
import * as RuleSourcesLayers from "../src/layers/RuleSources.ts"
import { readLine } from "../src/permission/bash/readLine.ts"
import { isReadOnly } from "../src/permission/bash/readOnly/isReadOnly.ts"
import { decide } from "../src/permission/decide.ts"
import { demandsOf } from "../src/permission/demandsOf.ts"
import { RuleSources } from "../src/services/RuleSources.ts"

const context: CallContext = { session: "bench", cwd: "/repo", directories: [] }

const place: Place = {
  cwd: "/repo",
  projectRoot: "/repo",
  home: "/home/dev",
  directories: [],
  platform: "linux",
  caseInsensitive: false,
  protectedPaths: []
}

const policyOf = (rules: number) =>
  Effect.runPromise(
    Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
      Effect.provide(RuleSourcesLayers.layerMemory({
        texts: {
          userSettings: {
            allow: [...Array.from({ length: rules - 2 }, (_, at) => `Bash(tool${at} run *)`), "Bash(npm test *)"],
            deny: ["Bash(rm *)"]
          }
        }
      }))
    )
  )

const lines = { short: "npm test --silent", compound: "git status --short && npm test -- --watch | tee /dev/null" }

const bench = new Bench({ time: 500, warmupTime: 2_000 })

const words = "npm test --silent".repeat(4)
bench.add("baseline: split and join 68 characters", () => words.split(" ").join("-"))

for (const rules of [10, 100, 1_000, 10_000]) {
  const policy = await policyOf(rules)
  for (const [name, command] of Object.entries(lines)) {
    bench.add(`${name} line, ${rules} rules`, () => {
      const demands = demandsOf("Bash", { _tag: "Shell", command }, readLine(command), place)
      return decide({
        tool: "Bash",
        server: undefined,
        needsPerson: false,
        hook: silent,
        mode: "default",
        policy,
        place,
        effective: { input: { command }, ask: undefined, opinion: { _tag: "NoOpinion" }, demands },
        original: undefined,
        resolved: new Map(),
        expanded: new Map(),
        below: new Map(),
        readOnly: isReadOnly
      })
    })
  }
}

await bench.run()
console.table(bench.table())
