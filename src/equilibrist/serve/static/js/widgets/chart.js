// Line charts: several series, linear or logarithmic axes, values under the pointer or by the arrow keys.
import { category } from "../colours.js";
import { clear, h, newId, svg } from "../dom.js";
import { gap, short } from "../format.js";

const DASHES = ["", "6 3", "2 2", "8 3 2 3", "4 4", "1 3", "10 4", "6 2 1 2"];
const EDGE = { top: 10, right: 12, bottom: 34, left: 52 };

/**
 * Return a chart as a <figure>.
 *
 * series: [{name, points: [[x, y], …], colour, dash}]; points without a y, and on a log axis those at or below 0, are
 *   left out. x, y: {label, log, format}. `height` in pixels, `title` what it shows (for screen readers), `mark` a
 *   horizontal line {y, label}. The element has update({series, x, y, mark}), each of which may be left out.
 *
 * @typedef {{label?: string, log?: boolean, format?: (value: number) => string}} Axis
 * @param {{series?: any[], x?: Axis, y?: Axis, height?: number, title?: string, mark?: any, legend?: boolean}} options
 */
export function lineChart({ series = [], x = {}, y = {}, height = 260, title = "Chart", mark = null, legend = true }) {
  const hidden = new Set();
  const tip = h("div", { class: "tip", hidden: true });
  const keys = h("div", { class: "legend" });
  const clip = newId("clip");
  let state = { series, x, y, mark };
  let width = 600;
  let scale = null;
  let place = -1;
  const cross = svg("g", { "aria-hidden": "true" });
  const drawing = svg("svg", { role: "img", tabindex: "0", height });
  const figure = h("figure", { class: "chart" }, drawing, tip, keys);

  const usable = (points) =>
    points.filter(
      ([a, b]) => Number.isFinite(a) && Number.isFinite(b) && !(state.x.log && a <= 0) && !(state.y.log && b <= 0),
    );

  function draw() {
    const shown = state.series.map((one, number) => ({
      ...one,
      number,
      colour: one.colour ?? category(number),
      dash: one.dash ?? DASHES[number % DASHES.length],
      points: usable(one.points),
    }));
    const visible = shown.filter((one) => !hidden.has(one.name) && one.points.length);
    const all = visible.flatMap((one) => one.points);
    const marks = state.mark && (!state.y.log || state.mark.y > 0) ? [state.mark.y] : [];
    const across = axis(
      all.map(([a]) => a),
      state.x.log,
      EDGE.left,
      width - EDGE.right,
      6,
      false,
    );
    const up = axis([...all.map(([, b]) => b), ...marks], state.y.log, height - EDGE.bottom, EDGE.top, 5, true);
    scale = { across, up, visible };
    const showX = state.x.format ?? short;
    const showY = state.y.format ?? gap;
    clear(
      drawing,
      svg("title", {}, summary(title, visible, showY)),
      svg(
        "clipPath",
        { id: clip },
        svg("rect", {
          x: EDGE.left - 2,
          y: EDGE.top - 4,
          width: Math.max(0, width - EDGE.left - EDGE.right + 4),
          height: height - EDGE.top - EDGE.bottom + 8,
        }),
      ),
      up.ticks.map((tick) => [
        svg("line", { class: "grid", x1: EDGE.left, x2: width - EDGE.right, y1: up.at(tick), y2: up.at(tick) }),
        svg(
          "text",
          { x: EDGE.left - 6, y: up.at(tick) + 4, "text-anchor": "end" },
          state.y.log && tick < 0.01 ? power(tick) : showY(tick),
        ),
      ]),
      across.ticks.map((tick) => [
        svg("line", {
          class: "grid",
          x1: across.at(tick),
          x2: across.at(tick),
          y1: EDGE.top,
          y2: height - EDGE.bottom,
        }),
        svg("text", { x: across.at(tick), y: height - EDGE.bottom + 15, "text-anchor": "middle" }, showX(tick)),
      ]),
      svg("line", {
        class: "axis",
        x1: EDGE.left,
        x2: width - EDGE.right,
        y1: height - EDGE.bottom,
        y2: height - EDGE.bottom,
      }),
      state.x.label &&
        svg("text", { x: (EDGE.left + width - EDGE.right) / 2, y: height - 3, "text-anchor": "middle" }, state.x.label),
      state.y.label &&
        svg(
          "text",
          { transform: `translate(11 ${(EDGE.top + height - EDGE.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" },
          state.y.label,
        ),
      marks.length > 0 && [
        svg("line", {
          class: "cross",
          x1: EDGE.left,
          x2: width - EDGE.right,
          y1: up.at(marks[0]),
          y2: up.at(marks[0]),
        }),
        svg("text", { x: width - EDGE.right, y: up.at(marks[0]) - 4, "text-anchor": "end" }, state.mark.label ?? ""),
      ],
      svg(
        "g",
        { "clip-path": `url(#${clip})` },
        visible.map((one) => {
          const d = one.points
            .map(([a, b], k) => `${k ? "L" : "M"}${across.at(a).toFixed(1)} ${up.at(b).toFixed(1)}`)
            .join("");
          const path = svg("path", { class: "series", d, "stroke-dasharray": one.dash });
          path.style.setProperty("stroke", one.colour);
          if (one.points.length > 1) return path;
          const point = svg("circle", { cx: across.at(one.points[0][0]), cy: up.at(one.points[0][1]), r: 3 });
          point.style.setProperty("fill", one.colour);
          return point;
        }),
      ),
      all.length === 0 && svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "Nothing to draw yet."),
      cross,
    );
    keys.hidden = !legend || shown.length < 2;
    clear(
      keys,
      shown.map((one) => {
        const line = svg("line", { x1: 0, x2: 22, y1: 5, y2: 5, "stroke-width": 2.2, "stroke-dasharray": one.dash });
        line.style.setProperty("stroke", one.colour);
        return h(
          "button",
          {
            type: "button",
            "aria-pressed": String(!hidden.has(one.name)),
            title: "Show or hide",
            onclick: () => (hidden.has(one.name) ? hidden.delete(one.name) : hidden.add(one.name), draw()),
          },
          svg("svg", { width: 22, height: 10, "aria-hidden": "true" }, line),
          one.name,
        );
      }),
    );
    point(null);
  }

  function point(where) {
    clear(cross);
    tip.hidden = true;
    if (where === null || !scale?.visible.length) return;
    const near = scale.visible.map((one) => ({ one, point: nearest(one.points, where, scale.across) }));
    const [main] = near.reduce((best, next) =>
      Math.abs(scale.across.at(next.point[0]) - where) < Math.abs(scale.across.at(best.point[0]) - where) ? next : best,
    ).point;
    const at = scale.across.at(main);
    cross.append(svg("line", { class: "cross", x1: at, x2: at, y1: EDGE.top, y2: height - EDGE.bottom }));
    const showX = state.x.format ?? short;
    const showY = state.y.format ?? gap;
    clear(tip, h("div", {}, `${state.x.label ?? ""} ${showX(main)}`));
    for (const {
      one,
      point: [a, b],
    } of near) {
      if (Math.abs(scale.across.at(a) - at) > 30 && near.length > 1) continue;
      const circle = svg("circle", { cx: scale.across.at(a), cy: scale.up.at(b), r: 3.5 });
      circle.style.setProperty("fill", one.colour);
      cross.append(circle);
      tip.append(
        h(
          "div",
          {},
          h("span", { class: "dot", css: { "--colour": one.colour } }),
          ` ${near.length > 1 ? `${one.name}: ` : ""}${showY(b)}`,
        ),
      );
    }
    tip.hidden = false;
    const left = Math.min(at + 12, width - tip.offsetWidth - 4);
    tip.style.setProperty("left", `${at + 12 > left ? Math.max(0, at - tip.offsetWidth - 12) : left}px`);
    tip.style.setProperty("top", `${EDGE.top}px`);
  }

  drawing.addEventListener("pointermove", (event) => point(event.clientX - drawing.getBoundingClientRect().left));
  drawing.addEventListener("pointerleave", () => point(null));
  drawing.addEventListener("blur", () => ((place = -1), point(null)));
  drawing.addEventListener("keydown", (event) => {
    if (!["ArrowLeft", "ArrowRight"].includes(event.key) || !scale?.visible.length) return;
    const points = scale.visible[0].points;
    place = Math.min(
      points.length - 1,
      Math.max(0, place < 0 ? points.length - 1 : place + (event.key === "ArrowRight" ? 1 : -1)),
    );
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
  return power * [1, 2, 5, 10].find((digit) => digit * power >= step * 0.999);
}
