// Where strategies are: in a triangle for three actions, in a square for the probabilities of two infosets.
import { h, svg } from "../base/dom.js";

const SIZE = 240;
const EDGE = 30;
const CORNERS = [
  [EDGE, SIZE - EDGE],
  [SIZE - EDGE, SIZE - EDGE],
  [SIZE / 2, EDGE],
];

const mixed = (shares) => [0, 1].map((axis) => shares.reduce((sum, p, k) => sum + p * CORNERS[k][axis], 0));
const square = (across, up) => [EDGE + across * (SIZE - 2 * EDGE), SIZE - EDGE - up * (SIZE - 2 * EDGE)];
const line = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/**
 * Return the picture of an infoset with three actions, or of two infosets of which the probability of the last action is
 * across and up. It has update(frame): the way of strategy and average up to there.
 *
 * @param {any} first @param {any} second the other infoset; null for a triangle
 */
export function simplexPicture(first, second) {
  const points = (name) =>
    second
      ? first[name].map((shares, n) => square(shares.at(-1), second[name][n].at(-1)))
      : first[name].map((shares) => mixed(shares));
  const ways = { strategy: points("strategy"), average_strategy: points("average_strategy") };
  const path = (kind) => svg("path", { class: `way ${kind}`, fill: "none" });
  const dot = (kind) => svg("circle", { class: `dot-of ${kind}`, r: kind === "average_strategy" ? 6 : 4 });
  const parts = Object.keys(ways).map((kind) => ({ kind, path: path(kind), dot: dot(kind) }));
  const text = (x, y, words, anchor = "middle") => svg("text", { x, y, "text-anchor": anchor }, words);
  const frame = second
    ? [
        svg("rect", { class: "frame", x: EDGE, y: EDGE, width: SIZE - 2 * EDGE, height: SIZE - 2 * EDGE }),
        text(SIZE / 2, SIZE - 10, `${first.infoset}: ${first.actions.at(-1)}`),
        svg(
          "text",
          { transform: `translate(14 ${SIZE / 2}) rotate(-90)`, "text-anchor": "middle" },
          `${second.infoset}: ${second.actions.at(-1)}`,
        ),
        [0, 1].map((tick) => [
          text(square(tick, 0)[0], SIZE - EDGE + 12, String(tick)),
          text(EDGE - 5, square(0, tick)[1] + 4, String(tick), "end"),
        ]),
      ]
    : [
        svg("path", { class: "frame", d: `${line(CORNERS)}Z` }),
        CORNERS.map(([x, y], k) => text(x, k === 2 ? y - 8 : y + 16, first.actions[k])),
      ];
  const what = second ? `${first.infoset} across and ${second.infoset} up` : first.infoset;
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", class: "simplex" },
    svg("title", {}, `The strategy (small) and its average (large) at ${what}, and their way there`),
    frame,
    parts.map((one) => one.path),
    parts.map((one) => one.dot),
  );
  const box = h("div", { class: "simplex-box" }, drawing);
  box.update = (now) => {
    for (const { kind, path: way, dot: circle } of parts) {
      way.setAttribute("d", line(ways[kind].slice(0, now + 1)));
      circle.setAttribute("cx", ways[kind][now][0].toFixed(1));
      circle.setAttribute("cy", ways[kind][now][1].toFixed(1));
    }
  };
  return box;
}
