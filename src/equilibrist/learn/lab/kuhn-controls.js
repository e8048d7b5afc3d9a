// What runs iterations: algorithm, order of updates, deals, step, play and pause.
import { clear, h } from "../../page/js/base/dom.js";
import { CALM, isCalm } from "./calm.js";
import { exact, parse } from "./fraction.js";
import { DEALS } from "./kuhn-game.js";
import { ALGORITHMS } from "./update-rules.js";

const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const BUDGET = 12; // milliseconds of iterations in a frame

/**
 * Return the bar that runs iterations.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 * @param {{announce: () => void, stepped: () => void}} heard what is called after a step, and when play has begun or ended
 */
export function controls(store, { announce, stepped }) {
  let playing = false;
  let owed = 0;
  let before = 0;

  const choice = (label, names, value, change) => {
    const select = h(
      "select",
      { onchange: () => change(select.value) },
      names.map(([name, text]) => h("option", { value: name }, text)),
    );
    select.value = value;
    return { select, element: h("label", { class: "choice" }, h("span", {}, label), select) };
  };
  const algorithm = choice(
    "algorithm",
    Object.keys(ALGORITHMS).map((name) => [name, name]),
    store.settings.algorithm,
    (name) => store.configure({ algorithm: name }),
  );
  const order = choice(
    "players update",
    [
      ["turn", "in turn"],
      ["once", "at once"],
    ],
    "turn",
    (name) => store.configure({ alternating: name === "turn" }),
  );
  const walk = choice(
    "an iteration walks",
    [["full", "all six deals"], ["random", "a drawn deal"], ...DEALS.map((deal) => [deal, `${deal[0]} – ${deal[1]}`])],
    store.settings.walk,
    (name) => store.configure({ walk: name }),
  );

  const count = h("span", { class: "count" });
  const step = h("button", { type: "button", class: "main", onclick: () => stepBy(1) }, "One iteration");
  const ten = h("button", { type: "button", onclick: () => stepBy(10) }, "Ten");
  const play = h("button", {
    type: "button",
    class: "play",
    "aria-pressed": "false",
    onclick: () => (playing ? pause() : begin()),
  });
  const reset = h("button", { type: "button", onclick: () => (pause(), store.reset(), announce()) }, "Reset");
  const speed = h("input", {
    type: "range",
    min: "0",
    max: String(SPEEDS.length - 1),
    step: "1",
    "aria-label": "iterations a second",
    oninput: () => showSpeed(),
  });
  speed.value = "3";
  const speedText = h("span", { class: "speed-text" });

  const alphaText = h("input", {
    type: "text",
    class: "number",
    autocomplete: "off",
    "aria-label": "α, from 0 to 1/3",
    onchange: () => toEquilibrium(parse(alphaText.value)),
  });
  const alpha = h("input", {
    type: "range",
    min: "0",
    max: String(1 / 3),
    step: "any",
    "aria-label": "α, the bluffing frequency of the equilibrium",
    oninput: () => toEquilibrium(Number(alpha.value) > 0.33 ? 1 / 3 : Math.round(Number(alpha.value) * 60) / 60),
  });
  alpha.value = "0.2";
  alphaText.value = "1/5";

  function toEquilibrium(value) {
    if (!(value >= 0 && value <= 1 / 3 + 1e-9)) value = Number(alpha.value);
    alpha.value = String(value);
    alpha.setAttribute("aria-valuetext", exact(value));
    alphaText.value = exact(value);
    store.play("e", Math.min(value, 1 / 3));
    announce();
  }

  function stepBy(number) {
    pause();
    store.run(number);
    stepped();
    announce();
  }

  function begin() {
    playing = true;
    owed = 1;
    before = performance.now();
    requestAnimationFrame(frame);
    show();
  }

  function pause() {
    if (!playing) return;
    playing = false;
    stepped();
    show();
    announce();
  }

  function frame(now) {
    if (!playing) return;
    if (!play.isConnected) return pause(); // the reader has left the lab
    requestAnimationFrame(frame);
    if (isCalm() && now - before < CALM) return;
    owed = Math.min(owed + ((now - before) / 1000) * SPEEDS[Number(speed.value)], SPEEDS[Number(speed.value)]);
    before = now;
    if (owed < 1) return;
    owed -= store.run(Math.floor(owed), performance.now() + (isCalm() ? CALM / 2 : BUDGET));
  }

  function showSpeed() {
    const number = SPEEDS[Number(speed.value)];
    clear(speedText, `${number.toLocaleString("en-US")} a second`);
    speed.setAttribute("aria-valuetext", `${number} iterations a second`);
  }

  function show() {
    clear(play, playing ? "Pause" : "Play");
    play.setAttribute("aria-pressed", String(playing));
    clear(count, "t = ", h("b", {}, store.state.t.toLocaleString("en-US")));
    algorithm.select.value = store.settings.algorithm;
    order.select.value = store.settings.alternating ? "turn" : "once";
    walk.select.value = store.settings.walk;
  }

  showSpeed();
  show();
  const element = h(
    "section",
    { class: "lab-runs", "aria-label": "Iterations" },
    h("div", { class: "settings" }, algorithm.element, order.element, walk.element),
    h("div", { class: "buttons" }, step, ten, play, h("label", { class: "speed" }, speed, speedText), reset, count),
    h(
      "div",
      { class: "starts" },
      h("span", { class: "to" }, "set the sliders to"),
      h("button", { type: "button", onclick: () => (store.play("u"), announce()) }, "uniform"),
      h("button", { type: "button", onclick: () => toEquilibrium(Number(alpha.value)) }, "equilibrium"),
      h("label", { class: "alpha" }, h("span", {}, "α"), alpha),
      alphaText,
    ),
  );
  return { element, show, pause, isPlaying: () => playing };
}
