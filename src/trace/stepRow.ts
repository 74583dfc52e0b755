/**
 * The rows of the page: a step, what it carries, and what a call never came to.
 *
 * @since 0.1.0
 */
import type { Stage } from "../domain/CallEvent.ts"
import { showSize } from "../tools/showSize.ts"
import { type Html, html, nothing } from "./html.ts"
import { clock, count } from "./quantities.ts"
import { parties, type Step, type Trace, type Words } from "./Step.ts"

/**
 * Renders the step at a place of the trace, which begins at `start`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const stepRow = (trace: Trace, step: Step, place: number, start: number): Html => {
  const call = step.call === undefined ? undefined : trace.calls[step.call - 1]
  const since = step.at - (trace.steps[place - 1]?.at ?? step.at)
  const between = step.from === step.to ? step.from : `${step.from} to ${step.to}`
  const small = step.words.length === 0 && step.tone === "plain"
  const depth = Math.min(call?.depth ?? 0, 3)
  return html`<li class="step ${way(step)} ${step.tone} ${small ? "small" : "full"} deep${depth}" id="s${
    place + 1
  }" data-at="${step.at}" data-turn="${step.turn}" data-call="${step.call ?? ""}" data-stage="${
    step.stage ?? ""
  }" data-from="${step.from}" data-to="${step.to}" data-size="${sizeOf(step)}">
<div class="track" aria-hidden="true"><i class="arrow"></i></div>
<div class="card">
<p class="meta"><a href="#s${place + 1}" aria-label="Step ${place + 1}">${place + 1}</a>${
    call === undefined || trace.calls.length < 2 ? nothing : html` <span class="call">call ${call.number}</span>`
  }${
    call?.parent === undefined || trace.steps[place - 1]?.call === call.number
      ? nothing
      : html` <span class="call">inside call ${call.parent}</span>`
  } <span class="time">${clock(step.at - start)} s</span> <span class="gap">${
    since < 1 ? "" : `+${gap(since)}`
  }</span></p>
<p class="title"><b>${between}</b> ${step.title}</p>
${step.words.map(wordsBlock)}
</div>
</li>
`
}

/**
 * Renders a stage that a call would have come to.
 *
 * @category formatting
 * @since 0.1.0
 */
export const ghostRow = (stage: Stage): Html =>
  html`<li class="ghost ${stage === "execute" ? "f3 t4 fwd" : "f3 t3 self"}">
<div class="track" aria-hidden="true"><i class="arrow"></i></div>
<div class="card"><p class="title"><s>${stage}</s> not reached</p></div>
</li>
`

const way = ({ from, to }: Step): string => {
  const [first, last] = [parties.indexOf(from), parties.indexOf(to)]
  return `f${first} t${last} ${first === last ? "self" : first < last ? "fwd" : "back"}`
}

const gap = (millis: number): string => millis < 1_000 ? `${Math.round(millis)} ms` : `${clock(millis)} s`

const sizeOf = ({ title, words }: Step): number =>
  Math.min(words.reduce((sum, { text }) => sum + text.length, title.length), 9_999)

const wordsBlock = ({ kind, label, text }: Words): Html => {
  const named = label === undefined ? nothing : html`<p class="label">${label}</p>`
  const body = text.length > most ? text.slice(0, most) : text
  const left = text.length > most
    ? html`<p class="remark">${
      count(text.length - most, "more character")
    } in the recording, left out of this page.</p>`
    : nothing
  if (kind === "remark" || kind === "warning") return html`${named}<p class="remark ${kind}">${body}</p>${left}`
  return html`${named}${folded(body.replace(/\n+$/, ""), kind)}${left}`
}

/** Beyond this a text is not read but searched, which the recording is better for. */
const most = 200_000

const folded = (text: string, kind: "said" | "verbatim"): Html => {
  const lines = text.split("\n")
  if (lines.length <= 12 && text.length <= 1_200) return html`<pre class="${kind}">${text}</pre>`
  const peek = lines.slice(0, 6).join("\n").slice(0, 480)
  return html`<details><summary><span class="open">Show all of it: ${count(lines.length, "line")}, ${
    showSize(text.length)
  }</span><span class="close">Fold it</span></summary><pre class="${kind}">${text}</pre></details><pre class="${kind} peek" aria-hidden="true">${peek}</pre>`
}
