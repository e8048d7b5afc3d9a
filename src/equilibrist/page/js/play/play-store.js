// A table at which somebody plays: its state, and what is asked of the server, one thing at a time.
import { makeListeners } from "../base/listeners.js";

/** @import { TableState } from "../base/answers.js" */

const OUT_OF_DATE = 409; // of a choice that was made already, or at a hand that is over

/**
 * Return the store of a table. `subscribe` has a function called after every change, with what has changed: "table",
 * "busy" (whether the server is asked), or "told".
 *
 * @param {{
 *   first: TableState,
 *   read: () => Promise<TableState>,
 *   deal: () => Promise<TableState>,
 *   move: (choice: {hand: number, step: number, action: string}) => Promise<TableState>,
 * }} options first is its state; read asks for it again, deal for the next hand, move makes a choice
 */
export function playStore({ first, read, deal, move }) {
  const { subscribe, changed } = makeListeners();
  const state = {
    table: first,
    isBusy: false, // whether the server is asked: nothing can be chosen
    told: "", // why the table is another one than it was here
  };

  function setTable(table) {
    state.table = table;
    changed("table");
  }

  function setBusy(isBusy) {
    state.isBusy = isBusy;
    changed("busy");
  }

  const hasHand = (table) => Boolean(table.turn || table.last);

  /** Show the table as it stands at the server, where it is another than the one here, and say why; deal where no hand is. */
  async function catchUp(sentence) {
    state.told = sentence;
    changed("told");
    const table = await read();
    setTable(hasHand(table) ? table : await deal());
  }

  /** Ask the server for another state of the table, unless it is asked already. */
  async function send(request) {
    if (state.isBusy) return;
    setBusy(true);
    try {
      setTable(await request());
    } catch (error) {
      if (error.status !== OUT_OF_DATE) throw error;
      await catchUp(error.message); // nothing can be chosen until it is shown
    } finally {
      setBusy(false);
    }
  }

  return {
    state,

    subscribe,
    /** Deal the next hand. */
    next: () => send(deal),

    /** Deal the first hand, where the table has none. */
    async begin() {
      if (!hasHand(state.table)) await send(deal);
    },

    /** Choose an action; nothing where nobody is asked for one. @param {string} action */
    async act(action) {
      const { turn } = state.table;
      if (!turn) return;
      const { hand, step } = turn;
      await send(() => move({ hand, step, action }));
    },
  };
}

/** @typedef {ReturnType<typeof playStore>} PlayStore */
