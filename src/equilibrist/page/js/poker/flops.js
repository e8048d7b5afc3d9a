// From a solved game before the flop to the spot after it: a line and a board, and the ranges that come there.
import { get, post } from "../base/api.js";
import { field, h } from "../base/dom.js";
import { chips } from "../base/format.js";
import { dialog } from "../parts/dialog.js";
import { failed } from "../parts/toast.js";
import { boardPicker } from "./board.js";

/** Return a button that asks for a line and a board, and opens the spot to which they lead. */
export const flopButton = ({ run, navigate }) =>
  h(
    "button",
    {
      class: "button small",
      type: "button",
      title: "The spot after the flop, with the ranges that come there",
      onclick: () => toFlop(run, navigate).catch(failed),
    },
    "To a flop …",
  );

async function toFlop(run, navigate) {
  const { lines } = await get("/runs/{run}/flops", { run });
  const line = h(
    "select",
    {},
    lines.map((one) =>
      h("option", { value: one.line }, `${one.line}: pot ${chips(one.pot)}, ${chips(one.stack)} behind (bb)`),
    ),
  );
  const bets = h("input", { type: "text", value: "50%, a; a", autocomplete: "off", spellcheck: "false" });
  const picker = boardPicker({});
  const found = await dialog({
    title: "To a flop",
    body: [
      field("After", line, { name: "line" }),
      picker,
      field("Bet sizes", bets, { name: "bets", help: "50% of the pot, 2.5x the bet, a all-in" }),
    ],
    action: "Open the spot",
    run: () => post("/runs/{run}/flops", { run, line: line.value, board: picker.cards.join(""), bets: bets.value }),
  });
  if (found) await navigate("/new/spot", { spot: JSON.stringify(found.settings) });
}
