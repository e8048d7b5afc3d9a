// The panels beside the square of the lab of one bet: numbers, decisions, security levels, the average, and the run.

import { clear, h, svg } from "../../page/js/base/dom.js";
import { equilibrium, indifference, judged } from "./one-bet-game.js";
import { rangeOf } from "./one-bet-plane.js";
import { ALGORITHMS } from "./one-bet-store.js";
import { drawChart } from "./regret-chart.js";
import { choice, panel, runner, scoreboard, slider } from "./regret-controls.js";
import { fixed, fraction, signed, small } from "./regret-numbers.js";

/** @typedef {import("./one-bet-store.js").OneBetStore} OneBetStore */

const wholeNumber = (value) => value.toLocaleString("en-US");

/** Return what a player should change, in words; nothing where its gain is rounding. */
function adviceFor(gain, change) {
  if (gain < 1e-9) return "nothing to gain";
  return change;
}

/** Return what is said of the average of a run: title, number and note. */
function averageScore(store) {
  const title = "exploitability of the average";
  const average = store.average();
  const rounds = store.rounds();
  if (!average || !rounds) return [title, "–", "no iteration yet"];
  const { exploitability } = judged(store.state.S, average[0], average[1]);
  return [title, small(exploitability), `after ${wholeNumber(rounds)} iterations`];
}

/**
 * Return the numbers at the top: how good the point is.
 *
 * @param {OneBetStore} store
 */
export function scorePanel(store) {
  const scores = scoreboard("How good the point is", {
    value: "value",
    gain0: "of-0",
    gain1: "of-1",
    exploitability: "",
    average: "",
  });

  function show() {
    const { S, bluff, call } = store.state;
    const { value, gains, exploitability } = judged(S, bluff, call);
    const { bluff: evenBluff } = indifference(S);
    const bluffs = call < equilibrium(S).call ? "always bluffing" : "never bluffing";
    const calls = bluff > evenBluff ? "always calling" : "never calling";
    scores.show({
      value: ["player 0 wins", signed(value, fixed), "chips per hand"],
      gain0: ["player 0 could gain", fixed(gains[0]), adviceFor(gains[0], bluffs)],
      gain1: ["player 1 could gain", fixed(gains[1]), adviceFor(gains[1], calls)],
      exploitability: ["exploitability", small(exploitability), "the mean of both gains"],
      average: averageScore(store),
    });
  }

  return { element: scores.box, show };
}

/**
 * Return the panel of the decisions and the blinds, each with a slider.
 *
 * @param {OneBetStore} store
 * @param {{move: (change: {S?: number, bluff?: number, call?: number}) => void}} events
 */
export function decisionPanel(store, { move }) {
  const { state } = store;
  const blinds = slider("blinds S, in chips", "blinds", {
    min: 0.25,
    max: 5,
    step: 0.25,
    value: state.S,
    set: (value) => move({ S: value }),
  });
  const bluff = slider("bluff with the jack", "of-0", {
    value: state.bluff,
    set: (value) => move({ bluff: value }),
  });
  const call = slider("call with the queen", "of-1", {
    value: state.call,
    set: (value) => move({ call: value }),
  });
  const equilibria = h("p", { class: "note" });

  function show() {
    const best = equilibrium(state.S);
    blinds.show(state.S, fraction(state.S));
    bluff.show(state.bluff, fixed(state.bluff, 2));
    call.show(state.call, fixed(state.call, 2));
    clear(
      equilibria,
      "equilibrium: bluff ",
      h("b", {}, fraction(best.bluff)),
      ", call ",
      h("b", {}, fraction(best.call)),
      ", value ",
      h("b", {}, fraction(best.value)),
    );
  }

  return { element: panel("Decisions", null, bluff.box, call.box, blinds.box, equilibria), show };
}

/**
 * Return the panel of both security levels on one line: what lies between them is what both players could gain.
 *
 * @param {OneBetStore} store
 */
