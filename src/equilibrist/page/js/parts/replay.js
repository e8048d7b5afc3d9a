// Playing over again what took place in a run, step by step, for runs that are over before one can watch.
import { h, svg } from "../base/dom.js";

const LONGEST = 6000; // ms
const EACH = 280; // ms a step, where there are few
const FRAME = 16; // ms: what is faster takes several steps at once

/**
 * Return a clock that calls step(number of steps) at a speed until it is stopped.
 * @param {(steps: number) => void} step
 */
function clock(step) {
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
  };
  return {
    stop,
    ticking: () => timer !== 0,
    start(milliseconds) {
      stop();
      const every = Math.max(FRAME, milliseconds);
      let passed = 0;
      timer = setInterval(() => {
        passed += every / milliseconds;
        const steps = Math.floor(passed);
        passed -= steps;
        step(steps);
      }, every);
    },
  };
}

/**
 * Return the button. `steps()` is how many there are; `draw(step)` shows the first `step` of them, `draw(null)` all.
 *
 * @param {{steps: () => number, draw: (step: number | null) => void, signal: AbortSignal, label: string}} options
 */
export function replayButton({ steps, draw, signal, label }) {
  let [step, last] = [0, 0];
  const button = h("button", { type: "button", class: "button small replay", "aria-label": label, onclick: toggle });
  const time = clock((by) => {
    step += by;
    if (step >= last) stop();
    draw(step >= last ? null : step);
  });

  function show(playing) {
    button.textContent = playing ? "■ Stop" : "▶ Watch";
    button.setAttribute("aria-pressed", String(playing));
  }

  function stop() {
    time.stop();
    show(false);
  }

  function toggle() {
    if (time.ticking()) {
      stop();
      draw(null);
      return;
    }
    [step, last] = [1, steps()];
    draw(step);
    show(true);
    time.start(Math.min(EACH, LONGEST / last));
  }

  signal.addEventListener("abort", stop);
  show(false);
  button.stop = stop;
  return button;
}

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200];
const ICONS = {
  first: "M4 3h2v10H4zM13 3v10L7 8z",
  back: "M11 3v10L5 8z",
  on: "M5 3v10l6-5z",
  last: "M10 3h2v10h-2zM3 3v10l6-5z",
};

/**
 * Return what moves through the frames of something: play, steps, a place and a speed (frames a second). `words(frame)`
 * says where a frame is; draw(frame) shows it; onRest() is called when it stands still. The element has toggle(),
 * step(by), go(frame), `frame`, `speed` and start().
 *
 * @param {{frames: number, frame: number, speed?: number, words: (frame: number) => string,
 *   draw: (frame: number) => void, onRest?: () => void, signal: AbortSignal}} options
 */
export function player({ frames, frame, speed = 20, words, draw, onRest = () => {}, signal }) {
  const last = frames - 1;
  let now = Math.min(last, Math.max(0, frame));
  const play = h("button", { type: "button", class: "button primary play", onclick: () => toggle() });
  const place = h("input", {
    type: "range",
    min: 0,
    max: last,
    class: "grow",
    "aria-label": "Frame",
    oninput: () => (rest(), go(Number(place.value))),
    onchange: () => onRest(),
  });
  const said = h("output", { class: "moment" });
  const pace = h(
    "select",
    { "aria-label": "Speed", onchange: () => (time.ticking() ? start() : onRest()) },
    SPEEDS.map((one) => h("option", { value: one, selected: one === speed }, `${one} a second`)),
  );
  const time = clock((by) => {
    go(now + by);
    if (now >= last) rest();
  });
  const button = (icon, label, run) =>
    h(
      "button",
      { type: "button", class: "button small", "aria-label": label, title: label, onclick: run },
      svg(
        "svg",
        { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
        svg("path", { d: ICONS[icon], fill: "currentColor" }),
      ),
    );
  const box = h(
    "div",
    { class: "player toolbar", role: "group", "aria-label": "Watch" },
    play,
    button("first", "To the first iteration", () => step(-frames)),
    button("back", "Back one", () => step(-1)),
    button("on", "On one", () => step(1)),
    button("last", "To the last iteration", () => step(frames)),
    place,
    said,
    pace,
  );

  function go(next) {
    now = Math.min(last, Math.max(0, next));
    place.value = String(now);
    said.textContent = words(now);
    place.setAttribute("aria-valuetext", words(now));
    draw(now);
  }

  function show() {
    play.textContent = time.ticking() ? "■ Pause" : "▶ Play";
  }

  function rest() {
    if (!time.ticking()) return;
    time.stop();
    show();
    onRest();
  }

  function start() {
    if (now >= last) go(0);
    time.start(1000 / Number(pace.value));
    show();
  }

  const toggle = () => (time.ticking() ? rest() : start());
  function step(by) {
    rest();
    go(now + by);
    onRest();
  }

  signal.addEventListener("abort", () => time.stop());
  show();
  go(now);
  return Object.assign(box, { toggle, step, start, frame: () => now, speed: () => Number(pace.value) });
}
