// A range in classes: its weights hand by hand, summed up for the grid.
import { percent } from "../base/format.js";
import { CLASSES, handsOf } from "./grid.js";

/** Return whether a hand holds no card of the board. */
export const free = (hand, board) => !board.some((card) => hand.includes(card));

/** Return the hands of a class that the cards of a board leave. */
export const possible = (name, board) => handsOf(name).filter((hand) => free(hand, board));

/** Return the weight of a class, or null where its hands differ. */
export function weightOf(name, weights, board) {
  const hands = possible(name, board);
  const several = new Set((hands.length ? hands : handsOf(name)).map((hand) => weights.get(hand) ?? 0));
  return several.size === 1 ? [...several][0] : null;
}

/** Return the cells of the grid, how many hands there are by weight, and their share of all that are possible. */
export function rangeCells(weights, board) {
  const cells = new Map();
  let [combos, all] = [0, 0];
  for (const name of CLASSES) {
    const hands = possible(name, board);
    const total = hands.reduce((sum, hand) => sum + (weights.get(hand) ?? 0), 0);
    const mean = hands.length ? total / hands.length : 0;
    const many = `${Number(total.toFixed(2))} of ${hands.length} ${hands.length === 1 ? "hand" : "hands"}`;
    const mixed = weightOf(name, weights, board) === null;
    combos += total;
    all += hands.length;
    cells.set(name, {
      weight: mean,
      segments: [{ colour: mixed ? "var(--range-mixed)" : "var(--range)", share: 1 }],
      muted: !hands.length,
      title: hands.length ? `${name}: ${percent(mean, 0)}, ${many}` : `${name}: none is possible on this board`,
    });
  }
  return { cells, combos, share: combos / all };
}
