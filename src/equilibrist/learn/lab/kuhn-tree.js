// The tree of Kuhn poker in SVG, of a deal or of all six: how often each action is played, best responses lit.
import { clear, h, svg } from "../../page/js/base/dom.js";
import { decimal, exact, signed } from "./fraction.js";
import { DEALS, DECISIONS, ENDS, infosetOf, keyAt, moverAt, payoff, probability, reach, valueAt } from "./kuhn-game.js";
import { CARD_NAMES, described } from "./kuhn-words.js";

const LEAVES = ["pp", "pbp", "pbb", "bp", "bb"];
const EVEN = 1e-12; // actions whose values differ by less are both best responses

/** Where a history is: across from 0 to 1, and how deep. */
function place(line) {
  if (LEAVES.includes(line)) return { x: (LEAVES.indexOf(line) + 0.5) / LEAVES.length, y: line.length };
  const below = [place(line + "p").x, place(line + "b").x];
  return { x: (below[0] + below[1]) / 2, y: line.length };
}

/** Sizes of a tree that stands alone, and of one of six. */
const LARGE = { width: 640, height: 350, radius: 21, left: 26, top: 34, level: 92, thick: 9, alone: true };
const SMALL = { width: 208, height: 192, radius: 15, left: 6, top: 22, level: 50, thick: 5.5, alone: false };

/**
 * Return the tree of a deal, with a function that draws a strategy into it.
 * @param {string} deal
 * @param {(key: string) => void} choose
 * @param {Set<string>} reached infosets that keys have come to in a tree before
 */
function dealTree(deal, size, choose, reached = new Set()) {
  const at = (line) => {
    const { x, y } = place(line);
    return { x: size.left + x * (size.width - 2 * size.left), y: size.top + y * size.level };
  };
  const edges = new Map();
  const nodes = new Map();
  const drawn = [];
  for (const { line } of DECISIONS) {
    for (const move of "pb") {
      const [from, to] = [at(line), at(line + move)];
      if (ENDS.includes(line + move)) to.y -= size.alone ? 16 : 11; // room for what is paid
      const player = moverAt(line);
      const path = `M${from.x} ${from.y}L${to.x} ${to.y}`;
      const light = svg("path", { d: path, class: `light of-${player}` });
      const edge = svg("path", { d: path, class: `edge of-${player}` });
      const text = size.alone
        ? svg("text", {
            class: "label",
            x: (from.x + to.x) / 2 + (move === "p" ? -9 : 9),
            y: (from.y + to.y) / 2 - 2,
            "text-anchor": move === "p" ? "end" : "start",
          })
        : null;
      edges.set(line + move, { light, edge, text, line, move });
      drawn.push(light, edge, ...(text ? [text] : []));
    }
  }
  for (const line of ENDS) {
    const { x, y } = at(line);
    const pays = payoff(deal, line);
    drawn.push(
      svg("text", { class: `pays of-${pays > 0 ? 0 : 1}`, x, y: y + 5, "text-anchor": "middle" }, signed(pays)),
    );
  }
  for (const { line, player } of DECISIONS) {
    const { x, y } = at(line);
    const key = deal[player] + line;
    const shown = svg("text", {
      class: "worth",
      x: line === "p" ? x - size.radius - 6 : x + size.radius + 6, // where no edge comes from
      y: y - size.radius + 6,
      "text-anchor": line === "p" ? "end" : "start",
    });
    const node = svg(
      "g",
      {
        class: `node of-${player}`,
        role: "button",
        tabindex: reached.has(key) ? "-1" : "0", // each infoset once
        "aria-label": `${key}: ${described(key)}`,
        onclick: () => choose(key),
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose(key);
        },
      },
      svg("circle", { cx: x, cy: y, r: size.radius }),
      svg("text", { x, y: y + 4, "text-anchor": "middle" }, key),
    );
    reached.add(key);
    nodes.set(line, { node, key, shown });
    drawn.push(node, ...(size.alone ? [shown] : []));
  }
  const words = `${CARD_NAMES[deal[0]]} against ${CARD_NAMES[deal[1]]}`;
  const worth = h("span", { class: "deal-worth" });
  const element = h(
    "figure",
    { class: size.alone ? "deal alone" : "deal", dataset: { deal } },
    h("figcaption", {}, h("b", {}, `${deal[0]} – ${deal[1]}`), worth),
    svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": words }, drawn),
  );

  /** Draw a strategy and the best response to it; light the infoset that is chosen. */
  function show({ strategy, actions, chosen, walked }) {
    for (const { light, edge, text, line, move } of edges.values()) {
      const share = probability(strategy, deal, line, move);
      const comes = reach(strategy, deal, line, -1, { others: true });
      const key = keyAt(deal, line);
      edge.setAttribute("stroke-width", String(share > 0 ? 1 + size.thick * share : 0.8));
      edge.classList.toggle("never", share === 0);
      edge.style.opacity = String(0.35 + 0.65 * comes);
      light.classList.toggle("on", actions[key]["pb".indexOf(move)] >= Math.max(...actions[key]) - EVEN);
      if (text) text.textContent = `${infosetOf(key).actions["pb".indexOf(move)]} ${exact(share, 2)}`;
    }
    for (const [line, { node, key, shown }] of nodes) {
      node.classList.toggle("chosen", key === chosen);
      node.setAttribute("aria-pressed", String(key === chosen));
      if (size.alone) shown.textContent = exact(valueAt(strategy, deal, line), 3);
    }
    const value = valueAt(strategy, deal);
    clear(worth, size.alone ? `worth ${exact(value, 3)} to player 0` : decimal(value, 2));
    element.classList.toggle("walked", walked);
  }
  return { element, show };
}

