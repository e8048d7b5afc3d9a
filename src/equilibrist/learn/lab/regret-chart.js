// Small charts of the labs: lines over the number of rounds.

import { svg } from "../../page/js/base/dom.js";

/** Return the places of ticks between two powers of ten. */
function decades(range, count) {
  const [least, most] = range;
  const [from, to] = [Math.ceil(Math.log10(least) - 1e-9), Math.floor(Math.log10(most) + 1e-9)];
  const step = Math.max(1, Math.ceil((to - from) / count));
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, i) => 10 ** (from + i * step));
}

/** Return a power of ten beside a number, 1 where there is none. */
const power = (round, value) => (Number.isFinite(value) ? 10 ** round(Math.log10(value)) : 1);

/** Return a range around 0 of at least 4. */
const around0 = (least, most) => (most - least < 4 ? [Math.min(least, -2), Math.max(most, 2)] : [least, most]);

/**
 * Draw lines over rounds into an SVG that is emptied first.
 *
 * @param {any} picture the SVG
 * @param {{lines: {points: [number, number][], kind: string}[], log?: boolean, title: string}} content
 *   points are (round, number); `log` draws both on logarithmic scales
 */
export function drawChart(picture, { lines, log = false, title }) {
  const [width, height] = [picture.clientWidth || 300, picture.clientHeight || 120];
  const [left, right, top, bottom] = [44, width - 8, 8, height - 20];
  const all = lines.flatMap(({ points }) => points).filter(([, y]) => !log || y > 0);
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => y);
  const ends = log
    ? {
        x: [power(Math.floor, Math.min(...xs)), Math.max(10, ...xs)],
        y: all.length
          ? [power(Math.floor, Math.min(...ys)), power((exponent) => Math.floor(exponent) + 1, Math.max(...ys))]
          : [0.1, 1],
      }
    : { x: [0, Math.max(10, ...xs)], y: around0(Math.min(0, ...ys), Math.max(0, ...ys)) };
  const scaled = log ? Math.log : (value) => value;
  const place = (range, value) => (scaled(value) - scaled(range[0])) / (scaled(range[1]) - scaled(range[0]));
  const x = (value) => left + (right - left) * place(ends.x, value);
  const y = (value) => bottom - (bottom - top) * place(ends.y, value);
  const ticks = log
    ? { x: decades(ends.x, 4), y: decades(ends.y, 3) }
    : { x: [0, ends.x[1]], y: ends.y.filter((end) => Math.abs(end) > 0.15 * (ends.y[1] - ends.y[0])).concat(0) };
  const label = (value) =>
    (Math.abs(value) >= 1e4 || (value && Math.abs(value) < 1e-3)
      ? value.toExponential(0).replace("e+", "e")
      : String(value)
    ).replace("-", "−");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.replaceChildren(
    svg("title", {}, title),
    ...ticks.y.flatMap((value) => [
      svg("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, label(value)),
    ]),
    ...ticks.x.map((value) =>
      svg("text", { x: x(value), y: height - 4, "text-anchor": value === ends.x[1] ? "end" : "middle" }, label(value)),
    ),
    ...lines.map(({ points, kind }) => {
      const seen = points.filter(([, value]) => !log || value > 0);
      if (seen.length === 1) return svg("circle", { class: kind, cx: x(seen[0][0]), cy: y(seen[0][1]), r: 2.5 });
      return svg("polyline", {
        class: kind,
        points: seen.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(" "),
      });
    }),
  );
}
