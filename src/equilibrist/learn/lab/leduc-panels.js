// The numbers at the top of the Leduc lab, what runs it, and its curves.
import { clear, h, svg } from "../../page/js/base/dom.js";
import { iterationsInWords } from "./fraction.js";
import { evaluate } from "./leduc-judge.js";
import { ALGORITHMS } from "./leduc-store.js";
import { drawChart } from "./regret-chart.js";
import { choice, panel, runner, scoreboard, slices } from "./regret-controls.js";
import { fixed, small } from "./regret-numbers.js";

/** @typedef {import("./leduc-store.js").LeducStore} LeducStore */

const FRAME = 14; // ms of iterations in a frame
const wholeNumber = (value) => value.toLocaleString("en-US");
const KINDS = { cfr: "first", "cfr+": "second", sampled: "third" };

/**
 * Return the certificate: how good the average is.
 *
 * @param {LeducStore} store
 */
export function scorePanel(store) {
  const scores = scoreboard("How good the average strategy is", {
    value: "value",
    best0: "of-0",
    best1: "of-1",
    exploitability: "",
    current: "",
  });

  function show() {
    const { cfr } = store.state;
    const { value, best, gains, exploitability } = evaluate(store.average());
    const current = evaluate(cfr.strategy).exploitability;
    const iterations = `after ${iterationsInWords(cfr.t)}`;
    scores.show({
      value: ["value to player 0", fixed(value, 4), "chips per game, of the average"],
      best0: ["best response of player 0", fixed(best[0], 4), `gains ${small(gains[0])}`],
      best1: ["best response of player 1", fixed(best[1], 4), `gains ${small(gains[1])}`],
      exploitability: ["exploitability of the average", small(exploitability), iterations],
      current: ["of the current strategy", small(current), "what the next iteration plays"],
    });
  }
  return { element: scores.box, show };
}

/**
 * Return what runs iterations.
 *
 * @param {LeducStore} store
 */
export function runBar(store) {
  const algorithm = choice("Algorithm", ALGORITHMS, (name) => {
    stop();
    store.choose(name);
  });
  const runSome = (count) => store.run(count, performance.now() + FRAME);
  const running = runner({ advance: (count) => runSome(count) > 0, changed: () => show() });
  const ahead = slices(runSome, () => element.isConnected);
  const button = (text, count) => h("button", { type: "button", onclick: () => ahead.add(count) }, text);
  const reset = h("button", { type: "button", onclick: () => restart() }, "Reset");
  const count = h("span", { class: "count" });
  const element = h(
    "section",
    { class: "lab-runs", "aria-label": "Run" },
    h("div", {}, algorithm.box),
    h("div", {}, running.button, running.speed),
    h("div", {}, button("One iteration", 1), button("100", 100), reset),
    h("div", {}, count),
  );

  function stop() {
    running.pause();
    ahead.stop();
  }

  function restart() {
    stop();
    store.reset();
  }

  function show() {
    const { t, visits } = store.state.cfr;
    algorithm.show(store.state.algorithm);
    const [number, noun] = iterationsInWords(t).split(" ");
    clear(count, h("b", {}, number), ` ${noun}, `, h("b", {}, wholeNumber(visits)), " histories visited");
  }
  return { element, show, pause: running.pause };
}

/**
 * Return the curves of all algorithms that have run.
 *
 * @param {LeducStore} store
 */
export function curvePanel(store) {
  const picture = /** @type {any} */ (svg("svg", { class: "course", role: "img" }));
  const legend = h(
    "p",
    { class: "legend" },
    Object.entries(ALGORITHMS).map(([name, text]) => [h("i", { class: `line ${KINDS[name]}` }), text]),
    ". Across: histories visited. A full iteration visits 3,870, a sampled one some 60.",
  );

  function show() {
    const { curves } = store.state;
    const lines = Object.entries(curves).map(([name, points]) => ({ kind: KINDS[name], points }));
    drawChart(picture, { lines, log: true, title: "Exploitability of the average by histories visited" });
  }
  return { element: panel("Exploitability of the average", null, picture, legend), show };
}
