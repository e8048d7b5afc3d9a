// What is played on each of many boards, as bars side by side.
import { svg } from "../base/dom.js";
import { percent } from "../base/format.js";
import { actionsOf } from "./board-rows.js";
import { coloursOf } from "./board-columns.js";

const GAP = 0.08; // on both sides of a bar, of the room that it has
const DENSE = 300; // bars from which they have no gaps

/**
 * Return a stacked bar for each row, in their order; onChoose(row) is told of a click. The table says the same to those
 * who see no bars.
 *
 * @param {any[]} rows
 * @param {(row: any) => void} onChoose
 */
export function boardBars(rows, onChoose) {
  const actions = actionsOf(rows);
  const colours = coloursOf(actions);
  const gap = rows.length > DENSE ? 0 : GAP;
  const bars = rows.map((row, x) => {
    const words = actions.map((action) => `${action} ${percent(row[action] ?? 0)}`);
    let top = 1;
    const parts = actions.map((action, place) => {
      const height = row[action] ?? 0;
      top -= height;
      return svg("rect", { x: x + gap, y: top, width: 1 - 2 * gap, height, css: { fill: colours[place] } });
    });
    return svg("g", { onclick: () => onChoose(row) }, svg("title", {}, `${row.board}: ${words.join(", ")}`), parts);
  });
  return svg(
    "svg",
    {
      class: "board-bars",
      viewBox: `0 0 ${Math.max(1, rows.length)} 1`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "What is played on each board, in the order of the table",
    },
    bars,
  );
}
