// The plane of the two decisions of one bet: colour and contours on a canvas, marks, arrows and paths above it, and
// along two sides what each decision secures. Drawn in pixels of the screen, so that its text keeps its size.

import { svg } from "../../page/js/base/dom.js";
import { ceilingOf, equilibrium, floorOf, indifference, judged, payoff, slopes } from "./one-bet-game.js";
import { fraction } from "./regret-numbers.js";

/** What colour shows; `two` has both sides of the value of the game. */
export const SURFACES = {
  value: { label: "value", of: payoff, colours: ["low", "high"] },
  gain0: { label: "gain of player 0", of: (S, p, c) => judged(S, p, c).gains[0], colours: ["high"] },
  gain1: { label: "gain of player 1", of: (S, p, c) => judged(S, p, c).gains[1], colours: ["low"] },
  exploitability: { label: "exploitability", of: (S, p, c) => judged(S, p, c).exploitability, colours: ["both"] },
};

const SIDE = { left: 46, right: 66, top: 66, bottom: 42 };
const BANDS = 16;
const CORNERS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];

/** Return the least and the largest value in the square; all surfaces have theirs at its corners. */
export function rangeOf(surface, S) {
  const values = CORNERS.map(([p, c]) => SURFACES[surface].of(S, p, c));
  return surface === "value" ? [Math.min(...values), Math.max(...values)] : [0, Math.max(...values)];
}

/** Return a step of 1, 2, 2.5 or 5 times a power of ten, of which a range has about so many. */
function niceStep(range, count) {
  const power = 10 ** Math.floor(Math.log10(range / count));
  return power * ([1, 2, 2.5, 5].find((step) => step * power >= range / count - 1e-12) ?? 10);
}

/** Return a function from values to colours [red, green, blue], in bands, with the step from band to band. */
export function scale(surface, S, palette) {
  const [least, most] = rangeOf(surface, S);
  const middle = surface === "value" ? equilibrium(S).value : 0;
  const step = niceStep(most - least, BANDS);
  const { colours } = SURFACES[surface];
  const colour = (value) => {
    const band = Math.round((value - middle) / step) * step;
    const end = palette[band < 0 || colours.length === 1 ? colours[0] : colours[1]];
    const reach = band < 0 ? middle - least : most - middle;
    const share = Math.min(1, Math.sqrt(Math.abs(band) / Math.max(reach, 1e-12)));
    return palette.middle.map((from, i) => from + (end[i] - from) * share);
  };
  return { colour, step, middle };
}

/** Return the red, green and blue of a colour of the style sheet, on an element. */
function rgb(element, name) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const numbers = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
  const parts = numbers.map(Number);
  probe.remove();
  return parts.slice(0, 3);
}

/** Return the colours of the surfaces as they are now, light or dark. */
export const paletteOf = (element) => ({
  middle: rgb(element, "heat-middle"),
  low: rgb(element, "heat-1"),
  high: rgb(element, "heat-0"),
  both: rgb(element, "heat-both"),
  line: rgb(element, "heat-line"),
});

/** Paint a surface with its contours on a canvas. */
export function paint(canvas, { S, surface }, palette) {
  const { width, height } = canvas;
  const { of } = SURFACES[surface];
  const { colour, step, middle } = scale(surface, S, palette);
  const pixels = new ImageData(width, height);
  const at = (i, j) => of(S, (i + 0.5) / width, 1 - (j + 0.5) / height);
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const value = at(i, j);
      const slope = Math.hypot(at(i + 1, j) - value, at(i, j + 1) - value);
      const place = (value - middle) / step - 0.5;
      const distance = (Math.abs(place - Math.round(place)) * step) / Math.max(slope, 1e-12);
      const line = 0.55 * Math.max(0, Math.min(1, 1.1 - distance));
      const fill = colour(value);
      const k = 4 * (j * width + i);
      for (let n = 0; n < 3; n++) pixels.data[k + n] = fill[n] + (palette.line[n] - fill[n]) * line;
      pixels.data[k + 3] = 255;
    }
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}

/** Return where a plane of this width has its square, and functions from probabilities to pixels. */
export function layout(width) {
  const side = width - SIDE.left - SIDE.right;
  return {
    side,
    left: SIDE.left,
    top: SIDE.top,
    height: side + SIDE.top + SIDE.bottom,
    x: (bluff) => SIDE.left + side * bluff,
    y: (call) => SIDE.top + side * (1 - call),
    at: (x, y) => ({ bluff: clamped((x - SIDE.left) / side), call: clamped(1 - (y - SIDE.top) / side) }),
  };
}

export const clamped = (value) => Math.min(1, Math.max(0, value));

const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 });
const path = (name, points) =>
  svg("polyline", { class: name, points: points.map((p) => p.map((v) => v.toFixed(1)).join()).join(" ") });
const text = (x, y, anchor, words, name) => svg("text", { x, y, "text-anchor": anchor, class: name }, words);
const polygon = (name, points) => svg("polygon", { class: name, points: points.map((p) => p.join()).join(" ") });

/** Return an arrow from a place, so long and in that direction. */
function arrow(name, x, y, dx, dy, head) {
  const size = Math.hypot(dx, dy);
  if (size < 1) return null;
  const [ux, uy] = [dx / size, dy / size];
  const [tipX, tipY] = [x + dx, y + dy];
  const wing = (side) => [tipX - head * (ux + side * 0.5 * uy), tipY - head * (uy - side * 0.5 * ux)];
  return svg(
    "g",
    { class: name },
    line("", x, y, tipX - 0.7 * head * ux, tipY - 0.7 * head * uy),
    polygon("", [[tipX, tipY], wing(1), wing(-1)]),
  );
}

