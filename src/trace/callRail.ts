/**
 * The way of a call through the eight stages, at a glance.
 *
 * @since 0.1.0
 */
import { Stage } from "../domain/CallEvent.ts"
import { type Html, html, nothing } from "./html.ts"
import { fate } from "./quantities.ts"
import type { Step, TracedCall } from "./Step.ts"

/**
 * Renders a call as a row of stages: those it went through, the one that sent it
 * off the path, and those that it never came to. `steps` are the call's own, each
 * with its place in the trace.
 *
 * @category formatting
 * @since 0.1.0
 */
export const callRail = (call: TracedCall, steps: ReadonlyArray<readonly [number, Step]>): Html => {
  const how = fate(call)
  const where = call.endedIn === undefined ? how : `${how} at ${call.endedIn}`
  const subject = steps[0]?.[1].words.find(({ kind }) => kind === "verbatim")?.text.split("\n", 1)[0]?.slice(0, 160) ??
    ""
  const tone = how === "done" ? "good" : "bad"
  return html`<li class="call-row ${tone} deep${Math.min(call.depth, 3)}" data-call="${call.number}">
<p class="call-name"><span class="call">call ${call.number}</span> <b>${call.tool}</b> <code>${subject}</code></p>
<ol class="rail" aria-label="Stages of call ${call.number}: ${where}">${
    Stage.literals.map((stage) => node(stage, call, steps))
  }${bypass(call)}</ol>
<p class="fate">${how}</p>
</li>`
}

const node = (stage: Stage, call: TracedCall, steps: ReadonlyArray<readonly [number, Step]>): Html => {
  const at = steps.find(([, step]) => step.stage === stage)?.[0] ?? -1
  const state = !call.stages.includes(stage) ? "never" : call.endedIn === stage ? "ended" : "passed"
  return html`<li class="${state}" data-stage="${stage}" data-step="${at}"><span>${stage}</span>${
    state === "never" ? html`<span class="unseen">, not reached</span>` : nothing
  }</li>`
}

/** A call that leaves the path is answered all the same. */
const bypass = ({ endedIn, stages }: TracedCall): Html =>
  endedIn === undefined || !stages.includes("emit") || endedIn === "emit"
    ? nothing
    : html`<li class="bypass from${Stage.literals.indexOf(endedIn) + 1}" aria-hidden="true"></li>`
