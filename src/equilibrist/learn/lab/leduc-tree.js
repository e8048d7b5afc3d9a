// The tree of the Leduc lab: public states, folded, each with what its three hands do.
import { clear, h } from "../../page/js/base/dom.js";
import { CARDS, CHANCES, moveInWords, STATES } from "./leduc-game.js";
import { reachesTo } from "./leduc-judge.js";
import { SHOWN } from "./leduc-store.js";
import { choice, panel } from "./regret-controls.js";
import { percent } from "./regret-numbers.js";

/** @typedef {import("./leduc-store.js").LeducStore} LeducStore */
/** @typedef {import("./leduc-game.js").PublicState} PublicState */

const ROUNDING = 1e-9;

/** Return how many moves and cards lead to a state. */
const depthOf = (state) => (state.above < 0 ? 0 : 1 + depthOf(STATES[state.above]));

/** Return the move that led to a state in words. @param {PublicState} state */
function lastMove(state) {
  if (state.above < 0) return "start";
  const above = STATES[state.above];
  const move = above.moves[above.next.indexOf(state.index)];
  return above.kind === "turn" ? `public card ${move}` : moveInWords(above, move);
}

/** Return what happens at a state in words. @param {PublicState} state */
function eventOf({ kind, player }) {
  if (kind === "decision") return `player ${player} to act`;
  if (kind === "turn") return "public card to come";
  return kind === "fold" ? `player ${1 - player} wins` : "showdown";
}

/** Return how often play comes to a state, from the reaches of both players' hands. */
function frequencyOf(index, reaches) {
  const [first, second] = reaches;
  return CHANCES[index].reduce((sum, chance, pair) => {
    const one = Math.floor(pair / CARDS.length);
    const other = pair % CARDS.length;
    return sum + chance * first[one] * second[other];
  }, 0);
}

/** Return a share that is never told as 0 or 100 % where it is not. */
function shareInWords(share) {
  if (share > ROUNDING && share < 0.005) return "<1 %";
  if (share < 1 - ROUNDING && share > 0.995) return ">99 %";
  return percent(share);
}

/** Return the bar of a hand: how often it takes each move, pale where its own moves seldom lead there. */
function handBar(state, hand, row, reach) {
  const words = state.moves.map((move, k) => `${moveInWords(state, move)} ${shareInWords(row[k])}`);
  const label = `${CARDS[hand]}: ${words.join(", ")}`;
  const segments = state.moves.map((move, k) =>
    h("i", { class: `move-${move}`, css: { "flex-grow": String(row[k]) } }),
  );
  const bar = h("span", { class: "bar", css: { opacity: String(0.3 + 0.7 * Math.min(1, reach)) } }, segments);
  return h("span", { class: "hand", role: "img", "aria-label": label, title: label }, h("b", {}, CARDS[hand]), bar);
}

/**
 * Return the panel of the tree.
 *
 * @param {LeducStore} store
 */
export function treePanel(store) {
  const shown = choice("Whose play is shown", SHOWN, (name) => store.show(name));
  const rows = h("div", { class: "tree-rows" });
  const legend = h(
    "p",
    { class: "legend" },
    h("i", { class: "move-f" }),
    "fold ",
    h("i", { class: "move-c" }),
    "check or call ",
    h("i", { class: "move-r" }),
    "bet or raise. Pale: this hand seldom comes here. The per cent say how often play does.",
  );
  /** @type {Map<number, ReturnType<typeof rowOf>>} */
  const made = new Map(); // rows are made once, so that their buttons keep the focus

  /** Return the row of a state, and a function that shows what a strategy does there. @param {PublicState} state */
  function rowOf(state) {
    const { index, kind, player, paid, next } = state;
    const sign = h("span");
    const toggle = h(
      "button",
      { type: "button", onclick: () => store.toggle(index) },
      sign,
      h("span", { class: "sr" }, ` ${lastMove(state)}`),
    );
    const hands = h("span", { class: "hands" });
    const often = h("span", { class: "often", title: "how often play comes here" });
    const style = kind === "decision" ? `of-${player}` : "";
    const element = h(
      "div",
      { class: `tree-row ${kind}`, css: { "--depth": String(depthOf(state)) }, "data-state": index },
      h("span", { class: "fold-button" }, next.length > 0 && toggle),
      h("span", { class: "move" }, h("b", {}, lastMove(state)), " ", h("small", { class: style }, eventOf(state))),
      hands,
      h("span", { class: "pot", title: "chips in the pot" }, `${paid[0] + paid[1]}`),
      often,
    );

    function show(strategy) {
      const isOpen = store.state.open.has(index);
      toggle.setAttribute("aria-expanded", String(isOpen));
      clear(sign, isOpen ? "−" : "+");
      const reaches = reachesTo(strategy, index);
      clear(often, shareInWords(frequencyOf(index, reaches)));
      const rows = strategy[index];
      clear(
        hands,
        rows.map((row, hand) => handBar(state, hand, row, reaches[player][hand])),
      );
    }
    return { element, show };
  }

  function show() {
    shown.show(store.state.shown);
    const strategy = store.strategy();
    const visible = store.visible().map((state) => {
      const row = made.get(state.index) ?? rowOf(state);
      made.set(state.index, row);
      row.show(strategy);
      return row.element;
    });
    clear(rows, visible);
  }
  return { element: panel("The tree, by what both see", shown.box, rows, legend), show };
}
