import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { OwnHook } from "../../src/domain/OwnHook.ts"
import * as Tool from "../../src/domain/Tool.ts"
import * as HookRunnerLayers from "../../src/layers/HookRunner.ts"
import * as PathResolverLayers from "../../src/layers/PathResolver.ts"
import * as RuleSourcesLayers from "../../src/layers/RuleSources.ts"
import { layer, Pipeline } from "../../src/pipeline.ts"
import { Approver } from "../../src/services/Approver.ts"
import { Classifier } from "../../src/services/Classifier.ts"
import { context, services, use } from "../support/services.ts"

const bash = Tool.make({
  name: "Bash",
  description: "runs a line",
  input: Schema.Struct({ command: Schema.String }),
  subject: ({ command }) => ({ _tag: "Shell", command }),
  handler: () => Effect.succeed("ran")
})

// Hooks and the classifier end at even times, a person acts at odd ones: nobody ties with a person.
const Even = Schema.Literals([0, 2, 4, 10, 20, 40])

const Hook = Schema.Struct({ says: Schema.Literals(["none", "allow", "ask", "deny", "fault"]), millis: Even })

const Given = Schema.Struct({
  hooks: Schema.Array(Hook).check(Schema.isMaxLength(4)),
  rule: Schema.Literals(["none", "none", "none", "allow", "ask", "deny"]),
  classifier: Schema.Struct({ says: Schema.Literals(["allow", "deny", "none", "dies", "never"]), millis: Even }),
  person: Schema.Struct({
    says: Schema.Literals(["Once", "Denied"]),
    touches: Schema.Literals([1, 5, 15, 45]),
    takes: Schema.Literals([0, 2, 30, 60])
  })
})

type Given = typeof Given.Type

interface Seen {
  readonly verdict: "allow" | "deny"
  readonly at: number
  readonly asked: boolean
  readonly classifierEnded: number
  readonly running: number
}

const call = (given: Given) =>
  Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    const now = Effect.map(Clock.currentTimeMillis, (time) => time - began)
    let running = 0
    let asked = false
    let classifierEnded = 0 // What is decided at once ends it before it begins.
    const counted = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(Effect.sync(() => running++), () => effect, () => Effect.sync(() => running--))

    const hooks = given.hooks.map(({ millis, says }, at): OwnHook => ({
      name: `hook ${at}`,
      event: "PreToolUse",
      run: () =>
        counted(Effect.andThen(
          Effect.sleep(millis),
          says === "fault" ? Effect.fail("broken") : Effect.succeed(says === "none" ? {} : { decision: says })
        ))
    }))
    const classifier = Layer.succeed(Classifier, {
      readOnly: () => ({ readOnly: false, why: "not asked" }),
      judge: () => {
        const { millis, says } = given.classifier
        const answer = says === "allow" || says === "deny" ? { verdict: says, description: "d" } : undefined
        const ends = says === "never"
          ? Effect.never
          : Effect.andThen(Effect.sleep(millis), says === "dies" ? Effect.die("broken") : Effect.succeed(answer))
        return counted(Effect.ensuring(ends, Effect.map(now, (time) => classifierEnded = time)))
      }
    })
    const approver = Layer.succeed(Approver, {
      ask: (_, touched) =>
        counted(Effect.gen(function*() {
          asked = true
          yield* Effect.sleep(given.person.touches)
          yield* touched
          yield* Effect.sleep(given.person.takes)
          return { _tag: given.person.says }
        }))
    })
    const texts = given.rule === "none" ? {} : { userSettings: { [given.rule]: ["Bash(npm test)"] } }
    const parts = services({
      tools: [bash],
      rules: RuleSourcesLayers.layerMemory({ texts }),
      hooks: Layer.provide(HookRunnerLayers.layerWith({ hooks }), PathResolverLayers.layerVirtual({ "/repo": "dir" })),
      classifier,
      approver
    })
    const fiber = yield* Effect.flatMap(Pipeline, (pipeline) => pipeline.run(use("Bash", { command: "npm test" })))
      .pipe(
        Effect.flatMap((result) =>
          Effect.map(now, (at) => ({ at, verdict: result.is_error === true ? "deny" : "allow" }) as const)
        ),
        Effect.provide(Layer.provide(layer(context), parts)),
        Effect.forkChild
      )
    yield* TestClock.adjust("1 second")
    const { at, verdict } = yield* Fiber.join(fiber)
    const seen: Seen = { verdict, at, asked, classifierEnded, running }
    return seen
  })

/** What has to come out, told from the table of the decision and not from the code. */
const expected = ({ classifier, hooks, person, rule }: Given): Omit<Seen, "running"> => {
  const slowest = Math.max(0, ...hooks.map(({ millis }) => millis))
  const say = (words: ReadonlyArray<string>) => hooks.some(({ says }) => words.includes(says))
  const ends = classifier.says === "never" ? Infinity : classifier.millis
  const settled = (verdict: Seen["verdict"], at: number, asked: boolean, dropped = at) => ({
    verdict,
    at,
    asked,
    classifierEnded: Math.min(ends, dropped)
  })
  const answered = slowest + person.touches + person.takes
  const answer = person.says === "Once" ? "allow" : "deny"

  if (say(["deny"])) return settled("deny", slowest, false)
  if (say(["ask", "fault"])) {
    return rule === "deny" ? settled("deny", slowest, false) : settled(answer, answered, true, slowest)
  }
  if (say(["allow"])) return settled("allow", slowest, false)
  if (rule === "deny") return settled("deny", slowest, false)
  if (rule === "ask") return settled(answer, answered, true, slowest)
  if (rule === "allow") return settled("allow", slowest, false)

  const sure = classifier.says === "allow" || classifier.says === "deny"
  const known = Math.max(ends, slowest)
  const inTime = known < answered && (classifier.says === "deny" || known < slowest + person.touches)
  return sure && inTime
    ? settled(classifier.says === "allow" ? "allow" : "deny", known, true)
    : settled(answer, answered, true)
}

describe("hooks, classifier and person", () => {
  it.effect.prop(
    "decide as the table says, as late as the slowest that has to be waited for, and leave nothing running",
    { given: Given },
    ({ given }) =>
      Effect.gen(function*() {
        const { asked, running, ...seen } = yield* call(given)
        const { asked: mayAsk, ...wanted } = expected(given)
        assert.deepStrictEqual(seen, wanted)
        assert.strictEqual(running, 0)
        // A person may be shown a question that a classifier settles in the same moment, and no other.
        assert.isTrue(mayAsk || !asked)
      }),
    { arbitrary: { runs: 1_000 } }
  )

  it.effect.prop(
    "the order in which hooks and classifier finish changes nothing of the decision",
    {
      given: Given,
      delays: Schema.Tuple([Even, Even, Even, Even, Even])
    },
    ({ delays: [own, ...others], given }) =>
      Effect.gen(function*() {
        // A person who is slower than any classifier: what is left to chance is the order alone.
        const first: Given = { ...given, person: { ...given.person, touches: 45 } }
        const shuffled: Given = {
          ...first,
          classifier: { ...first.classifier, millis: own },
          hooks: first.hooks.map((hook, at) => ({ ...hook, millis: others[at] ?? 0 }))
        }
        assert.strictEqual((yield* call(first)).verdict, (yield* call(shuffled)).verdict)
      }),
    { arbitrary: { runs: 1_000 } }
  )
})
