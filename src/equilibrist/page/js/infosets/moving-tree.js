// A small game drawn whole: its histories from left to right, each move as wide as the strategy takes it.
import { actionColour } from "../base/colours.js";
import { h, svg } from "../base/dom.js";
import { payoff } from "../base/format.js";

/** @import { DrawnHistory } from "../base/answers.js" */

const ROW = 17;
const COLUMN = 112;
const WIDEST = 9;
const CHANCE = "var(--cat-7)";

/**
 * Return depth and height of each history: ends below each other, the others amid what follows.
 *
 * @param {DrawnHistory[]} nodes
 */
function placed(nodes) {
  const depth = nodes.map(() => 0);
  /** @type {number[][]} */
  const below = nodes.map(() => []);
  nodes.forEach(({ parent }, k) => {
    if (parent < 0) return;
    depth[k] = depth[parent] + 1;
    below[parent].push(k);
  });
  const height = nodes.map(() => 0);
  let ends = 0;
  const order = (k) => {
    for (const one of below[k]) order(one);
    const first = below[k][0];
    const last = below[k][below[k].length - 1];
    height[k] = below[k].length ? (height[first] + height[last]) / 2 : ROW * (ends++ + 0.5);
  };
  order(0);
  return { depth, height, ends, deepest: Math.max(...depth), below };
}

/**
 * Return the tree of a game; `indexOf(player, infoset)` is the number of an infoset. It has update(probabilities), of each
 * infoset those of its actions; infosets without are drawn by equal shares.
 *
 * @param {any[]} nodes @param {(player: number, infoset: string) => number} indexOf
 */
export function movingTree(nodes, indexOf) {
  const { depth, height, ends, deepest, below } = placed(nodes);
  const x = (k) => 30 + COLUMN * depth[k];
  const infosets = nodes.map((node) => (node.infoset === null ? -1 : indexOf(node.player, node.infoset)));
  const edges = nodes.map((node, k) => {
    if (node.parent < 0) return null;
    const [x1, x2] = [x(node.parent), x(k)];
    const [y1, y2] = [height[node.parent], height[k]];
    const middle = (x1 + x2) / 2;
    const path = svg("path", { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, fill: "none" });
    const labels = below[node.parent].map((one) => nodes[one].action);
    path.style.setProperty("stroke", node.chance === null ? actionColour(node.action, labels) : CHANCE);
    return path;
  });
  const label = (k) => {
    const { infoset, payoffs, player, action, parent } = nodes[k];
    const text = payoffs ? payoff(payoffs[0], 0) : player < 0 ? "chance" : infoset;
    const move = parent < 0 ? "" : `${action} `;
    return svg(
      "text",
      { x: x(k) + (parent < 0 ? -26 : 5), y: height[k] + (parent < 0 ? -8 : 4) },
      move && svg("tspan", { class: "move" }, move),
      svg("tspan", { class: payoffs ? "end" : "" }, text),
    );
  };
  const [width, tall] = [30 + COLUMN * deepest + 80, ROW * ends + 8];
  const drawing = svg(
    "svg",
    { width, height: tall, viewBox: `0 0 ${width} ${tall}`, role: "img", class: "moving-tree" },
    svg("title", {}, "The game as a tree: each move is as wide as it is probable, and faint where play does not come."),
    edges.filter(Boolean),
    nodes.map((_, k) => label(k)),
  );
  const box = h("div", { class: "tree-scroll", tabindex: "0", role: "region", "aria-label": "Game tree" }, drawing);
  const reach = nodes.map(() => 1);

  box.update = (probabilities) => {
    nodes.forEach((node, k) => {
      if (node.parent < 0) return;
      const shares = probabilities[infosets[node.parent]];
      const move = node.chance ?? shares?.[node.number] ?? 1 / below[node.parent].length;
      reach[k] = reach[node.parent] * (node.chance === null ? move : 1);
      edges[k].style.setProperty("stroke-width", String(0.6 + WIDEST * (node.chance === null ? move : 0.12)));
      edges[k].style.setProperty("opacity", String(0.12 + 0.88 * Math.min(1, reach[k])));
    });
  };
  return box;
}
