// Line charts: several series, linear or logarithmic axes, values under the pointer or by the arrow keys.
import { category } from "../base/colours.js";
import { clear, h, newId, svg } from "../base/dom.js";
import { gap, short } from "../base/format.js";

export const DASHES = ["", "6 3", "2 2", "8 3 2 3", "4 4", "1 3", "10 4", "6 2 1 2"];
const EDGE = { top: 10, right: 12, bottom: 34, left: 52 };

/**
 * @typedef {{name: string, points: number[][], colour?: string, dash?: string}} Series
 * @typedef {{label?: string, log?: boolean, format?: (value: number) => string}} Axis
 * @typedef {{y: number, label?: string}} Mark a horizontal line
 * @typedef {{series: Series[], x: Axis, y: Axis, mark: Mark | null, frame: number[][] | null}} Shown
 */

/** Return the points of a series that can be drawn: with numbers, above 0 on a log axis. */
const usable = (points, state) =>
  points.filter(
    ([a, b]) => Number.isFinite(a) && Number.isFinite(b) && !(state.x.log && a <= 0) && !(state.y.log && b <= 0),
  );

/** Return the scales of what is shown and how its numbers are written; `frame` are points that the axes reach as well. */
function scales(state, visible, width, height) {
  const all = [...visible.flatMap((one) => one.points), ...(state.frame ? usable(state.frame, state) : [])];
  const marks = state.mark && (!state.y.log || state.mark.y > 0) ? [state.mark.y] : [];
  const [left, right] = [EDGE.left, width - EDGE.right];
  const [xs, ys] = [all.map(([a]) => a), [...all.map(([, b]) => b), ...marks]];
  return {
    across: axis(xs, state.x.log, left, right, 6, false),
    up: axis(ys, state.y.log, height - EDGE.bottom, EDGE.top, 5, true),
    showX: state.x.format ?? short,
    showY: state.y.format ?? gap,
    marks,
    visible,
    size: { left, right, top: EDGE.top, bottom: height - EDGE.bottom, width, height },
  };
}

