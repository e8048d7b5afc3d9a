// Infosets of two runs side by side as their page has them: what is searched for, and what the server finds.
import { count, percent } from "../base/format.js";
import { makeListeners } from "../base/listeners.js";

/** @import { InfosetPairs } from "../base/answers.js" */

/**
 * Return the store of infosets side by side. `subscribe` has a function called after every answer.
 *
 * @param {{read: (search: string) => Promise<InfosetPairs>, search: string}} options read asks the server; search is
 *   what is searched for at first
 */
export function infosetsBesideStore({ read, search }) {
  const { subscribe, changed } = makeListeners();
  const state = {
    search,
    found: /** @type {InfosetPairs | null} */ (null), // null before the first answer
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late

  async function load() {
    const number = ++asked;
    try {
      const found = await read(state.search);
      if (number !== asked) return;
      state.found = found;
    } catch (error) {
      if (number === asked) throw error;
      return;
    }
    changed();
  }

  return {
    state,
    load,

    subscribe,
    /** Search for something else. @param {string} text */
    async searchFor(text) {
      state.search = text;
      await load();
    },
  };
}

/**
 * Return by how much two runs differ, in words.
 *
 * @param {InfosetPairs} found
 * @param {string[]} names of the runs
 */
export function differenceInWords(found, names) {
  const { infosets, mean, largest, total, rows } = found;
  const alone = found.alone.map((number, k) => number > 0 && `${count(number)} are in ${names[k]} alone`);
  const parts = [
    `${count(infosets)} infosets in both`,
    `they differ by ${percent(mean)} on average where play comes, by ${percent(largest)} at most`,
    ...alone,
    total > rows.length && `the ${count(rows.length)} that differ most are shown`,
  ];
  return parts.filter(Boolean).join("; ");
}

/** @typedef {ReturnType<typeof infosetsBesideStore>} InfosetsBesideStore */
