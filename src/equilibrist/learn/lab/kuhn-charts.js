// Three charts: exploitability over iterations, the average beside all equilibria, and an infoset over iterations.
import { clear, h, svg } from "../../page/js/base/dom.js";
import { decimal, exact } from "./fraction.js";
import { equilibrium, infosetOf } from "./kuhn-game.js";

const BOX = { width: 340, height: 220, left: 40, right: 12, top: 12, bottom: 34 };
const POWERS = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];

/** Return a power of ten as text: −3 → "10⁻³". */
const power = (exponent) =>
  exponent === 0
    ? "1"
    : exponent === 1
      ? "10"
      : `10${exponent < 0 ? "⁻" : ""}${POWERS[Math.abs(exponent)] ?? exponent}`;

const across = (share) => BOX.left + share * (BOX.width - BOX.left - BOX.right);
const up = (share) => BOX.height - BOX.bottom - share * (BOX.height - BOX.top - BOX.bottom);

const line = (x1, y1, x2, y2, name) => svg("line", { x1, y1, x2, y2, class: name });
const text = (x, y, words, anchor = "middle", name = "tick") =>
  svg("text", { x, y, "text-anchor": anchor, class: name }, words);

/** Return a path through points, of which there may be none. */
const path = (points, name) =>
  svg("path", {
    class: name,
    d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""),
  });

/** Return a frame with ticks, [share, text] each, below and at the left. */
const frame = (below, left, name) => [
  left.map(([share, words]) => [
    line(across(0), up(share), across(1), up(share), "grid"),
    text(across(0) - 6, up(share) + 4, words, "end"),
  ]),
  below.map(([share, words]) => [
    line(across(share), up(0), across(share), up(0) + 4, "axis"),
    text(across(share), up(0) + 17, words),
  ]),
  line(across(0), up(0), across(1), up(0), "axis"),
  text((across(0) + across(1)) / 2, BOX.height - 3, name, "middle", "axis-name"),
];