/** Return the lines of the grid, the numbers and the labels of both axes. */
function axes(state, { across, up, showX, showY, size }) {
  const { left, right, top, bottom, height } = size;
  const text = (attributes, words) => svg("text", { "text-anchor": "middle", ...attributes }, words);
  const upText = (tick) => (state.y.log && tick < 0.01 ? power(tick) : showY(tick));
  return [
    up.ticks.map((tick) => [
      svg("line", { class: "grid", x1: left, x2: right, y1: up.at(tick), y2: up.at(tick) }),
      text({ x: left - 6, y: up.at(tick) + 4, "text-anchor": "end" }, upText(tick)),
    ]),
    across.ticks.map((tick) => [
      svg("line", { class: "grid", x1: across.at(tick), x2: across.at(tick), y1: top, y2: bottom }),
      text({ x: across.at(tick), y: bottom + 15 }, showX(tick)),
    ]),
    svg("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }),
    state.x.label && text({ x: (left + right) / 2, y: height - 3 }, state.x.label),
    state.y.label && text({ transform: `translate(11 ${(top + bottom) / 2}) rotate(-90)` }, state.y.label),
  ];
}

/** Return the line of a series, or its only point. */
function curve({ points, colour, dash }, { across, up }) {
  const d = points.map(([a, b], k) => `${k ? "L" : "M"}${across.at(a).toFixed(1)} ${up.at(b).toFixed(1)}`).join("");
  const path = svg("path", { class: "series", d, "stroke-dasharray": dash });
  path.style.setProperty("stroke", colour);
  if (points.length > 1) return path;
  const point = svg("circle", { cx: across.at(points[0][0]), cy: up.at(points[0][1]), r: 3 });
  point.style.setProperty("fill", colour);
  return point;
}

/** Return the mark with its label. */
function markLine(mark, { up, size }) {
  const at = up.at(mark.y);
  return [
    svg("line", { class: "cross", x1: size.left, x2: size.right, y1: at, y2: at }),
    svg("text", { x: size.right, y: at - 4, "text-anchor": "end" }, mark.label ?? ""),
  ];
}

/** Return the area outside which no line is drawn. */
const clipPath = (id, { left, right, top, bottom }) =>
  svg(
    "clipPath",
    { id },
    svg("rect", { x: left - 2, y: top - 4, width: Math.max(0, right - left + 4), height: bottom - top + 8 }),
  );

/** Return a button of the legend, which shows or hides a series. */
function legendEntry(one, isHidden, onclick) {
  const line = svg("line", { x1: 0, x2: 22, y1: 5, y2: 5, "stroke-width": 2.2, "stroke-dasharray": one.dash });
  line.style.setProperty("stroke", one.colour);
  return h(
    "button",
    { type: "button", "aria-pressed": String(!isHidden), title: "Show or hide", onclick },
    svg("svg", { width: 22, height: 10, "aria-hidden": "true" }, line),
    one.name,
  );
}

/** Show the values of all lines near a place, in the tip and as circles; nothing where it is null. */
function pointAt(where, { state, scale, cross, tip }) {
  clear(cross);
  tip.hidden = true;
  if (where === null || !scale?.visible.length) return;
  const { across, up, size } = scale;
  const near = scale.visible.map((one) => ({ one, point: nearest(one.points, where, across) }));
  const away = ({ point }) => Math.abs(across.at(point[0]) - where);
  const main = near.reduce((best, next) => (away(next) < away(best) ? next : best)).point[0];
  const at = across.at(main);
  cross.append(svg("line", { class: "cross", x1: at, x2: at, y1: size.top, y2: size.bottom }));
  clear(tip, h("div", {}, `${state.x.label ?? ""} ${scale.showX(main)}`));
  for (const { one, point } of near) {
    const [a, b] = point;
    if (Math.abs(across.at(a) - at) > 30 && near.length > 1) continue;
    const circle = svg("circle", { cx: across.at(a), cy: up.at(b), r: 3.5 });
    circle.style.setProperty("fill", one.colour);
    cross.append(circle);
    const dot = h("span", { class: "dot", css: { "--colour": one.colour } });
    tip.append(h("div", {}, dot, ` ${near.length > 1 ? `${one.name}: ` : ""}${scale.showY(b)}`));
  }
  tip.hidden = false;
  const left = Math.min(at + 12, size.width - tip.offsetWidth - 4);
  tip.style.setProperty("left", `${at + 12 > left ? Math.max(0, at - tip.offsetWidth - 12) : left}px`);
  tip.style.setProperty("top", `${size.top}px`);
}

/**
 * Return a chart as a <figure> with update(changes): series, x, y, mark and frame, each of which may be left out.
 *
 * Points without a y, and on a log axis those at or below 0, are left out. `title` says what it shows, for screen readers.
 *
 * @param {{series?: Series[], x?: Axis, y?: Axis, height?: number, title?: string, mark?: Mark | null, legend?: boolean}} options
 */
export function lineChart({ series = [], x = {}, y = {}, height = 260, title = "Chart", mark = null, legend = true }) {
  const hidden = new Set();
  const tip = h("div", { class: "tip", hidden: true });
  const keys = h("div", { class: "legend" });
  const clip = newId("clip");
  /** @type {Shown} */
  let state = { series, x, y, mark, frame: null };
  let width = 600;
  let scale = null;
  let place = -1;
  const cross = svg("g", { "aria-hidden": "true" });
  const drawing = svg("svg", { role: "img", tabindex: "0", height });
  const figure = h("figure", { class: "chart" }, drawing, tip, keys);
  const point = (where) => pointAt(where, { state, scale, cross, tip });

  function draw() {
    const shown = state.series.map((one, number) => ({
      ...one,
      colour: one.colour ?? category(number),
      dash: one.dash ?? DASHES[number % DASHES.length],
      points: usable(one.points, state),
    }));
    const visible = shown.filter((one) => !hidden.has(one.name) && one.points.length);
    scale = scales(state, visible, width, height);
    clear(
      drawing,
      svg("title", {}, summary(title, visible, scale.showY)),
      clipPath(clip, scale.size),
      axes(state, scale),
      scale.marks.length > 0 && markLine(state.mark, scale),
      svg(
        "g",
        { "clip-path": `url(#${clip})` },
        visible.map((one) => curve(one, scale)),
      ),
      !visible.length && svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "Nothing to draw yet."),
      cross,
    );
    keys.hidden = !legend || shown.length < 2;
    const toggle = ({ name }) => (hidden.has(name) ? hidden.delete(name) : hidden.add(name), draw());
    clear(
      keys,
      shown.map((one) => legendEntry(one, hidden.has(one.name), () => toggle(one))),
    );
    point(null);
  }

  drawing.addEventListener("pointermove", (event) => point(event.clientX - drawing.getBoundingClientRect().left));
  drawing.addEventListener("pointerleave", () => point(null));
  drawing.addEventListener("blur", () => ((place = -1), point(null)));
  drawing.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key) || !scale?.visible.length) return;
    const points = scale.visible[0].points;
    const next = place < 0 ? points.length - 1 : place + (event.key === "ArrowRight" ? 1 : -1);
    place = Math.min(points.length - 1, Math.max(0, next));
    point(scale.across.at(points[place][0]));
    event.preventDefault();
  });
  new ResizeObserver(([entry]) => {
    const next = Math.round(entry.contentRect.width);
    if (next > 0 && next !== width) {
      width = next;
      draw();
    }
  }).observe(figure);
  figure.update = (changes) => {
    state = { ...state, ...changes };
    draw();
  };
  draw();
  return figure;
}

