// What choices at a table have cost, summed up by one of several things.
import { makeListeners } from "../base/listeners.js";

/** @import { HistoryScores } from "../base/answers.js" */

/**
 * Return the store of what choices at a table have cost. `subscribe` has a function called after every answer.
 *
 * @param {{groups: string[], read: (by: string) => Promise<HistoryScores>}} options groups are what it is summed up by,
 *   the first one first; read asks the server
 */
export function lostStore({ groups, read }) {
  const { subscribe, changed } = makeListeners();
  const state = {
    by: groups[0],
    found: /** @type {HistoryScores | null} */ (null), // summed up by found.by; null before the first answer
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late

  async function load() {
    const number = ++asked;
    const found = await read(state.by);
    if (number !== asked) return;
    state.found = found;
    changed();
  }

  return {
    state,
    load,

    subscribe,
    /** Sum up by something else. @param {string} by */
    async sumBy(by) {
      state.by = by;
      await load();
    },
  };
}

/** @typedef {ReturnType<typeof lostStore>} LostStore */
