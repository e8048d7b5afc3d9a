// The lab of one bet: a point to drag in the plane of its two decisions, and CFR that starts from there.

import { clear, h, svg } from "../../serve/static/js/dom.js";
import { mount } from "./mount.js";
import { equilibrium, judged, payoffsOf, strategiesOf } from "./one-bet-game.js";
import { clamped, layout, marks, paint, paletteOf, rangeOf, scale, SURFACES } from "./one-bet-plane.js";
import { drawChart } from "./regret-chart.js";
import { choice, slider } from "./regret-controls.js";
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
  const state = { S: 1, bluff: 0.7, call: 0.8, surface: "value", pushes: true, algorithm: "at once", speed: 20 };
  Object.assign(state, { played: [], averages: [], curve: [], players: null, timer: 0, owed: 0 });

  const point = h("div", { class: "point", tabindex: 0, role: "slider", "aria-label": "The point: bluff and call" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const overlay = svg("svg", { "aria-hidden": "true" });
  const plane = h("div", { class: "plane" }, canvas, overlay, point);
  const legend = h("div", { class: "legend" });
  const gauge = svg("svg", { class: "gauge", role: "img" });
  const numbers = h("dl", { class: "numbers" });
  const chart = svg("svg", { class: "chart", role: "img" });
  const said = h("p", { class: "said" });

  const S = slider("Blinds S", "blinds", {
    min: 0.25,
    max: 5,
    step: 0.25,
    value: state.S,
    set: (value) => move({ S: value }),
  });
  const bluff = slider("Bluff with the J", "player-0", { value: state.bluff, set: (value) => move({ bluff: value }) });
  const call = slider("Call with the Q", "player-1", { value: state.call, set: (value) => move({ call: value }) });
  const speed = slider("Iterations a second", "speed", {
    min: 0,
    max: 3,
    step: 0.1,
    value: Math.log10(state.speed),
    set: setSpeed,
  });
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
  const play = h(
    "button",
    { type: "button", class: "main", onclick: () => (state.timer ? pause() : run()) },
    "Run CFR from here",
  );
  const once = h("button", { type: "button", onclick: () => (pause(), advance(1), draw()) }, "One iteration");
  const reset = h("button", { type: "button", onclick: () => (forget(), draw()) }, "Reset");
  const pushes = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => ((state.pushes = pushes.checked), draw()),
  });

  clear(
    box,
    h(
      "div",
      { class: "bar top" },
      h("span", { class: "said" }, "Colour"),
      surface.box,
      h("label", { class: "check" }, pushes, "arrows"),
    ),
    h(
      "div",
      { class: "columns" },
      h("div", { class: "picture" }, plane, legend),
      h("div", { class: "panel" }, S.box, bluff.box, call.box, gauge, numbers),
    ),
    h(
      "div",
      { class: "columns run" },
      h(
        "div",
        { class: "panel" },
        h("div", { class: "bar" }, play, once, reset),
        h("div", { class: "bar" }, algorithm.box),
        speed.box,
      ),
      h("div", { class: "panel" }, said, chart),
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
    pause();
    Object.assign(state, { players: null, played: [], averages: [], curve: [] });
  }

  function setSpeed(value) {
    state.speed = Math.round(10 ** value);
    drawRun();
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
    if (state.players[0].rounds >= LAST) pause();
  }

  function run() {
    if (state.players?.[0].rounds >= LAST) forget();
    let last = performance.now();
    state.owed = 1;
    const tick = (now) => {
      state.owed = Math.min(state.owed + ((now - last) * state.speed) / 1000, 200);
      last = now;
      const due = Math.floor(state.owed);
      state.owed -= due;
      state.timer = requestAnimationFrame(tick);
      if (due) advance(due);
      if (due) draw();
    };
    state.timer = requestAnimationFrame(tick);
    drawRun();
  }

  function pause() {
    cancelAnimationFrame(state.timer);
    state.timer = 0;
    drawRun();
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
    drawRun();
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
      h("span", { class: "note" }, `a line every ${Number(step.toPrecision(3))}`),
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
    const row = (name, label, value, note = "") => [
      h("dt", { class: name }, label),
      h("dd", { "data-number": label }, value, h("small", {}, note)),
    ];
    const more = (gain, more, less) => (gain < 1e-9 ? "nothing to gain" : more ? less[1] : less[0]);
    clear(
      numbers,
      row("", "Player 0 wins", signed(now.value, fixed)),
      row(
        "player-0",
        "Player 0 could gain",
        fixed(now.gains[0]),
        more(now.gains[0], state.call < best.call, ["never bluff", "always bluff"]),
      ),
      row(
        "player-1",
        "Player 1 could gain",
        fixed(now.gains[1]),
        more(now.gains[1], state.bluff > 1 / (2 * state.S + 1), ["never call", "always call"]),
      ),
      row("", "Exploitability", small(now.exploitability), "mean of both"),
      row(
        "equilibrium",
        "Equilibrium",
        `${fraction(best.bluff)}, ${fraction(best.call)}`,
        `value ${fraction(best.value)}`,
      ),
    );
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
      wedge("player-0", x(floor), -1),
      wedge("player-1", x(ceiling), 1),
      svg("circle", { class: "mark", cx: x(value), cy: 30, r: 4.5 }),
      svg("text", { class: "player-0", x: 10, y: 12 }, `player 0 secures ${signed(floor, fixed)}`),
      svg(
        "text",
        { class: "player-1", x: width - 10, y: 56, "text-anchor": "end" },
        `player 1 concedes ${signed(ceiling, fixed)}`,
      ),
    );
  }

  function drawRun() {
    const rounds = state.players?.[0].rounds ?? 0;
    play.textContent = state.timer ? "Pause" : rounds ? "Run on" : "Run CFR from here";
    reset.disabled = !rounds;
    speed.show(Math.log10(state.speed), String(state.speed));
    const [p, c] = state.players?.map((player) => averageOf(player)[1]) ?? [];
    clear(
      said,
      rounds
        ? [
            `After ${rounds.toLocaleString("en-US")} iterations the average is ${fixed(p)}, ${fixed(c)}; its exploitability is `,
            h("b", { "data-number": "average" }, small(judged(state.S, p, c).exploitability)),
            ".",
          ]
        : "The square is what CFR plays, the diamond is its average; the star is the equilibrium.",
    );
    chart.toggleAttribute("hidden", !rounds);
    if (rounds)
      drawChart(chart, {
        lines: [{ points: state.curve, kind: "average" }],
        log: true,
        title: "Exploitability of the average over iterations",
      });
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
