/**
 * The controls of the page. They appear with its script.
 *
 * @since 0.1.0
 */
import { type Html, html } from "./html.ts"
import type { Trace } from "./Step.ts"

/**
 * Renders the controls of a trace.
 *
 * @category formatting
 * @since 0.1.0
 */
export const dock = (trace: Trace): Html => {
  const last = trace.steps.length
  return html`<div class="dock" role="group" aria-label="Player" hidden data-turns="${trace.turns}" data-calls="${trace.calls.length}">
<div class="now"><p class="where"><span class="counter"></span><span class="step-title"></span></p><div class="now-rail"></div></div>
<div class="bar">
<button type="button" class="first" aria-label="First step" title="First step (Home)">${
    icon("M6 5v14M19 5 9 12l10 7z")
  }</button>
<button type="button" class="back" aria-label="Step back" title="Step back (←)">${icon("M16 5 7 12l9 7z")}</button>
<button type="button" class="play" aria-label="Play" title="Play (space)">${playIcon}</button>
<button type="button" class="forth" aria-label="Step forward" title="Step forward (→)">${icon("M8 5l9 7-9 7z")}</button>
<button type="button" class="last" aria-label="Last step" title="Last step (End)">${
    icon("M18 5v14M5 5l10 7-10 7z")
  }</button>
<input class="scrub" type="range" min="0" max="${last}" step="1" value="0" aria-label="Step">
<label class="speed"><span class="unseen">Speed</span><select aria-label="Speed">
<option value="0.5">0.5×</option><option value="1" selected>1×</option><option value="2">2×</option><option value="4">4×</option>
</select></label>
<button type="button" class="whole" aria-label="Show the whole trace" title="Show the whole trace (Esc)">Show all</button>
</div>
<p class="keys" aria-hidden="true"><kbd>space</kbd> play <kbd>←</kbd> <kbd>→</kbd> step <kbd>Home</kbd> <kbd>End</kbd> <kbd>+</kbd> <kbd>−</kbd> speed <kbd>Esc</kbd> show all</p>
<p class="unseen" role="status" aria-live="polite"></p>
</div>`
}

const icon = (path: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`

const playIcon =
  html`<svg class="if-still" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M7 4l13 8-13 8z"/></svg><svg class="if-playing" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M7 5v14M17 5v14"/></svg>`
