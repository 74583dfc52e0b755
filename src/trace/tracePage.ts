/**
 * A trace as one page that needs nothing else: no network, no fonts, no files.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"
import { callRail } from "./callRail.ts"
import { dock } from "./dock.ts"
import { type Html, html, nothing } from "./html.ts"
import { pageScript } from "./pageScript.ts"
import { pageStyle } from "./pageStyle.ts"
import { count, phrases, startOf } from "./quantities.ts"
import { parties, type Step, type Trace } from "./Step.ts"
import { ghostRow, stepRow } from "./stepRow.ts"

/**
 * Renders the page. `problems` is what of the recording could not be read.
 *
 * **Details**
 *
 * Every step stands in it as ordinary text, so that it can be read, searched and
 * printed without its script; the script plays it. Its policy allows that script
 * and that style, and nothing else.
 *
 * @category formatting
 * @since 0.1.0
 */
export const tracePage = (trace: Trace, problems: ReadonlyArray<string>): string => {
  const policy = `default-src 'none'; style-src ${hashOf(pageStyle.markup)}; script-src ${
    hashOf(pageScript.markup)
  }; base-uri 'none'; form-action 'none'`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${brief(trace.title, 120)} · Toolgate trace</title>
<style>${pageStyle}</style>
</head>
<body class="${trace.steps.length > 1_000 ? "long" : ""}">
${head(trace, problems)}
<main>
<div class="lanes" aria-hidden="true">${parties.map((party) => lane(party, trace.steps))}</div>
${parts(trace)}
</main>
${dock(trace)}
<script>${pageScript}</script>
</body>
</html>
`.markup
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const brief = (text: string, limit: number): string => text.length > limit ? `${text.slice(0, limit)}…` : text

const head = (trace: Trace, problems: ReadonlyArray<string>): Html => {
  const began = new Date(startOf(trace))
  const when = Number.isNaN(began.getTime()) ? "" : began.toISOString().replace("T", " ").slice(0, 16)
  return html`<header class="top">
<p class="kicker">Toolgate trace${when === "" ? nothing : html` <span>${when} UTC</span>`}</p>
<h1>${brief(trace.title.trim(), 400)}</h1>
<ul class="facts">${phrases(trace).map((phrase) => html`<li>${phrase}</li>`)}</ul>
<p class="care">This page shows everything that the recording holds, texts and paths included. Look before you pass it on.</p>
${
    problems.length === 0
      ? nothing
      : html`<ul class="problems">${problems.map((problem) => html`<li>The recording: ${problem}.</li>`)}</ul>`
  }
${ways(trace)}
</header>`
}

const ways = ({ calls, steps }: Trace): Html => {
  if (calls.length === 0) return nothing
  const stepsOf = Map.groupBy(steps.entries(), ([, { call }]) => call)
  const rails = html`<ol class="calls">${calls.map((call) => callRail(call, stepsOf.get(call.number) ?? []))}</ol>`
  return calls.length <= 8
    ? rails
    : html`<details class="many"><summary>The ways of all ${count(calls.length, "call")}</summary>${rails}</details>`
}

/** A party that takes no part is there all the same, so that every page reads alike. */
const lane = (party: string, steps: ReadonlyArray<Step>): Html => {
  const idle = steps.every(({ from, to }) => from !== party && to !== party)
  return html`<span class="${idle ? "idle" : ""}" data-party="${party}">${party}</span>`
}

const parts = (trace: Trace): ReadonlyArray<Html> => {
  const start = startOf(trace)
  const begins = trace.steps.flatMap(({ heading }, index) => heading === undefined ? [] : [index])
  const firsts = begins[0] === 0 ? begins : [0, ...begins]
  return firsts.map((first, part) => {
    const heading = trace.steps[first]?.heading ?? "The recording begins in the middle"
    const rows = trace.steps.slice(first, firsts[part + 1]).flatMap((step, index) => [
      stepRow(trace, step, first + index, start),
      ...(step.missed ?? []).map(ghostRow)
    ])
    return html`<section aria-labelledby="part${part}">
<h2 id="part${part}"><span>${heading}</span></h2>
<ol class="steps">${rows}</ol>
</section>
`
  })
}
