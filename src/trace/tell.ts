/**
 * Says of the events of a step who does what for whom, in words.
 *
 * @since 0.1.0
 */
import type { Outcome, Stage } from "../domain/CallEvent.ts"
import type { ConversationEnd, ConversationEvent, Usage } from "../domain/ConversationEvent.ts"
import type { Decider, Decision, Judged } from "../domain/Decision.ts"
import type { HookRun } from "../domain/Hook.ts"
import type { Answer, Question } from "../domain/Question.ts"
import { showSize } from "../tools/showSize.ts"
import { endedTheCall, type Group } from "./groupsOf.ts"
import type { Party, Step, Words } from "./Step.ts"
import { contentWords, inputWords } from "./valueWords.ts"

/**
 * What is told of a step.
 *
 * @category models
 * @since 0.1.0
 */
export type Telling = Pick<Step, "from" | "to" | "title" | "words" | "tone">

/**
 * Tells a group of events. `nested` says that a tool asked for the call, and
 * `received` which calls have a step of their own.
 *
 * @category conversions
 * @since 0.1.0
 */
export const tell = (
  { events, head }: Group,
  { nested, received }: { readonly nested: boolean; readonly received: ReadonlySet<string> }
): Telling => {
  const asker: Party = nested ? "tool" : "host"
  switch (head._tag) {
    case "ConversationStarted":
      return step("you", "host", "asks", [said(head.question)])
    case "TurnStarted":
      return step("host", "model", head.turn === 1 ? "passes the question on" : "hands back the results")
    case "ModelRetried":
      return step("host", "model", `asks once more, ${head.waitMillis} ms later`, [remark(head.error)], "asking")
    case "ModelSaid":
    case "ModelAnswered":
      return answered(events, received)
    case "ConversationEnded":
      return step(
        "host",
        "you",
        endings[head.why],
        [
          said(head.answer),
          remark(head.error),
          ...(head.calls ?? []).flatMap(({ use, why }) =>
            why === undefined ? [] : [remark(`${use.name} was denied: ${why}`)]
          ),
          remark(spent(head.usage, head.cost))
        ],
        head.why === "answered" ? "good" : "bad"
      )
    case "Received":
      return step(asker, "gate", `wants to run ${head.use.name}`, inputWords(head.use))
    case "StageStarted":
      return stage(head.stage, events.find(isEnd))
    case "StageEnded":
      return stageEnded(head.stage, head.outcome)
    case "Progress":
      return step("tool", "gate", channels[head.channel], [{ kind: "verbatim", text: progressOf(events) }])
    case "Decided":
      return decided(head.decision)
    case "Asked":
      return step("gate", "you", `asks whether ${head.question.tool} may run`, questionWords(head.question), "asking")
    case "Answered":
      return answer(head.answer)
    case "Stored":
      return step("gate", "disk", "keeps the whole result", [
        { kind: "verbatim", text: head.path },
        remark(head.size === undefined ? undefined : showSize(head.size))
      ])
    case "Noted":
      return head.note.audience === "model"
        ? step("gate", asker, "adds a note for the model", [said(head.note.text)])
        : step("gate", "you", "has a note for you", [said(head.note.text)])
    case "TurnEnded":
      return step("gate", "host", "says that a hook ends the turn", [said(head.reason)], "bad")
    case "Finished":
      return step(
        "gate",
        asker,
        finishes[head.outcome],
        contentWords(head.result.content),
        head.outcome === "done" ? "good" : "bad"
      )
  }
}

const step = (
  from: Party,
  to: Party,
  title: string,
  words: ReadonlyArray<Words> = [],
  tone: Step["tone"] = "plain"
): Telling => ({ from, to, title, words: words.filter(({ text }) => text !== ""), tone })

const said = (text: string): Words => ({ kind: "said", text })

const remark = (text: string | undefined): Words => ({ kind: "remark", text: text ?? "" })

const warning = ({ warning }: Decision): Words => ({
  kind: "warning",
  text: warning === undefined ? "" : `warning: ${warning}`
})

const answered = (events: ReadonlyArray<ConversationEvent>, received: ReadonlySet<string>): Telling => {
  const whole = events.find((event) => event._tag === "ModelAnswered")
  const pieces = events.flatMap((event) => event._tag === "ModelSaid" ? [event.text] : []).join("")
  const uses = whole?.uses ?? []
  const title = uses.length === 0 ? "answers" : `asks for ${listed(uses.map(({ name }) => name))}`
  return step("model", "host", title, [
    said(whole === undefined || whole.text === "" ? pieces : whole.text),
    // What a call asks for is told where the gate gets it, if it gets there.
    ...uses.filter(({ id }) => !received.has(id)).flatMap((use) => [
      remark(`${use.name} did not come to the gate:`),
      ...inputWords(use)
    ]),
    remark(spent(whole?.usage))
  ])
}

const listed = (names: ReadonlyArray<string>): string => {
  const counted = Array.from(new Set(names), (name) => {
    const count = names.filter((other) => other === name).length
    return count === 1 ? name : `${name} ${count === 2 ? "twice" : `${count} times`}`
  })
  return counted.length < 2 ? counted.join("") : `${counted.slice(0, -1).join(", ")} and ${counted.at(-1)}`
}

