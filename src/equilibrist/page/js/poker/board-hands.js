// What each class of hands plays over boards: on one of them, or in the mean of many.
import { h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { ev } from "../base/units.js";
import { cardRow } from "../cards/cards.js";
import { rangeGrid } from "../cards/grid.js";
import { coloursOf } from "./board-columns.js";
import { actionsOf, dealsOf } from "./board-rows.js";
import { byClass } from "./hands.js";

/** Return the classes of rows, each class of each board as a row of hands.js: its weight is that of its deals. */
const classRows = (rows) =>
  rows.flatMap((row) =>
    Object.entries(row.classes ?? {}).map(([name, [probability, own, equity, ...mix]]) => {
      const weight = dealsOf(row) * probability;
      return { name, range: weight, probability: weight, ev: own, equity, mix };
    }),
  );

/** Return the cells of a grid for some rows. */
export function classCells(rows) {
  const actions = actionsOf(rows);
  const colours = coloursOf(actions);
  const cells = new Map();
  for (const [name, { ev: mean, equity, mix }] of byClass(classRows(rows))) {
    if (!mix) continue;
    const words = actions.map((action, place) => `${action} ${percent(mix[place])}`).join(", ");
    cells.set(name, {
      segments: mix.map((share, place) => ({ share, colour: colours[place] })),
      title: `${name}: ${words}; EV ${ev(mean, rows[0].pot)}, equity ${percent(equity)}`,
    });
  }
  return cells;
}

/**
 * Return the grid of a board, or of the mean over rows where no board is chosen, below who holds the hands.
 *
 * @param {any[]} rows
 * @param {any} chosen a row, or null
 */
export function boardHands(rows, chosen) {
  const whose = chosen ? cardRow(chosen.board, { size: "small" }) : `mean of ${rows.length} boards`;
  return [
    h("h3", {}, `${rows[0].player}, hands by class: `, whose),
    rangeGrid({ cells: classCells(chosen ? [chosen] : rows), label: "The 169 classes of hands" }),
  ];
}
