// A hand that was played, with all its choices.
import { get } from "../base/api.js";
import { h } from "../base/dom.js";
import { gameInWords } from "../base/words.js";
import { dialog } from "../parts/dialog.js";
import { failed } from "../parts/toast.js";
import { reviewOf, verdict } from "./review.js";

/**
 * Show a hand with all its choices.
 *
 * @param {{table_id: string, number: number, game: string}} row
 */
export async function showHand(row) {
  try {
    const hand = await get("/tables/{table}/hands/{hand}", { table: row.table_id, hand: row.number });
    const state = { players: hand.payoffs.length || 2, ...hand.table };
    await dialog({
      title: `Hand ${row.number} of ${gameInWords(row.game)}`,
      wide: true,
      action: "Close",
      body: [
        hand.payoff !== null && verdict({ reason: "it was not computed.", ...state }, hand),
        h("div", { class: "review" }, reviewOf(state, hand)),
      ],
    });
  } catch (error) {
    failed(error);
  }
}