const spent = (usage: Usage | undefined, cost?: number): string =>
  [
    ...(usage === undefined ? [] : [`${many(usage.input)} tokens in, ${many(usage.output)} out`]),
    ...(usage?.cacheRead === undefined ? [] : [`${many(usage.cacheRead)} read from the cache`]),
    ...(usage?.cacheWrite === undefined ? [] : [`${many(usage.cacheWrite)} written to it`]),
    ...(cost === undefined ? [] : [`cost ${cost}`])
  ].join(", ")

const many = (number: number): string => number.toLocaleString("en")

const endings: { readonly [Why in ConversationEnd]: string } = {
  answered: "gives you the answer",
  cutOff: "has an answer that was cut off at its limit of length",
  refused: "has no answer: the model refused",
  turnLimit: "stops: the limit of turns is reached",
  interrupted: "stops: it was interrupted",
  stoppedByHook: "stops: a hook ended it",
  failed: "stops: the model could not be heard"
}

const isEnd = (event: ConversationEvent) => event._tag === "StageEnded"

const stage = (name: Stage, end: { readonly outcome: string } | undefined): Telling =>
  end?.outcome === endedTheCall
    ? stageEnded(name, end.outcome)
    : step("gate", partner(name), `${name}: ${stages[name].does}`)

const stageEnded = (name: Stage, outcome: string): Telling =>
  outcome === endedTheCall
    ? step(partner(name), "gate", `${name}: ${stages[name].ends}`, [], "bad")
    : step(partner(name), "gate", `${name}: ${name === "execute" ? "hands back what it has" : "is through"}`)

const partner = (name: Stage): Party => name === "execute" ? "tool" : "gate"

const stages: { readonly [Name in Stage]: { readonly does: string; readonly ends: string } } = {
  lookup: { does: "finds the tool", ends: "knows no such tool, the call ends here" },
  validate: { does: "checks the input", ends: "refuses the input, the call ends here" },
  screen: {
    does: "runs the hooks before it",
    ends: "refuses the input that a hook made, the call ends here"
  },
  permission: { does: "weighs rules and hooks", ends: "holds it back, the call ends here" },
  execute: { does: "runs the tool", ends: "could not run, the call ends here" },
  result: { does: "makes the result fit", ends: "has no result, the call ends here" },
  postHook: { does: "runs the hooks after it", ends: "stops at a hook, the call ends here" },
  emit: { does: "writes the tool_result", ends: "could not write the tool_result" }
}

const channels = { stdout: "prints", stderr: "prints an error", message: "reports" } as const

const progressOf = (events: ReadonlyArray<ConversationEvent>): string =>
  events.flatMap((event) => event._tag === "Progress" ? [event.text] : []).join("")

const decided = (decision: Decision): Telling =>
  step(
    "gate",
    "gate",
    `decides: ${decision.verdict}, ${deciders[decision.by]}`,
    [
      remark(`since ${decision.why}` === deciders[decision.by] ? undefined : decision.why),
      remark(decision.rule === undefined ? undefined : ruleText(decision.rule)),
      warning(decision),
      ...(decision.judged.length < 2
        ? []
        : [{ kind: "verbatim" as const, label: "part by part", text: decision.judged.map(partText).join("\n") }]),
      ...(decision.hooks ?? []).map((run) => remark(hookText(run)))
    ],
    tones[decision.verdict]
  )

const tones = { allow: "good", ask: "asking", deny: "bad" } as const

const deciders: { readonly [By in Decider]: string } = {
  hook: "by a hook",
  rule: "by a rule",
  tool: "by the tool's own check",
  safety: "for safety",
  validation: "since its input needs a look",
  mode: "by the permission mode",
  reading: "since it only reads",
  settings: "since settings can't be read",
  classifier: "by the classifier",
  audit: "since it can't be written down",
  person: "by a person",
  nobody: "since nobody can be asked",
  default: "since nothing allows it"
}

const ruleText = ({ behavior, origin, text }: NonNullable<Decision["rule"]>): string => {
  const line = origin.line === undefined ? "" : `:${origin.line}`
  return `${behavior} rule ${text}, ${origin.source}${origin.file === undefined ? "" : ` ${origin.file}${line}`}`
}

const partText = ({ demand, rule, verdict, why }: Judged): string =>
  `${verdict.padEnd(5)}  ${demand}  (${rule === undefined ? why : ruleText(rule)})`

const hookText = ({ decision, fault, name, reason }: HookRun): string =>
  [`hook ${name}: ${decision === "none" ? "no opinion" : decision}`, reason, fault].filter(Boolean).join(", ")

const questionWords = ({ decision, input, tool }: Question): ReadonlyArray<Words> => [
  ...inputWords({ name: tool, input }),
  warning(decision),
  ...(decision.suggestions.length === 0
    ? []
    : [{ kind: "verbatim" as const, label: "\"always allow\" would save", text: decision.suggestions.join("\n") }])
]

const answer = (given: Answer): Telling => {
  switch (given._tag) {
    case "Once":
      return step("you", "gate", "allows it once", [], "good")
    case "Always":
      return step("you", "gate", `allows it from now on, saved to ${given.destination}`, [], "good")
    case "Denied":
      return step("you", "gate", "says no", [said(given.reason ?? "")], "bad")
    case "Nobody":
      return step("gate", "gate", "finds nobody to ask", [remark(given.why)], "bad")
  }
}

const finishes: { readonly [End in Outcome]: string } = {
  done: "answers with the result",
  failed: "answers that the tool failed",
  wrong: "answers that the call was wrong",
  denied: "answers that it was denied",
  stopped: "answers that it was stopped",
  internal: "answers with a fault of its own"
}