/** Return the axes: numbers, and what they count. */
function axes({ x, y, side, left, top }) {
  const marks = [0, 0.25, 0.5, 0.75, 1];
  const [bottom, middleX, middleY] = [top + side, left + side / 2, top + side / 2];
  return [
    ...marks.flatMap((mark) => [
      line("tick", x(mark), bottom, x(mark), bottom + 4),
      line("tick", left - 4, y(mark), left, y(mark)),
      text(x(mark), bottom + 17, "middle", fraction(mark)),
      text(left - 8, y(mark) + 4, "end", fraction(mark)),
    ]),
    text(middleX, bottom + 36, "middle", "player 0 bluffs with the J", "axis of-0"),
    svg(
      "text",
      { class: "axis of-1", "text-anchor": "middle", transform: `translate(12 ${middleY}) rotate(-90)` },
      "player 1 calls with the Q",
    ),
  ];
}

/** Return what each decision secures: a curve above the square for player 0, one beside it for player 1. */
function securities({ x, y, side, left, top }, { S, bluff, call }) {
  const bend = indifference(S);
  const value = equilibrium(S).value;
  const values = CORNERS.map(([p, c]) => payoff(S, p, c));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = 40;
  const up = (value) => top - 8 - (room * (value - least)) / (most - least);
  const along = (value) => left + side + 8 + (room * (value - least)) / (most - least);
  const floor = [0, Math.min(1, bend.bluff), 1].map((p) => [x(p), up(floorOf(S, p))]);
  const ceiling = [0, Math.max(0, bend.call), 1].map((c) => [along(ceilingOf(S, c)), y(c)]);
  return [
    line("zero", left, up(value), left + side, up(value)),
    line("zero", along(value), top, along(value), top + side),
    path("secured of-0", floor),
    path("secured of-1", ceiling),
    svg("circle", { class: "on of-0", cx: x(bluff), cy: up(floorOf(S, bluff)), r: 4.5 }),
    svg("circle", { class: "on of-1", cx: along(ceilingOf(S, call)), cy: y(call), r: 4.5 }),
    text(left, 12, "start", "player 0 wins at least", "of-0"),
    svg(
      "text",
      {
        class: "of-1",
        "text-anchor": "start",
        transform: `translate(${left + side + 56} ${top}) rotate(90)`,
      },
      "player 1 loses at most",
    ),
  ];
}

/** Return a field of small arrows: where both players together push the point. */
function field({ x, y, side }, { S }) {
  const places = Array.from({ length: 9 }, (_, i) => (i + 0.5) / 9);
  const pushes = places.flatMap((bluff) =>
    places.map((call) => {
      const slope = slopes(S, bluff, call);
      return { bluff, call, dx: slope.bluff, dy: slope.call };
    }),
  );
  const longest = Math.max(...pushes.map(({ dx, dy }) => Math.hypot(dx, dy)));
  const size = (0.085 * side) / Math.sqrt(longest);
  return pushes.map(({ bluff, call, dx, dy }) => {
    const stretch = size / Math.sqrt(Math.hypot(dx, dy) || 1);
    const [ax, ay] = [dx * stretch, dy * stretch];
    return arrow("push", x(bluff) - ax / 2, y(call) - ay / 2, ax, ay, 5);
  });
}

/** Return what a run has played, and its average; shapes tell them apart as well as lines. */
function paths({ x, y }, { played, averages }) {
  if (!played.length) return [];
  const place = ([bluff, call]) => [x(bluff), y(call)];
  const [now, mean] = [place(played.at(-1)), place(averages.at(-1))];
  const recent = played.slice(-100).map(place);
  return [
    path("played", recent),
    path("mean-path halo", averages.map(place)),
    path("mean-path", averages.map(place)),
    svg("rect", { class: "mark played-now", x: now[0] - 5, y: now[1] - 5, width: 10, height: 10 }),
    polygon("mark mean-now", [
      [mean[0], mean[1] - 8],
      [mean[0] + 8, mean[1]],
      [mean[0], mean[1] + 8],
      [mean[0] - 8, mean[1]],
    ]),
  ];
}

/** Return a star of five points. */
function star(x, y, radius) {
  const corners = Array.from({ length: 10 }, (_, i) => {
    const [r, angle] = [i % 2 ? 0.42 * radius : radius, (Math.PI * i) / 5 - Math.PI / 2];
    return [(x + r * Math.cos(angle)).toFixed(1), (y + r * Math.sin(angle)).toFixed(1)];
  });
  return polygon("mark star", corners);
}

/** Return everything that lies above the canvas but the point itself, from the back to the front. */
export function marks(place, state) {
  const { S, bluff, call } = state;
  const { x, y, side, left, top } = place;
  const best = equilibrium(S);
  const slope = slopes(S, bluff, call);
  const reach = (size) =>
    Math.sign(size) * side * Math.min(0.22, 0.045 + (0.5 * Math.abs(size)) / S) * Number(Math.abs(size) > 1e-9);
  const across = clamped(bluff + reach(slope.bluff) / side) - bluff;
  const upward = clamped(call - reach(slope.call) / side) - call;
  return [
    ...axes(place),
    ...securities(place, state),
    line("cross", x(best.bluff), top, x(best.bluff), top + side),
    line("cross", left, y(best.call), left + side, y(best.call)),
    ...(state.pushes ? field(place, state) : []),
    ...paths(place, state),
    star(x(best.bluff), y(best.call), 11),
    arrow("better of-0", x(bluff), y(call), side * across, 0, 10),
    arrow("better of-1", x(bluff), y(call), 0, -side * upward, 10),
  ].filter(Boolean);
}