/** Return a line without axes, for a cell of a table; values at or below 0 are left out. */
export function sparkline(values, { width = 72, height = 18 } = {}) {
  const known = values.filter((value) => value > 0).map(Math.log10);
  if (known.length < 2) return "";
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const d = known
    .map(
      (value, k) =>
        `${k ? "L" : "M"}${((k / (known.length - 1)) * (width - 2) + 1).toFixed(1)} ${(1 + (high > low ? (high - value) / (high - low) : 0.5) * (height - 2)).toFixed(1)}`,
    )
    .join("");
  return svg(
    "svg",
    { class: "spark", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    svg("path", { d, fill: "none", stroke: "currentColor", "stroke-width": 1.3 }),
  );
}

const power = (value) => value.toExponential(0).replace("-", "−");

const summary = (title, series, format) =>
  `${title}. ${series.map((one) => `${one.name}: ${format(one.points[0][1])} to ${format(one.points.at(-1)[1])}`).join("; ")}`;

function nearest(points, where, across) {
  let [low, high] = [0, points.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (across.at(points[middle][0]) < where) low = middle;
    else high = middle;
  }
  return Math.abs(across.at(points[low][0]) - where) <= Math.abs(across.at(points[high][0]) - where)
    ? points[low]
    : points[high];
}

/** Return ticks and the place of a value; a log axis ends at 1, 2 or 5 times a power of ten. */
function axis(values, log, start, end, wanted, roomy) {
  let [low, high] = values.length
    ? values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity])
    : log
      ? [1, 10]
      : [0, 1];
  if (log) {
    if (low === high) [low, high] = [low / 2, high * 2];
    const [a, b] = [Math.log10(low), Math.log10(high)];
    const margin = roomy ? 0.04 * (b - a) : 0;
    const at = (value) => start + ((Math.log10(value) - a + margin) / (b - a + 2 * margin)) * (end - start);
    return { at, ticks: logTicks(low, high, wanted) };
  }
  if (low === high) [low, high] = low === 0 ? [0, 1] : [low - Math.abs(low) / 2, high + Math.abs(high) / 2];
  const step = nice((high - low) / wanted);
  const margin = roomy ? 0.04 * (high - low) : 0;
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return { at: (value) => start + ((value - low + margin) / (high - low + 2 * margin)) * (end - start), ticks };
}

function logTicks(low, high, wanted) {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first + 1) / wanted));
  const ticks = [];
  for (let power = first; power <= last; power++) if ((power - first) % every === 0) ticks.push(Number(`1e${power}`));
  if (ticks.length > 2) return ticks;
  const fine = [];
  for (let power = Math.floor(Math.log10(low)); power <= last; power++)
    for (const digit of [1, 2, 5]) fine.push(digit * 10 ** power);
  return fine.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

function nice(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5].find((digit) => digit * power >= step * 0.999) ?? 10);
}
