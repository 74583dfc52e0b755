/**
 * Our own decision as a function of a situation, made of the pipeline's pure
 * parts: no disk is read and nobody is asked.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ScreenedCall } from "../domain/Call.ts"
import type { CallContext } from "../domain/CallContext.ts"
import type { Decision, Judged } from "../domain/Decision.ts"
import { type HookOutcome, silent } from "../domain/Hook.ts"
import type { Policy } from "../domain/Policy.ts"
import type { Subject } from "../domain/Subject.ts"
import type { Tool } from "../domain/Tool.ts"
import * as ClassifierLayers from "../layers/Classifier.ts"
import * as PathResolverLayers from "../layers/PathResolver.ts"
import * as RuleSourcesLayers from "../layers/RuleSources.ts"
import { decide, explain } from "../permission/decide.ts"
import type { Evidence } from "../permission/Evidence.ts"
import type { Classifier } from "../services/Classifier.ts"
import type { PathResolver } from "../services/PathResolver.ts"
import { RuleSources } from "../services/RuleSources.ts"
import { gatherEvidence } from "../stages/gatherEvidence.ts"
import { builtin } from "../tools/builtin.ts"
import { decideLinearly } from "./decideLinearly.ts"
import type { RulesBySource, Situation, Verdict } from "./Situation.ts"

/**
 * A decision function that also tells how it came to its verdict.
 *
 * **Details**
 *
 * `decision` is undefined for an input that its tool can't read: such a call
 * never runs. `explanation` looks at every candidate, `linear` at every rule.
 *
 * @category models
 * @since 0.1.0
 */
export interface Engine {
  readonly decide: (situation: Situation) => Effect.Effect<Verdict>
  readonly decision: (situation: Situation) => Effect.Effect<Decision | undefined>
  readonly explanation: (situation: Situation) => Effect.Effect<Decision | undefined>
  readonly linear: (situation: Situation) => Effect.Effect<ReadonlyArray<Judged> | undefined>
}

/**
 * Our own engine.
 *
 * @category constants
 * @since 0.1.0
 */
export const ours: Engine = {
  decide: (situation) =>
    Effect.map(
      evidenceOf(situation),
      (evidence) => evidence === undefined ? "deny" : verdictOf(decide(evidence), situation)
    ),
  decision: (situation) => Effect.map(evidenceOf(situation), (evidence) => evidence && decide(evidence)),
  explanation: (situation) => Effect.map(evidenceOf(situation), (evidence) => evidence && explain(evidence)),
  linear: (situation) => Effect.map(evidenceOf(situation), (evidence) => evidence && decideLinearly(evidence))
}

/** A classifier that is sure answers what nobody has to be asked about. */
const verdictOf = ({ mustAsk, verdict }: Decision, { classifier }: Situation): Verdict => {
  const sure = classifier === "allow" || classifier === "deny"
  return verdict === "ask" && !mustAsk && sure ? classifier : verdict
}

const evidenceOf = Effect.fnUntraced(function*(situation: Situation): Effect.fn.Return<Evidence | undefined> {
  const known = gathered.get(situation)
  if (known !== undefined) return known
  const { cwd, files, home, hook, hookSource = "userSettings", input, mode, tool: name } = situation
  const tool = toolNamed(name)
  const prepared = tool.prepare(input)
  if (Result.isFailure(prepared)) return undefined

  const context: CallContext = { session: "law", cwd, mode, directories: [] }
  const outcome: HookOutcome = hook === "none"
    ? silent
    : { ...silent, decision: hook, source: hookSource, name: "hook", allowsInput: hook === "allow" }
  const call: ScreenedCall = {
    use: { type: "tool_use", id: "law", name, input },
    context,
    tool,
    notes: [],
    invocation: prepared.success,
    ask: undefined,
    hook: outcome,
    original: undefined,
    pending: Effect.undefined
  }
  const policy = yield* policyOf(situation, context)
  const evidence = yield* Effect.provide(
    Effect.flatMap(Effect.context<Classifier | PathResolver>(), (services) => gatherEvidence(call, policy, services)),
    Layer.merge(PathResolverLayers.layerVirtual(files, { home }), ClassifierLayers.layerStatic)
  )
  gathered.set(situation, evidence)
  return evidence
})

// Laws ask about the same situation, and about others with the same rules, again and again.
const gathered = new WeakMap<Situation, Evidence>()

const policies = new WeakMap<RulesBySource, { readonly key: string; readonly policy: Policy }>()

const policyOf = Effect.fnUntraced(function*(
  { home, rules }: Situation,
  context: CallContext
): Effect.fn.Return<Policy> {
  const key = JSON.stringify([home, context.cwd])
  const known = policies.get(rules)
  if (known?.key === key) return known.policy
  const policy = yield* Effect.flatMap(RuleSources, (sources) => sources.policy(context)).pipe(
    Effect.provide(RuleSourcesLayers.layerMemory({ texts: rules, home }))
  )
  policies.set(rules, { key, policy })
  return policy
})

/** A built-in tool as far as reading its input goes, or one that stands in for another's. */
const toolNamed = (name: string): Tool => {
  const found = builtin.find((tool) => tool.name === name)
  return {
    ...standIn(name),
    ...(found === undefined ? {} : {
      prepare: (input) =>
        Result.map(found.prepare(input), ({ concurrencySafe, input, subject }) => ({
          input,
          subject,
          concurrencySafe,
          validate: () => Effect.succeed({ _tag: "Valid" as const }),
          check: () => Effect.succeed({ _tag: "NoOpinion" as const }),
          run: () => Effect.never
        }))
    })
  }
}

const standIn = (name: string): Tool => {
  const prepare: Tool["prepare"] = (input) => {
    const given = Predicate.isObject(input) ? { ...input } : {}
    return Result.succeed({
      input: given,
      subject: subjectOf(name, given),
      concurrencySafe: false,
      validate: () => Effect.succeed({ _tag: "Valid" }),
      check: () => Effect.succeed({ _tag: "NoOpinion" }),
      run: () => Effect.never
    })
  }
  return {
    name,
    aliases: [],
    deprecatedAliases: [],
    description: "",
    origin: "application",
    maxResultSizeChars: 0,
    timeoutMillis: undefined,
    needsPerson: false,
    jsonSchema: () => ({}),
    prepare
  }
}

const subjectOf = (name: string, input: { readonly [key: string]: unknown }): Subject => {
  switch (name) {
    case "WebFetch":
      return { _tag: "Url", url: String(input["url"]) }
    case "Agent":
      return { _tag: "Agent", name: String(input["subagent_type"]) }
    case "NotebookEdit":
      return { _tag: "File", access: "edit", path: String(input["notebook_path"]) }
    default:
      return { _tag: "Plain" }
  }
}
