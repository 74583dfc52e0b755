/**
 * Tests a policy with a property of one's own: whatever the line is, no key
 * leaves the machine without somebody being asked. Then holds our decision
 * against two of the laws.
 *
 * Run it with `npx node --conditions=toolgate-source scratchpad/policy-property.ts`.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { Arbitraries, laws, ours, printShell, type Situation } from "toolgate/testing"

const policy: Situation["rules"] = {
  projectSettings: {
    allow: ["Bash(git *)", "Bash(npm *)", "Bash(cat *)", "Bash(echo *)"],
    deny: ["Read(//srv/repo/secrets/**)", "Edit(//srv/repo/secrets/**)"]
  }
}

const lineThatReadsKey = Arbitrary.map(
  Arbitrary.all({
    before: Arbitraries.shells,
    operator: Arbitraries.pick("&&", ";", "|"),
    key: Arbitraries.pick("secrets/key", "./src/../secrets/key", "'secrets/'key", "/srv/repo//secrets/key")
  }),
  ({ before, key, operator }) => `${printShell(before)} ${operator} cat ${key}`
)

const program = Effect.gen(function*() {
  const result = yield* Arbitrary.checkEffect(
    lineThatReadsKey,
    (command) =>
      Effect.map(
        ours.decide({ ...Arbitraries.quiet({ tool: "Bash", input: { command } }), rules: policy }),
        (verdict) => verdict !== "allow"
      ),
    { runs: 300 }
  )
  yield* Console.log("keys stay here:", Arbitrary.formatCheckFailure(result) ?? "passed")

  for (const law of laws.slice(0, 2)) {
    const { _tag } = yield* law.check(ours.decide, { runs: 100 })
    yield* Console.log(`${law.name}: ${_tag}`)
  }
})

await Effect.runPromise(program)
