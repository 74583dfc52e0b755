import { assert, describe, it } from "@effect/vitest"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { laws, ours, type Situation, withRules } from "toolgate/testing"
import { silent } from "../../src/domain/Hook.ts"
import * as ClassifierLayers from "../../src/layers/Classifier.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { permission } from "../../src/stages/permission.ts"
import { screen } from "../../src/stages/screen.ts"
import { bash, screened } from "../support/calls.ts"
import { given } from "../support/given.ts"
import { hooks, services } from "../support/services.ts"

/** What a model answers of the first of two descriptions: the one that allows, or the one that denies. */
const answering = (said: Situation["classifier"]): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({
      generateText: ({ prompt }) =>
        said === "fails" ? Effect.die("out of order") : Effect.succeed([{
          type: "text",
          text: said === "unreadable" ? "sure, go ahead" : matching(JSON.stringify(prompt), said)
        }]),
      streamText: () => Stream.empty
    })
  )

/** Every command of the line matches, in the form that is asked for. */
const matching = (prompt: string, said: "none" | "allow" | "deny"): string => {
  const count = prompt.split("\\\"words\\\":").length - 1
  const [first] = /what (?:is fine|is not)/.exec(prompt) ?? []
  const allowing = first === "what is fine" ? 0 : 1
  const matches = said === "none"
    ? []
    : [{ description: said === "allow" ? allowing : 1 - allowing, confidence: "high" }]
  return JSON.stringify({ commands: Array.from({ length: count }, (_, command) => ({ command, matches })) })
}

/** Our stages with a model that judges, and nobody to ask. */
const staged = (heard: Array<string>) => (situation: Situation): Effect.Effect<"allow" | "ask" | "deny"> => {
  if (situation.tool !== "Bash") return ours.decide(situation)
  const { classifier, files, home, hook, hookSource = "userSettings", input, mode } = situation
  const { rules: texts } = withRules(
    situation,
    { source: "userSettings", behavior: "allow", text: "Bash(prompt: what is fine)" },
    { source: "userSettings", behavior: "deny", text: "Bash(prompt: what is not)" }
  )
  const context = { session: "law", cwd: situation.cwd, mode, directories: [] }
  return screened(bash, input, { context }).pipe(
    Effect.flatMap(given(screen)),
    Effect.flatMap(given(permission)),
    Effect.match({
      onSuccess: (): "allow" => "allow",
      onFailure: (error) => {
        const by = error._tag === "PermissionDenied" ? error.by : error._tag
        heard.push(by)
        return by === "nobody" ? "ask" : "deny"
      }
    }),
    Effect.provide(services({
      // Whoever is asked waits for the model, since nobody answers at once.
      rules: RuleSourcesLayers.layerMemory({ texts, home, graceMillis: 10_000 }),
      paths: PathResolverLayers.layerVirtual(files, { home }),
      classifier: Layer.provide(ClassifierLayers.layerModel(), answering(classifier)),
      hooks: hooks({
        preToolUse: () =>
          Effect.succeed(
            hook === "none"
              ? silent
              : { ...silent, decision: hook, source: hookSource, name: "hook", allowsInput: hook === "allow" }
          )
      })
    })),
    Effect.scoped
  )
}

// The last looks back at the others.
describe("the stages keep the laws about classifiers", { shuffle: false }, () => {
  const heard: Array<string> = []

  for (const law of laws.filter(({ name }) => name.startsWith("a classifier"))) {
    it.live(law.name, () =>
      Effect.gen(function*() {
        const result = yield* law.check(staged(heard), { runs: 400, seed: "stages" })
        assert.strictEqual(result._tag, "Held", JSON.stringify(result))
      }))
  }

  it("and a classifier was heard often enough", () => {
    assert.isAbove(heard.filter((by) => by === "classifier").length, 50)
    assert.isAbove(heard.filter((by) => by === "nobody").length, 50)
  })
})
