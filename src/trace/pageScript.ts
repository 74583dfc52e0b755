/**
 * What plays the page.
 *
 * @since 0.1.0
 */
import { type Html, html } from "./html.ts"

/**
 * The script of the page. It reads the steps that stand there, makes no HTML of
 * any text, and works on what the style allows.
 *
 * @category constants
 * @since 0.1.0
 */
export const pageScript: Html = html`
"use strict";
(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const steps = all(".step");
  const dock = find(".dock");
  const scrub = find(".scrub");
  const speed = find(".speed select");
  const play = find(".play");
  const said = find("[role=status]");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // Step numbers count from 1; at 0 nothing is watched and the whole trace stands there.
  let at = 0;
  let timer;
  const playing = () => timer !== undefined;

  const title = (step) => find(".title", step).textContent;

  const show = (to) => {
    const target = Math.max(0, Math.min(steps.length, to));
    const [low, high] = at === 0 || target === 0 ? [1, steps.length] : [Math.min(at, target), Math.max(at, target)];
    document.body.classList.toggle("watching", target > 0);
    for (let number = low; number <= high; number++) {
      const classes = steps[number - 1].classList;
      classes.toggle("future", target > 0 && number > target);
      classes.toggle("present", number === target);
      if (number === target) steps[number - 1].setAttribute("aria-current", "step");
      else steps[number - 1].removeAttribute("aria-current");
    }
    at = target;
    tell();
    if (at > 0) move(steps[at - 1]);
  };

  const tell = () => {
    const step = steps[at - 1];
    const { turns, calls } = dock.dataset;
    const turn = step && step.dataset.turn > 0 ? ", turn " + step.dataset.turn + " of " + turns : "";
    const call = step && step.dataset.call && calls > 1 ? ", call " + step.dataset.call + " of " + calls : "";
    find(".counter").textContent = step ? "Step " + at + " of " + steps.length + turn + call : steps.length + " steps";
    find(".step-title").textContent = step ? title(step) : "";
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", step ? "Step " + at + ": " + title(step) : "The whole trace");
    // While it plays, only what moves is worth interrupting a screen reader for.
    if (!playing() || (step && step.dataset.from !== step.dataset.to)) {
      said.textContent = step ? "Step " + at + turn + ": " + title(step) : "The whole trace";
    }
    for (const party of all(".lanes span")) {
      const name = party.dataset.party;
      party.classList.toggle("active", step !== undefined && (step.dataset.from === name || step.dataset.to === name));
    }
    rails(step);
  };

  const rails = (step) => {
    const place = find(".now-rail");
    const own = step && step.dataset.call ? find(".call-row[data-call='" + step.dataset.call + "']") : null;
    const shown = own === null || step === undefined ? null : find(".rail", own).cloneNode(true);
    place.replaceChildren();
    if (shown) {
      place.append(shown);
      place.className = "now-rail " + (own.classList.contains("good") ? "good" : "bad");
    }
    for (const rail of [...all(":not(.many) > .calls .rail"), ...(shown ? [shown] : [])]) {
      for (const node of all("[data-stage]", rail)) {
        const begins = Number(node.dataset.step);
        node.classList.toggle("ahead", at > 0 && begins >= at);
        node.classList.toggle("current", rail === shown && node.dataset.stage === step.dataset.stage);
      }
    }
  };

  const move = (step) => {
    const box = step.getBoundingClientRect();
    const tall = box.height > innerHeight / 2;
    step.scrollIntoView({ block: tall ? "start" : "center", behavior: still.matches ? "auto" : "smooth" });
    for (const token of all(".token")) token.remove();
    if (still.matches) return;
    const track = find(".track", step);
    const lane = find(".arrow", step);
    const token = document.createElement("i");
    token.className = "token";
    const back = step.classList.contains("back");
    const start = lane.offsetLeft + (back ? lane.offsetWidth : 0);
    const end = lane.offsetLeft + (back ? 0 : lane.offsetWidth);
    token.style.left = end + "px";
    track.append(token);
    const pace = 1 / Number(speed.value);
    if (start === end) {
      token.animate([{ transform: "scale(.4)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], { duration: 260 * pace, easing: "ease-out" });
    } else {
      token.animate(
        [{ transform: "translateX(" + (start - end) + "px)" }, { transform: "none" }],
        { duration: Math.min(900, 420 + Math.abs(start - end)) * pace, easing: "cubic-bezier(.5,0,.2,1)" }
      );
    }
  };

  // As long as it really took, within what can be watched, and long enough to read.
  const dwell = () => {
    const step = steps[at - 1];
    const next = steps[at];
    if (!next) return 0;
    const real = Number(next.dataset.at) - Number(step.dataset.at);
    const reading = step.classList.contains("small") ? 550 : Math.min(3200, 1100 + Number(step.dataset.size) * 12);
    return Math.max(reading, Math.min(real, 3200)) / Number(speed.value);
  };

  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
    document.body.classList.remove("playing");
    play.setAttribute("aria-label", "Play");
  };

  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (at >= steps.length) return pause();
      show(at + 1);
      if (at >= steps.length) pause();
      else wait();
    }, dwell());
  };

  const start = () => {
    document.body.classList.add("playing");
    play.setAttribute("aria-label", "Pause");
    show(at >= steps.length || at === 0 ? 1 : at);
    wait();
  };

  const toggle = () => playing() ? pause() : start();
  const go = (to) => {
    pause();
    show(to);
  };
  const faster = (by) => {
    speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
    said.textContent = "Speed " + speed.value;
    if (playing()) wait();
  };

  play.addEventListener("click", toggle);
  find(".first").addEventListener("click", () => go(1));
  find(".dock .back").addEventListener("click", () => go(Math.max(1, at - 1)));
  find(".forth").addEventListener("click", () => go(at + 1));
  find(".last").addEventListener("click", () => go(steps.length));
  find(".whole").addEventListener("click", () => go(0));
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  speed.addEventListener("change", () => faster(0));

  const keys = {
    " ": toggle,
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(Math.max(1, at - 1)),
    Home: () => go(1),
    End: () => go(steps.length),
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
    Escape: () => go(0)
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const own = event.target instanceof Element ? event.target.closest("button, select, summary, a, input") : null;
    // What has the focus keeps the keys that it knows itself.
    if (own && own !== scrub && (event.key === " " || own === speed)) return;
    const does = keys[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });

  const follow = () => {
    const match = /^#s([0-9]+)$/.exec(location.hash);
    if (match) go(Number(match[1]));
  };
  addEventListener("hashchange", follow);
  // The browser goes to the place that its address names on its own, and first.
  addEventListener("load", () => setTimeout(follow));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest(".meta a") : null;
    if (link) go(Number(link.textContent));
  });
  addEventListener("beforeprint", () => go(0));
  dock.hidden = false;
  tell();
})();
`