const figure = (title, label) => {
  const picture = svg("svg", { viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img" });
  const caption = h("p", { class: "legend" });
  const heading = h("h3", {}, title);
  const element = h(
    "section",
    { class: "panel plot", "aria-label": label },
    h("header", {}, heading),
    picture,
    caption,
  );
  return { element, picture, caption, heading };
};

/** Return the powers of ten at which a logarithmic axis has ticks, at most so many. */
function ticks(from, to, most) {
  const step = Math.ceil((to - from) / most);
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

/**
 * Exploitability of the average and of the current strategy, and at a trust in a model the gap of the average's bounds:
 * both scales logarithmic.
 */
function exploitabilityChart(store) {
  const { element, picture, caption } = figure("Exploitability", "Exploitability over iterations");
  function show() {
    const run = store.points.filter(({ t }) => t > 0);
    const far = Math.max(1, Math.ceil(Math.log10(Math.max(10, store.state.t))));
    const least = Math.min(
      ...run
        .map(({ average, current, gap }) => Math.min(average, current, gap ?? Infinity))
        .filter((one) => one > 1e-9),
      0.1,
    );
    const low = Math.max(-9, Math.floor(Math.log10(least)));
    const x = (t) => across(Math.log10(t) / far);
    const y = (value) => up(Math.max(0, (Math.log10(Math.max(value, 1e-12)) - low) / (0 - low)));
    const curve = (name) => run.map((point) => [x(point.t), y(point[name])]);
    const ends = run.length ? run.at(-1) : null;
    const trusted = Boolean(ends) && ends.gap !== null;
    const slope = (exponent) => {
      const from = Math.log10(0.5);
      const till = Math.min(far, (low - from) / exponent);
      return path(
        [
          [x(1), y(0.5)],
          [x(10 ** till), y(10 ** (from + exponent * till))],
        ],
        "slope",
      );
    };
    clear(
      picture,
      frame(
        ticks(0, far, 5).map((one) => [one / far, power(one)]),
        ticks(low, 0, 4).map((one) => [(one - low) / -low, power(one)]),
        "iterations",
      ),
      slope(-0.5),
      slope(-1),
      path(curve("current"), "current"),
      path(curve("average"), "mean"),
      trusted && path(curve("gap"), "gap"),
      ends && svg("circle", { class: "mean", cx: x(ends.t), cy: y(ends.average), r: 3.5 }),
    );
    const now = ends
      ? `the average ${decimal(ends.average, 3)}, the current strategy ${decimal(ends.current, 3)}${trusted ? `, the gap of the bounds ${decimal(ends.gap, 3)}` : ""}`
      : "no iteration yet";
    picture.setAttribute("aria-label", `Exploitability over iterations, both scales logarithmic: ${now}`);
    clear(
      caption,
      h("span", { class: "key mean" }, "average"),
      h("span", { class: "key current" }, "current"),
      trusted && h("span", { class: "key gap" }, "gap of the bounds"),
      h("span", { class: "key slope" }, "1/√t, 1/t"),
      h("span", {}, "chips per hand"),
    );
  }
  return { element, show };
}

const OF_ALPHA = ["J", "Qpb", "K"];
const FIXED = ["Q", "Jpb", "Kpb", "Jp", "Qb", "Qp", "Kp", "Jb", "Kb"];

/** Return the α at which the equilibrium is nearest to a strategy, over all infosets. */
export function nearestAlpha(strategy) {
  const fit = (strategy.J + (strategy.Qpb - 1 / 3) + 3 * strategy.K) / 11;
  return Math.min(1 / 3, Math.max(0, fit));
}

/** All equilibria, α across: the lines on which J, Qpb and K must be, and where the average has them. */
function familyChart(store) {
  const { element, picture, caption } = figure("All equilibria", "The average beside all equilibria");
  const x = (alpha) => across(alpha * 3 * 0.74);
  function show() {
    const mean = store.state.t ? store.average() : store.state.strategy;
    const alpha = nearestAlpha(mean);
    const trail = store.points.filter(({ t }) => t > 0).slice(-400);
    const lines = { J: [0, 1 / 3], Qpb: [1 / 3, 2 / 3], K: [0, 1] };
    clear(
      picture,
      frame(
        [
          [0, "0"],
          [0.74 / 2, "1/6"],
          [0.74, "1/3"],
        ],
        [
          [0, "0"],
          [1 / 3, "1/3"],
          [2 / 3, "2/3"],
          [1, "1"],
        ],
        "α, the bluffing frequency",
      ),
      OF_ALPHA.map((key) => [
        path(
          [
            [x(0), up(lines[key][0])],
            [x(1 / 3), up(lines[key][1])],
          ],
          "family",
        ),
        path(
          trail.map((point) => [x(nearestAlpha(point.mean)), up(point.mean[key])]),
          "trail",
        ),
        text(
          x(1 / 3) + 4,
          up(lines[key][1]) + (key === "K" ? 11 : 4),
          { J: "J: α", Qpb: "Qpb: α+1/3", K: "K: 3α" }[key],
          "start",
          "name",
        ),
      ]),
      line(x(alpha), up(0), x(alpha), up(1), "here"),
      OF_ALPHA.map((key) =>
        svg(
          "circle",
          { class: "dot of-0", cx: x(alpha), cy: up(mean[key]), r: 4.5 },
          svg("title", {}, `${key} ${exact(mean[key])}`),
        ),
      ),
    );
    const target = equilibrium(alpha);
    const off = [...OF_ALPHA, ...FIXED]
      .map((key) => ({ key, by: Math.abs(mean[key] - target[key]) }))
      .sort((a, b) => b.by - a.by);
    const words = off[0].by < 5e-4 ? "it is one of them" : `furthest off: ${off[0].key} by ${decimal(off[0].by, 2)}`;
    const which = store.state.t ? "the average" : "the strategy";
    picture.setAttribute(
      "aria-label",
      `All equilibria of player 0 by α; ${which} is nearest to α = ${decimal(alpha, 3)}, ${words}`,
    );
    clear(
      caption,
      h("span", { class: "key family" }, "equilibria"),
      h("span", { class: "key point" }, which),
      h("span", {}, `nearest α = ${decimal(alpha, 3)}; ${words}`),
    );
  }
  return { element, show };
}

/** The chosen infoset over iterations: current strategy, average, and where equilibria have it. */
function courseChart(store) {
  const { element, picture, caption, heading } = figure("Over time", "The chosen infoset over iterations");
  function show() {
    const key = store.chosen;
    const { actions } = infosetOf(key);
    const run = store.points.filter(({ t }) => t > 0);
    const far = Math.max(1, Math.log10(Math.max(10, store.state.t)));
    const x = (t) => across(Math.log10(t) / far);
    const [least, most] = [equilibrium(0)[key], equilibrium(1 / 3)[key]];
    clear(heading, h("b", {}, key), ` over time: probability of ${actions[1]}`);
    clear(
      picture,
      frame(
        ticks(0, Math.floor(far), 5).map((one) => [one / far, power(one)]),
        [
          [0, "0"],
          [1 / 3, "1/3"],
          [2 / 3, "2/3"],
          [1, "1"],
        ],
        "iterations",
      ),
      least === most
        ? line(across(0), up(least), across(1), up(least), "family")
        : svg("rect", {
            class: "band",
            x: across(0),
            y: up(most),
            width: across(1) - across(0),
            height: up(least) - up(most),
          }),
      path(
        run.map((point) => [x(point.t), up(point.strategy[key])]),
        "current",
      ),
      path(
        run.map((point) => [x(point.t), up(point.mean[key])]),
        "mean",
      ),
    );
    const where = least === most ? exact(least) : `${exact(least)} to ${exact(most)}`;
    picture.setAttribute(
      "aria-label",
      `${key} over iterations: the average is ${decimal(store.average()[key], 3)}, equilibria have ${where}`,
    );
    clear(
      caption,
      h("span", { class: "key mean" }, "average"),
      h("span", { class: "key current" }, "current"),
      h("span", { class: "key family" }, `equilibria: ${where}`),
    );
  }
  return { element, show };
}

/**
 * Return the charts, each with a function that draws it again.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 */
export const charts = (store) => [exploitabilityChart(store), familyChart(store), courseChart(store)];
