// Controls of the small labs: sliders, buttons of which one is pressed, numbers at the top, and what runs iterations.

import { clear, h, newId } from "../../page/js/base/dom.js";
import { CALM, isCalm } from "./calm.js";

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const BUDGET = 200; // iterations in a frame at most

/** Return a slider with its label and the number that it stands at. */
export function slider(label, name, { min = 0, max = 1, step = 0.01, value, set }) {
  const id = newId("lab");
  const shown = h("output", { for: id });
  const input = h("input", { type: "range", id, min, max, step, value, oninput: () => set(Number(input.value)) });
  const box = h("div", { class: `slide ${name}` }, h("label", { for: id }, label), input, shown);
  const show = (number, text) => {
    input.value = String(number);
    input.setAttribute("aria-valuetext", text);
    shown.textContent = text;
  };
  return { box, show };
}

/** Return buttons of which one is pressed. */
export function choice(label, options, set) {
  const buttons = Object.entries(options).map(([value, text]) =>
    h("button", { type: "button", "data-value": value, onclick: () => set(value) }, text),
  );
  const box = h("div", { class: "choices", role: "group", "aria-label": label }, buttons);
  const show = (value, texts) => {
    buttons.forEach((button, i) => {
      if (texts) button.textContent = texts[i];
      button.setAttribute("aria-pressed", String(button.dataset.value === value));
    });
  };
  return { box, show };
}

/**
 * Return the numbers at the top: `show` is given a title, a number and a note for each name.
 *
 * @param {string} label
 * @param {Record<string, string>} names with the classes of each number
 */
export function scoreboard(label, names) {
  const cells = Object.entries(names).map(([name, style]) => {
    const [title, value, note] = [h("span", { class: "what" }), h("b", { "data-number": name }), h("small")];
    return { name, title, value, note, box: h("div", { class: `figure ${style}` }, title, value, note) };
  });
  const box = h(
    "section",
    { class: "scores", "aria-label": label },
    cells.map((cell) => cell.box),
  );
  const show = (numbers) => {
    for (const { name, title, value, note } of cells) {
      const [heading, text, more] = numbers[name];
      clear(title, heading);
      clear(value, text);
      clear(note, more);
    }
  };
  return { box, show };
}

/**
 * Return what runs iterations: the button that plays and pauses, and the speed.
 *
 * @param {{advance: (count: number) => boolean, changed: () => void}} events
 *   advance runs so many and says whether there can be more; changed is called when play has begun or ended
 */
export function runner({ advance, changed }) {
  let [frame, owed, before] = [0, 0, 0];
  const button = h("button", { type: "button", class: "play", onclick: () => (frame ? pause() : begin()) });
  const text = h("span", { class: "speed-text" });
  const speed = h("input", {
    type: "range",
    min: 0,
    max: SPEEDS.length - 1,
    "aria-label": "how many a second",
    oninput: show,
  });
  speed.value = "4";
  const rate = () => SPEEDS[Number(speed.value)];

  function show() {
    clear(button, frame ? "Pause" : "Play");
    button.setAttribute("aria-pressed", String(frame !== 0));
    clear(text, `${rate().toLocaleString("en-US")} a second`);
    speed.setAttribute("aria-valuetext", `${rate()} a second`);
  }

  function tick(now) {
    if (!button.isConnected) return pause(); // the reader has left the lab
    frame = requestAnimationFrame(tick);
    if (isCalm() && now - before < CALM) return;
    // A frame may be dated before the click that has begun it.
    owed = Math.min(owed + (Math.max(0, now - before) * rate()) / 1000, BUDGET);
    before = now;
    const due = Math.floor(owed);
    owed -= due;
    if (due && !advance(due)) pause();
  }

  function begin() {
    [owed, before] = [1, performance.now()];
    frame = requestAnimationFrame(tick);
    show();
    changed();
  }

  function pause() {
    if (!frame) return;
    cancelAnimationFrame(frame);
    frame = 0;
    show();
    changed();
  }

  show();
  return { button, speed: h("label", { class: "speed" }, speed, text), pause, isRunning: () => frame !== 0 };
}

/**
 * Return what does work in the time between frames, so that the page stays awake: `add` asks for so much more, `stop`
 * drops what is still to be done, and `left` tells how much that is. Nothing is done once the reader has left the lab.
 *
 * @param {(count: number) => number} work does some of so much, and returns how much
 * @param {() => boolean} isShown whether the lab is still in the page
 */
export function slices(work, isShown) {
  let left = 0;
  let frame = 0;

  function goOn() {
    frame = 0;
    if (!isShown()) return stop();
    const done = work(left);
    if (done === 0) return stop(); // no more can be done
    left -= done;
    if (left > 0) frame = requestAnimationFrame(goOn);
  }

  function add(count) {
    left += count;
    if (!frame) goOn();
  }

  function stop() {
    cancelAnimationFrame(frame);
    frame = 0;
    left = 0;
  }
  return { add, stop, left: () => left };
}

/** Return a panel with its heading, and what stands beside that. */
export const panel = (title, beside, ...children) =>
  h("section", { class: "panel" }, h("header", {}, h("h3", {}, title), beside), children);