/**
 * Return the panel of the tree.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 */
export function treePanel(store) {
  let trees = [];
  let deal = "all";
  const box = h("div", { class: "trees" });
  const choose = (key) => store.choose(key);
  const buttons = ["all", ...DEALS].map((one) =>
    h(
      "button",
      { type: "button", "aria-pressed": "false", onclick: () => select(one) },
      one === "all" ? "all six" : `${one[0]} – ${one[1]}`,
    ),
  );
  const names = ["all", ...DEALS];

  function select(one) {
    deal = one;
    for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", String(names[i] === deal));
    const reached = new Set();
    trees = (deal === "all" ? DEALS : [deal]).map((name) =>
      dealTree(name, deal === "all" ? SMALL : LARGE, choose, reached),
    );
    box.classList.toggle("all", deal === "all");
    clear(
      box,
      trees.map(({ element }) => element),
    );
    show();
  }

  function show(evaluation = last) {
    last = evaluation;
    if (!evaluation) return;
    const drawn = store.last?.deal;
    for (const tree of trees) {
      const name = tree.element.dataset.deal;
      const walked = Boolean(drawn) && (Array.isArray(drawn) ? drawn.includes(name) : drawn === name);
      tree.show({ strategy: store.state.strategy, actions: evaluation.actions, chosen: store.chosen, walked });
    }
  }
  let last = null;

  const element = h(
    "section",
    { class: "panel tree", "aria-label": "The tree of the game" },
    h(
      "header",
      {},
      h("h3", {}, "Tree"),
      h("div", { class: "choices", role: "group", "aria-label": "deal, player 0’s card first" }, buttons),
    ),
    box,
    h(
      "p",
      { class: "legend" },
      h("span", { class: "key of-0" }, "player 0"),
      h("span", { class: "key of-1" }, "player 1"),
      h("span", { class: "key thick" }, "thickness: how often it is played"),
      h("span", { class: "key lit" }, "lit: best response"),
      h("span", {}, "numbers: chips to player 0, at the ends and of each deal"),
    ),
  );
  select("all");
  return { element, show, select };
}
