/**
 * How the page looks.
 *
 * @since 0.1.0
 */
import { type Html, html } from "./html.ts"

/**
 * The style of the page: three voices in three typefaces. What people and models
 * say is set in a serif, what machines read in a monospace, what we tell in a
 * sans.
 *
 * @category constants
 * @since 0.1.0
 */
export const pageStyle: Html = html`
:root {
  color-scheme: light dark;
  --paper: #f6f4ee; --card: #fffefb; --ink: #1c1e22; --soft: #5f636b; --line: #d8d4c8; --faint: #ebe8df;
  --move: #2c4fb0; --good: #17683f; --asking: #855600; --bad: #a8231c; --bad-wash: #fbecea; --asking-wash: #fbf3e0;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Inter, "Helvetica Neue", Arial, sans-serif;
  --serif: Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Palatino, Georgia, serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --lane: 82px; --gutter: 30px;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --card: #1b1e23; --ink: #e8e7e3; --soft: #a0a5ad; --line: #383c44; --faint: #23262c;
    --move: #93b1ff; --good: #76cf9f; --asking: #e6b95e; --bad: #ff968a; --bad-wash: #33201f; --asking-wash: #2e2819;
  }
}
*, ::before, ::after { box-sizing: border-box; }
* { margin: 0; padding: 0; }
html { scroll-padding: 72px 0 190px; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans); }
body > header, main { max-width: 1160px; margin: 0 auto; padding: 0 32px; }
ol, ul { list-style: none; }
a { color: inherit; }
:focus-visible { outline: 2px solid var(--move); outline-offset: 2px; border-radius: 3px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { padding-top: 52px !important; }
.kicker { font-size: 13px; color: var(--soft); letter-spacing: .02em; }
.kicker span { margin-left: 10px; font-variant-numeric: tabular-nums; }
h1 { font: 500 32px/1.25 var(--serif); letter-spacing: -.01em; margin: 8px 0 16px; max-width: 26em; overflow-wrap: anywhere;
  text-wrap: balance; }
.facts { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; font-variant-numeric: tabular-nums; }
.facts li { overflow-wrap: anywhere; }
.care { margin-top: 12px; font-size: 13px; color: var(--soft); }
.problems { margin-top: 12px; padding: 8px 14px; border-left: 3px solid var(--asking); background: var(--asking-wash);
  font-size: 14px; overflow-wrap: anywhere; }

.calls { margin-top: 30px; border-top: 1px solid var(--line); }
.many { margin-top: 18px; }
.call-row { display: grid; grid-template-columns: minmax(0, 1fr) 576px 84px; gap: 4px 28px; align-items: center;
  padding: 14px 0 16px; border-bottom: 1px solid var(--line); }
.call-row.deep1 .call-name { padding-left: 20px; } .call-row.deep2 .call-name { padding-left: 40px; }
.call-row.deep3 .call-name { padding-left: 60px; }
.call-name { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call-name code { font: 13px/1.4 var(--mono); color: var(--soft); margin-left: 6px; }
.call { font-size: 12px; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.fate { font-size: 14px; }
.good .fate { color: var(--good); } .bad .fate { color: var(--bad); font-weight: 600; }

.rail { display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); position: relative; padding-bottom: 4px; }
.rail li { position: relative; grid-row: 1; text-align: center; font-size: 11.5px; line-height: 1.3; padding-top: 20px;
  color: var(--soft); }
.rail li:nth-child(1) { grid-column: 1; } .rail li:nth-child(2) { grid-column: 2; }
.rail li:nth-child(3) { grid-column: 3; } .rail li:nth-child(4) { grid-column: 4; }
.rail li:nth-child(5) { grid-column: 5; } .rail li:nth-child(6) { grid-column: 6; }
.rail li:nth-child(7) { grid-column: 7; } .rail li:nth-child(8) { grid-column: 8; }
.rail li::before { content: ""; position: absolute; top: 3px; left: 50%; width: 11px; height: 11px; margin-left: -5.5px;
  border-radius: 50%; background: var(--good); z-index: 1; }
.rail li:not(:first-child, .bypass)::after { content: ""; position: absolute; top: 7.5px; right: 50%; width: 100%;
  border-top: 2px solid var(--good); }
.rail .ended::before { background: var(--bad); border-radius: 2px; transform: rotate(45deg); }
.rail .ended { color: var(--bad); font-weight: 600; }
.rail .never { color: var(--soft); opacity: .62; text-decoration: line-through; }
.rail .never::before { background: var(--paper); border: 1.5px solid var(--soft); }
.rail .never::after, .rail .ended ~ li:not(.bypass)::after { border-top: 1.5px dotted var(--soft) !important; opacity: .6; }
.bad .rail .ended ~ .passed::before { background: var(--bad); }
.rail .bypass { grid-row: 1; align-self: start; height: 15px; margin: 9px calc(100% / 12) 0; padding: 0; z-index: 0;
  border: 2px solid var(--bad); border-top: 0; border-radius: 0 0 14px 14px; transform: translateY(0); }
.rail .bypass::before { display: none; }
.rail:has(.bypass) li:not(.bypass) { padding-top: 28px; }
.rail .bypass.from1 { grid-column: 1 / 9; margin-inline: 6.25%; } .rail .bypass.from2 { grid-column: 2 / 9; margin-inline: 7.14%; }
.rail .bypass.from3 { grid-column: 3 / 9; margin-inline: 8.33%; } .rail .bypass.from4 { grid-column: 4 / 9; margin-inline: 10%; }
.rail .bypass.from5 { grid-column: 5 / 9; margin-inline: 12.5%; } .rail .bypass.from6 { grid-column: 6 / 9; margin-inline: 16.66%; }
.rail .bypass.from7 { grid-column: 7 / 9; margin-inline: 25%; }
.watching .rail .ahead { opacity: .3; }
.watching .rail .ahead::before { background: var(--paper); border: 1.5px solid var(--soft); }
.rail .current::before { box-shadow: 0 0 0 4px color-mix(in srgb, var(--move) 28%, transparent); }
.rail .current { color: var(--ink); font-weight: 600; }

main { padding-top: 26px !important; padding-bottom: 260px !important; }
.lanes { position: sticky; top: 0; z-index: 3; display: grid; grid-template-columns: repeat(6, var(--lane));
  background: var(--paper); border-bottom: 1px solid var(--line); padding: 12px 0 10px; }
.lanes span { justify-self: center; padding: 2px 12px; border-radius: 20px; font-size: 14px; font-weight: 600;
  border: 1.5px solid var(--ink); line-height: 1.4; transition: background .2s, color .2s; }
.lanes .idle { border-color: var(--line); color: var(--soft); font-weight: 400; }
.lanes .active { background: var(--move); border-color: var(--move); color: var(--paper); }

h2 { position: relative; padding: 34px 0 10px; font: 500 20px/1.3 var(--serif); }
h2 span { display: block; padding-left: calc(6 * var(--lane) + var(--gutter)); }
h2::before, .track::before { content: ""; position: absolute; inset: 0 auto 0 0; width: calc(6 * var(--lane));
  background: linear-gradient(to right, var(--line) 1px, transparent 1px) calc(var(--lane) / 2 - .5px) 0 / var(--lane) 100%; }
.long section { content-visibility: auto; contain-intrinsic-size: auto 1400px; margin-inline: -20px; padding-inline: 20px; }
.step, .ghost { position: relative; display: grid; grid-template-columns: calc(6 * var(--lane)) minmax(0, 1fr);
  gap: 0 var(--gutter); }
.track { position: relative; min-height: 38px; }
.arrow { position: absolute; top: 19px; height: 0; color: var(--move); border-top: 2px solid currentColor;
  left: calc((min(var(--f), var(--t)) + .5) * var(--lane)); width: calc((max(var(--f), var(--t)) - min(var(--f), var(--t))) * var(--lane)); }
.f0 { --f: 0; } .f1 { --f: 1; } .f2 { --f: 2; } .f3 { --f: 3; } .f4 { --f: 4; } .f5 { --f: 5; }
.t0 { --t: 0; } .t1 { --t: 1; } .t2 { --t: 2; } .t3 { --t: 3; } .t4 { --t: 4; } .t5 { --t: 5; }
.arrow::before, .arrow::after { content: ""; position: absolute; }
.arrow::before { top: -6px; width: 10px; height: 10px; border-radius: 50%; background: var(--paper);
  border: 2px solid currentColor; }
.fwd .arrow::before { left: -5px; } .back .arrow::before { right: -5px; }
.arrow::after { top: -6px; border: 5px solid transparent; }
.fwd .arrow::after { right: 0; border-left: 9px solid currentColor; border-right: 0; }
.back .arrow::after { left: 0; border-right: 9px solid currentColor; border-left: 0; }
.self .arrow { width: 0; border-top-color: transparent; } .self .arrow::after { display: none; }
.self .arrow::before { left: -5px; background: currentColor; }
.small.self .arrow::before { width: 8px; height: 8px; left: -4px; top: -5px; background: var(--paper); }
.good .arrow { color: var(--good); } .asking .arrow { color: var(--asking); } .bad .arrow { color: var(--bad); }
.bad.self .arrow::before { border-radius: 2px; transform: rotate(45deg); }
.token { position: absolute; top: 11px; width: 18px; height: 18px; margin-left: -9px; border-radius: 50%; z-index: 2;
  background: var(--move); box-shadow: 0 0 0 5px color-mix(in srgb, var(--move) 22%, transparent); }
.good .token { background: var(--good); } .bad .token { background: var(--bad); } .asking .token { background: var(--asking); }

.card { min-width: 0; padding: 8px 0; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 16px; }
.card > * { grid-column: 1 / -1; }
.card .title { grid-column: 1; grid-row: 1; overflow-wrap: anywhere; }
.card .meta { grid-column: 2; grid-row: 1; font-size: 12px; line-height: 22px; color: var(--soft); white-space: nowrap;
  font-variant-numeric: tabular-nums; text-align: right; }
.meta a { display: inline-block; min-width: 1.6em; text-decoration: none; opacity: .8; }
.meta a:hover { text-decoration: underline; }
.meta > span { margin-left: 10px; }
.meta .time { display: inline-block; min-width: 4.4em; } .meta .gap { display: inline-block; min-width: 4.8em; }
.title b { font-weight: 600; margin-right: 4px; }
.small .title { color: var(--soft); } .small .title b { font-weight: 500; }
.good .title { color: var(--good); } .asking .title { color: var(--asking); } .bad .title { color: var(--bad); }
.good .title b, .asking .title b, .bad .title b { color: var(--ink); }
.deep1 .card { padding-left: 20px; } .deep2 .card { padding-left: 40px; } .deep3 .card { padding-left: 60px; }
.ghost .card, .ghost .arrow { opacity: .65; }
.ghost .arrow { color: var(--soft); border-top-style: dashed; } .ghost .arrow::before { background: var(--paper); border-style: dotted; }
.ghost .track { min-height: 30px; } .ghost .arrow { top: 15px; } .ghost .card { padding: 4px 0; font-size: 14px; }

pre { font: 13px/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; margin: 6px 0 4px; }
pre.verbatim { padding: 8px 12px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
pre.said { font: 17px/1.5 var(--serif); padding: 2px 0 2px; max-width: 34em; }
.bad pre.said { color: inherit; }
.label { font-size: 12px; color: var(--soft); margin-top: 8px; } .label + pre { margin-top: 2px; }
.remark { font-size: 14px; color: var(--soft); overflow-wrap: anywhere; }
.warning { color: var(--asking); }
details { order: 2; } details summary { cursor: pointer; font-size: 13px; color: var(--move); width: fit-content; padding: 2px 0; }
details .close, details[open] .open { display: none; } details[open] .close { display: inline; }
.peek { order: 1; mask-image: linear-gradient(#000 40%, transparent); } details[open] + .peek { display: none; }

.watching .card, .watching .arrow, .watching h2 { transition: opacity .25s; }
.watching .future .card, .watching .future .arrow, .watching .future ~ .ghost, .watching section:has(> ol > .future:first-child) h2 span { opacity: .13; }
.watching .present .card { position: relative; }
.watching .present .card::before { content: ""; position: absolute; inset: 0 -14px; z-index: -1; border-radius: 8px;
  background: var(--faint); }
.watching .present .card { z-index: 0; }

.dock { position: fixed; inset: auto 0 0 0; z-index: 5; padding: 10px max(32px, calc(50vw - 548px)) 10px; background: var(--card);
  border-top: 1px solid var(--line); box-shadow: 0 -6px 24px #0000000f; }
.dock[hidden] { display: none; }
.now { display: grid; grid-template-columns: minmax(0, 1fr) 576px; gap: 28px; align-items: center; min-height: 44px; }
.where { min-width: 0; } .where span { display: block; }
.counter { font-size: 13px; color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
.step-title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
.now-rail .rail li::before { outline: 2px solid var(--card); }
.bar { display: flex; align-items: center; gap: 6px; margin-top: 6px; }
.bar button, .bar select { font: 14px/1 var(--sans); color: var(--ink); background: none; border: 1px solid transparent; border-radius: 8px;
  height: 38px; min-width: 38px; display: inline-grid; place-items: center; cursor: pointer; }
.bar button:hover, .bar select:hover { background: var(--faint); }
.bar .play { background: var(--ink); color: var(--paper); width: 46px; border-radius: 20px; }
.bar .play:hover { background: var(--move); }
.bar .whole, .bar select { border-color: var(--line); padding: 0 10px; }
.bar svg { width: 19px; height: 19px; fill: currentColor; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.bar .if-playing { display: none; } .playing .bar .if-playing { display: block; stroke-width: 4; } .playing .bar .if-still { display: none; }
.scrub { flex: 1; min-width: 60px; margin: 0 10px; height: 38px; accent-color: var(--move); cursor: pointer; }
.keys { font-size: 12px; color: var(--soft); margin-top: 4px; text-align: center; }
kbd { font: 11px var(--sans); border: 1px solid var(--line); border-radius: 4px; padding: 1px 5px; margin-left: 8px; }

@media (max-width: 1100px) {
  :root { --lane: calc((100vw - 64px) / 6); }
  .call-row { grid-template-columns: minmax(0, 1fr) auto; }
  .call-row .rail { grid-column: 1 / -1; grid-row: 2; }
  .lanes span { padding: 2px 8px; }
  h2 span { padding-left: 0; background: var(--paper); width: fit-content; padding-right: 12px; position: relative; }
  .step, .ghost { grid-template-columns: minmax(0, 1fr); }
  .step .card { margin: 0 0 8px; padding: 8px 12px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; position: relative; }
  .small .card { background: var(--paper); border-color: transparent; padding: 0 12px; margin: -4px 0 4px; }
  .ghost .card { background: var(--paper); padding: 0 12px 6px; position: relative; }
  .now { grid-template-columns: minmax(0, 1fr); gap: 4px; }
  .track { min-height: 36px; }
  .watching .present .card::before { display: none; } .watching .present .card { border-color: var(--move); }
}
@media (max-width: 700px) {
  :root { --lane: calc((100vw - 32px) / 6); }
  html { scroll-padding: 60px 0 200px; }
  body > header, main { padding: 0 16px; }
  .top { padding-top: 28px !important; }
  h1 { font-size: 25px; }
  .lanes span { font-size: 12.5px; padding: 1px 6px; }
  .card .title { grid-column: 1 / -1; grid-row: 2; } .card .meta { grid-column: 1 / -1; grid-row: 1; text-align: left; line-height: 18px; }
  .meta > span { margin-left: 8px; } .meta .time, .meta .gap { min-width: 0; }
  .meta a { min-width: 0; }
  .small .card { grid-template-columns: minmax(0, 1fr) auto; } .small .card .title { grid-column: 1; grid-row: 1; }
  .small .card .meta { grid-column: 2; grid-row: 1; line-height: 23px; } .small .meta :not(.gap) { display: none; }
  pre.said { font-size: 16px; }
  .rail li:not(.ended, .current) { font-size: 0; }
  .rail li span { display: inline-block; margin: 0 -30px; }
  .dock { padding: 8px 12px; } .keys, .dock .first, .dock .last { display: none; }
  .bar { gap: 2px; } .scrub { margin: 0 4px; } .bar .whole, .bar select { padding: 0 6px; font-size: 13px; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; animation: none !important; } }
@media print {
  :root { --paper: #fff; --card: #fff; }
  main { padding-bottom: 0 !important; } .dock { display: none !important; } .lanes { position: static; }
  .step, .ghost { opacity: 1 !important; break-inside: avoid; }
  details::details-content { content-visibility: visible; height: auto; } summary, .peek { display: none; }
}
`
