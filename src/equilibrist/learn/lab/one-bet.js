// The lab of one bet: a point to drag in the plane of its two decisions, and CFR that starts from there.

import { clear, h, svg } from "../../page/js/base/dom.js";
import { mount } from "./mount.js";
import { equilibrium, indifference, judged, payoffsOf, strategiesOf } from "./one-bet-game.js";
import { clamped, layout, marks, paint, paletteOf, rangeOf, scale, SURFACES } from "./one-bet-plane.js";
import { drawChart } from "./regret-chart.js";
import { choice, panel, runner, scoreboard, slider } from "./regret-controls.js";
import { fixed, fraction, signed, small } from "./regret-numbers.js";
import { averageOf, iterate, newLearner } from "./regret-rule.js";

const ALGORITHMS = {
  "at once": { label: "CFR at once", options: {} },
  "in turn": { label: "in turn", options: { inTurn: true } },
  "cfr+": { label: "CFR+", options: { inTurn: true, plus: true } },
};
const LAST = 20_000;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function make(box) {
  const state = { S: 1, bluff: 0.7, call: 0.8, surface: "value", pushes: true, algorithm: "at once" };
  Object.assign(state, { played: [], averages: [], curve: [], players: null });

  const point = h("div", { class: "point", tabindex: 0, role: "slider", "aria-label": "The point: bluff and call" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const overlay = svg("svg", { "aria-hidden": "true" });
  const plane = h("div", { class: "plane" }, canvas, overlay, point);
  const legend = h("div", { class: "scale" });
  const gauge = svg("svg", { class: "gauge", role: "img" });
  const chart = svg("svg", { class: "course", role: "img" });
  const equilibria = h("p", { class: "note" });
  const caption = h("p", { class: "note" });
  const count = h("span", { class: "count" });
  const scores = scoreboard("How good the point is", {
    value: "value",
    gain0: "of-0",
    gain1: "of-1",
    exploitability: "",
    average: "",
  });
  const running = runner({ advance: (number) => advance(number), changed: () => state.players && draw() });

  const S = slider("blinds S, in chips", "blinds", {
    min: 0.25,
    max: 5,
    step: 0.25,
    value: state.S,
    set: (value) => move({ S: value }),
  });
  const bluff = slider("bluff with the jack", "of-0", { value: state.bluff, set: (value) => move({ bluff: value }) });
  const call = slider("call with the queen", "of-1", { value: state.call, set: (value) => move({ call: value }) });
  const surface = choice(
    "What colour shows",
    Object.fromEntries(Object.entries(SURFACES).map(([name, { label }]) => [name, label])),
    (value) => {
      state.surface = value;
      draw(true);
    },
  );
  const algorithm = choice(
    "Algorithm",
    Object.fromEntries(Object.entries(ALGORITHMS).map(([name, { label }]) => [name, label])),
    (value) => {
      state.algorithm = value;
      forget();
      draw();
    },
  );
  const once = h(
    "button",
    { type: "button", class: "main", onclick: () => (running.pause(), advance(1)) },
    "One iteration",
  );
  const reset = h("button", { type: "button", onclick: () => (forget(), draw()) }, "Reset");
  const pushes = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => ((state.pushes = pushes.checked), draw()),
  });

  box.append(
    h(
      "div",
      { class: "lab-body" },
      scores.box,
      h(
        "section",
        { class: "lab-runs", "aria-label": "CFR, which begins at the point" },
        h("div", {}, algorithm.box),
        h("div", {}, once, running.button, running.speed, reset, count),
      ),
      h(
        "div",
        { class: "two plane-and-panels" },
        panel("The square", surface.box, plane, legend),
        h(
          "div",
          { class: "stack" },
          panel("Decisions", null, bluff.box, call.box, S.box, equilibria),
          panel("Security levels", null, gauge),
          panel("The average", null, caption, chart),
        ),
      ),
    ),
  );

  /** Move the point or change the blinds: a run that has begun elsewhere ends. */
  function move(change) {
    forget();
    const blinds = change.S && change.S !== state.S;
    Object.assign(state, change);
    draw(blinds);
  }

  function forget() {
    running.pause();
    Object.assign(state, { players: null, played: [], averages: [], curve: [] });
  }

  /** Play so many iterations: the first from the point. */
  function advance(count) {
    const payoffs = payoffsOf(state.S);
    if (!state.players) {
      const starts = strategiesOf(state.bluff, state.call);
      state.players = starts.map((strategy) => newLearner(2, strategy));
      state.played.push([state.bluff, state.call]);
    }
    for (let i = 0; i < count && state.players[0].rounds < LAST; i++) {
      state.players = iterate(state.players, payoffs, ALGORITHMS[state.algorithm].options);
      state.played.push(state.players.map(({ strategy }) => strategy[1]));
      if (state.played.length > 2000) state.played.splice(0, 1000);
      const mean = state.players.map((player) => averageOf(player)[1]);
      const [p, c] = state.averages.at(-1) ?? [-1, -1];
      if (Math.hypot(mean[0] - p, mean[1] - c) > 0.002) state.averages.push(mean);
      const { rounds } = state.players[0];
      if (rounds > 1.03 * (state.curve.at(-1)?.[0] ?? 0))
        state.curve.push([rounds, judged(state.S, mean[0], mean[1]).exploitability]);
    }
    draw();
    return state.players[0].rounds < LAST;
  }

  // The point, by mouse, finger and keys.
  const drag = (event) => {
    const frame = plane.getBoundingClientRect();
    move(layout(frame.width).at(event.clientX - frame.left, event.clientY - frame.top));
  };
  plane.addEventListener("pointerdown", (event) => {
    if (event.button || (event.target !== canvas && event.target !== point)) return;
    event.preventDefault();
    plane.setPointerCapture(event.pointerId);
    point.focus({ preventScroll: true });
    drag(event);
    plane.addEventListener("pointermove", drag);
  });
  for (const end of ["pointerup", "pointercancel"])
    plane.addEventListener(end, () => plane.removeEventListener("pointermove", drag));
  point.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const size = event.shiftKey ? 0.1 : 0.01;
    const moved = (value, by) => clamped(Math.round((value + by * size) * 1000) / 1000);
    move({ bluff: moved(state.bluff, step[0]), call: moved(state.call, step[1]) });
  });

  /** Draw everything; the surface only where it has changed. */
  function draw(repaint = false) {
    const width = plane.clientWidth;
    if (!width) return;
    const place = layout(width);
    plane.style.height = `${place.height}px`;
    const palette = paletteOf(box);
    const pixels = Math.round(place.side * Math.min(2, devicePixelRatio || 1));
    if (repaint || canvas.width !== pixels) {
      canvas.width = canvas.height = pixels;
      paint(canvas, state, palette);
      drawLegend(palette);
    }
    Object.assign(canvas.style, {
      left: `${place.left}px`,
      top: `${place.top}px`,
      width: `${place.side}px`,
      height: `${place.side}px`,
    });
    overlay.setAttribute("viewBox", `0 0 ${width} ${place.height}`);
    overlay.replaceChildren(...marks(place, state));
    Object.assign(point.style, { left: `${place.x(state.bluff)}px`, top: `${place.y(state.call)}px` });
    surface.show(state.surface);
    algorithm.show(state.algorithm);
    drawNumbers();
  }

  function drawLegend(palette) {
    const [least, most] = rangeOf(state.surface, state.S);
    const { colour, step, middle } = scale(state.surface, state.S, palette);
    const [first, last] = [least, most].map((value) => Math.round((value - middle) / step));
    const bands = Array.from({ length: last - first + 1 }, (_, i) => middle + (first + i) * step);
    clear(
      legend,
      h("span", {}, fixed(least)),
      h(
        "span",
        { class: "ramp" },
        bands.map((value) => h("i", { css: { background: `rgb(${colour(value).map(Math.round).join()})` } })),
      ),
      h("span", {}, fixed(most)),
      h("span", {}, `a line every ${Number(step.toPrecision(3))}`),
      h("label", { class: "check" }, pushes, "small arrows"),
    );
  }

  function drawNumbers() {
    const best = equilibrium(state.S);
    const now = judged(state.S, state.bluff, state.call);
    S.show(state.S, fraction(state.S));
    bluff.show(state.bluff, fixed(state.bluff, 2));
    call.show(state.call, fixed(state.call, 2));
    point.setAttribute("aria-valuenow", fixed(state.bluff, 2));
    point.setAttribute(
      "aria-valuetext",
      `bluff ${fixed(state.bluff, 2)}, call ${fixed(state.call, 2)}, exploitability ${small(now.exploitability)}`,
    );
    const advice = (gain, change) => (gain < 1e-9 ? "nothing to gain" : change);
    const rounds = state.players?.[0].rounds ?? 0;
    const [p, c] = state.players?.map((player) => averageOf(player)[1]) ?? [];
    const average = rounds ? judged(state.S, p, c).exploitability : 0;
    const { bluff: even } = indifference(state.S);
    scores.show({
      value: ["player 0 wins", signed(now.value, fixed), "chips per hand"],
      gain0: [
        "player 0 could gain",
        fixed(now.gains[0]),
        advice(now.gains[0], state.call < best.call ? "always bluffing" : "never bluffing"),
      ],
      gain1: [
        "player 1 could gain",
        fixed(now.gains[1]),
        advice(now.gains[1], state.bluff > even ? "always calling" : "never calling"),
      ],
      exploitability: ["exploitability", small(now.exploitability), "the mean of both gains"],
      average: [
        "exploitability of the average",
        rounds ? small(average) : "–",
        rounds ? `after ${rounds.toLocaleString("en-US")} iterations` : "no iteration yet",
      ],
    });
    clear(
      equilibria,
      "equilibrium: bluff ",
      h("b", {}, fraction(best.bluff)),
      ", call ",
      h("b", {}, fraction(best.call)),
      ", value ",
      h("b", {}, fraction(best.value)),
    );
    clear(count, "t = ", h("b", {}, rounds.toLocaleString("en-US")));
    clear(
      caption,
      rounds
        ? `bluff ${fixed(p)}, call ${fixed(c)}; its exploitability over iterations:`
        : "CFR plays the point first and learns from there. The square is what it plays, the diamond its average, the star the equilibrium.",
    );
    reset.disabled = !rounds;
    chart.toggleAttribute("hidden", !rounds);
    if (rounds)
      drawChart(chart, {
        lines: [{ points: state.curve, kind: "" }],
        log: true,
        title: "Exploitability of the average over iterations",
      });
    drawGauge(now, best.value);
  }

  /** Draw both security levels on one line: what lies between them is what both players could gain. */
  function drawGauge({ value, floor, ceiling }, best) {
    const width = gauge.clientWidth || 300;
    const [least, most] = rangeOf("value", state.S);
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

  new ResizeObserver(() => draw()).observe(plane);
  new MutationObserver(() => draw(true)).observe(document.body, {
    attributes: true,
    attributeFilter: ["data-md-color-scheme", "class", "style"],
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(true));
  draw(true);
}

mount("one-bet", make);
