/**
 * Whole situations: a call, rules over the eight sources, a mode, what a hook
 * said, and a disk with links.
 *
 * @since 0.1.0
 */
import * as Arbitrary from "effect/Arbitrary"
import type { Answer } from "../../domain/Question.ts"
import type { Behavior, RuleSource } from "../../domain/Rule.ts"
import { bySource, type RulesBySource, type Situation } from "../Situation.ts"
import { calls, type DrawnCall } from "./calls.ts"
import { below, oneOf, pick } from "./oneOf.ts"
import { behaviors, ruleTexts, sources } from "./ruleTexts.ts"

/**
 * A rule that was drawn before the call was known: `about` chooses one of those
 * about the call, or `text` is the rule.
 *
 * @category models
 * @since 0.1.0
 */
export interface DrawnRule {
  readonly source: RuleSource
  readonly behavior: Behavior
  readonly text: string
  readonly about: number
}

/**
 * Rules about a call that is not known yet, and rules about anything.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const drawnRules: Arbitrary.Arbitrary<DrawnRule> = Arbitrary.all({
  source: sources(),
  behavior: behaviors(),
  text: ruleTexts,
  about: below(24)
})

/**
 * Returns the text of a drawn rule, for a call.
 *
 * @category getters
 * @since 0.1.0
 */
export const textFor = ({ about, text }: DrawnRule, call: DrawnCall): string =>
  about < 16 ? call.about[about % call.about.length] ?? text : text

/**
 * Rules by source, about anything.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const ruleSets: Arbitrary.Arbitrary<RulesBySource> = Arbitrary.map(
  Arbitrary.array(drawnRules, { maxLength: 6 }),
  bySource
)

/**
 * What a hook said, and where it was configured.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const hookOutcomes: Arbitrary.Arbitrary<Pick<Situation, "hook" | "hookSource">> = oneOf<
  Pick<Situation, "hook" | "hookSource">
>(
  Arbitrary.Constant({ hook: "none" }),
  Arbitrary.all({ hook: pick("allow", "ask", "deny"), hookSource: pick("userSettings", "policySettings") })
)

/**
 * What a person answers.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const answers: Arbitrary.Arbitrary<Answer> = oneOf<Answer>(
  Arbitrary.Constant({ _tag: "Once" }),
  Arbitrary.map(sources(), (destination): Answer => ({ _tag: "Always", destination })),
  Arbitrary.Constant({ _tag: "Denied" }),
  Arbitrary.Constant({ _tag: "Denied", reason: "not now" }),
  Arbitrary.Constant({ _tag: "Nobody", why: "there is no terminal" })
)

const links = [
  ["/srv/repo/linked", "-> /srv/repo/secrets"],
  ["/srv/repo/link.txt", "-> /etc/passwd"],
  ["/srv/repo/src/up", "-> .."],
  ["/srv/repo/a.txt", "-> secrets/key"],
  ["/tmp/x", "-> /home/ann/.ssh/id"]
] as const

/**
 * What is on the disk: a few files, and some links between them.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const disks: Arbitrary.Arbitrary<Situation["files"]> = Arbitrary.map(
  Arbitrary.array(below(links.length), { maxLength: 3 }),
  (chosen) => ({ ...disk, ...Object.fromEntries(chosen.flatMap((at) => links[at] === undefined ? [] : [links[at]])) })
)

const disk: Situation["files"] = {
  "/srv/repo/src/a.ts": "file",
  "/srv/repo/.env": "file",
  "/srv/repo/secrets/key": "file",
  "/home/ann/.ssh/id": "file",
  "/etc/passwd": "file"
}

/**
 * The permission modes.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const modes: Arbitrary.Arbitrary<Situation["mode"]> = pick(
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions"
)

/**
 * Makes a situation of a call in which nobody has said anything.
 *
 * @category constructors
 * @since 0.1.0
 */
export const quiet = (call: Pick<DrawnCall, "tool" | "input">): Situation => ({
  tool: call.tool,
  input: call.input,
  rules: {},
  mode: "default",
  hook: "none",
  classifier: "none",
  files: disk,
  cwd: "/srv/repo",
  home: "/home/ann"
})

/**
 * Situations around calls, with the call that each is about.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const around = <Call extends DrawnCall>(
  call: Arbitrary.Arbitrary<Call>
): Arbitrary.Arbitrary<{ readonly call: Call; readonly situation: Situation }> =>
  Arbitrary.map(
    Arbitrary.all({
      call,
      rules: Arbitrary.array(drawnRules, { maxLength: 6 }),
      mode: modes,
      hook: hookOutcomes,
      classifier: pick("none", "allow", "deny", "fails", "unreadable"),
      files: disks
    }),
    ({ call, classifier, files, hook, mode, rules }) => ({
      call,
      situation: {
        ...quiet(call),
        rules: bySource(rules.map((rule) => ({ ...rule, text: textFor(rule, call) }))),
        mode,
        ...hook,
        classifier,
        files
      }
    })
  )

/**
 * Situations of every kind.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const situations: Arbitrary.Arbitrary<Situation> = Arbitrary.map(around(calls), ({ situation }) => situation)