export function securityPanel(store) {
  const gauge = svg("svg", { class: "gauge", role: "img" });

  function show() {
    const { S, bluff, call } = store.state;
    const { value, floor, ceiling } = judged(S, bluff, call);
    const { value: best } = equilibrium(S);
    const width = gauge.clientWidth || 300;
    const [least, most] = rangeOf("value", S);
    const x = (number) => 10 + ((width - 20) * (number - least)) / (most - least);
    const wedge = (name, at, side) =>
      svg("polygon", { class: name, points: `${at},30 ${at + side * 9},24 ${at + side * 9},36` });
    gauge.setAttribute("viewBox", `0 0 ${width} 60`);
    gauge.setAttribute(
      "aria-label",
      `Player 0 secures ${fixed(floor)}, player 1 concedes at most ${fixed(ceiling)}, the game is worth ${fixed(best)}`,
    );
    gauge.replaceChildren(
      svg("line", { class: "rail", x1: 10, x2: width - 10, y1: 30, y2: 30 }),
      svg("line", { class: "between", x1: x(floor), x2: x(ceiling), y1: 30, y2: 30 }),
      svg("line", { class: "worth", x1: x(best), x2: x(best), y1: 18, y2: 42 }),
      wedge("of-0", x(floor), -1),
      wedge("of-1", x(ceiling), 1),
      svg("circle", { class: "mark", cx: x(value), cy: 30, r: 4.5 }),
      svg("text", { class: "of-0", x: 10, y: 12 }, `player 0 secures ${signed(floor, fixed)}`),
      svg(
        "text",
        { class: "of-1", x: width - 10, y: 56, "text-anchor": "end" },
        `player 1 concedes ${signed(ceiling, fixed)}`,
      ),
    );
  }

  return { element: panel("Security levels", null, gauge), show };
}

/**
 * Return the panel of the average strategy, and of its exploitability over iterations.
 *
 * @param {OneBetStore} store
 */
export function averagePanel(store) {
  const chart = svg("svg", { class: "course", role: "img" });
  const caption = h("p", { class: "note" });

  function show() {
    const average = store.average();
    const begun = average && store.rounds() > 0;
    chart.toggleAttribute("hidden", !begun);
    if (!begun) {
      clear(
        caption,
        "CFR plays the point first and learns from there. The square is what it plays, the diamond its average, the star the equilibrium.",
      );
      return;
    }
    const [bluff, call] = average;
    clear(caption, `bluff ${fixed(bluff)}, call ${fixed(call)}; its exploitability over iterations:`);
    drawChart(chart, {
      lines: [{ points: store.state.curve, kind: "" }],
      log: true,
      title: "Exploitability of the average over iterations",
    });
  }

  return { element: panel("The average", null, caption, chart), show };
}

/**
 * Return the bar that runs iterations, with `pause()`.
 *
 * @param {OneBetStore} store
 * @param {{changed: () => void}} events changed is called when play has begun or ended
 */
export function runBar(store, { changed }) {
  const running = runner({ advance: store.advance, changed });
  /** Return a listener that does something while nothing runs. */
  const paused = (action) => () => {
    running.pause();
    action();
  };
  const labels = Object.entries(ALGORITHMS).map(([name, { label }]) => [name, label]);
  const algorithm = choice("Algorithm", Object.fromEntries(labels), (name) => {
    running.pause();
    store.useAlgorithm(name);
  });
  const once = h("button", { type: "button", class: "main", onclick: paused(() => store.advance(1)) }, "One iteration");
  const reset = h("button", { type: "button", onclick: paused(store.reset) }, "Reset");
  const count = h("span", { class: "count" });

  function show() {
    const rounds = store.rounds();
    algorithm.show(store.state.algorithm);
    clear(count, "t = ", h("b", {}, wholeNumber(rounds)));
    reset.disabled = !rounds;
  }

  const element = h(
    "section",
    { class: "lab-runs", "aria-label": "CFR, which begins at the point" },
    h("div", {}, algorithm.box),
    h("div", {}, once, running.button, running.speed, reset, count),
  );
  return { element, show, pause: running.pause };
}
