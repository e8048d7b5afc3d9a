// Bet sizes of a spot as their table has them: those of both players or of one, of all streets or of one.
import { inherited, PARTS, partsOf, sizesOfTools, STREETS } from "./spot-settings.js";

/** Sizes by row: of all streets ("bets") or of one, each [bet, raise, donk]. @typedef {Record<string, string[]>} SizeRows */

/** Sizes that many use, by name. */
export const USUAL = {
  "One size": "50%; 3x",
  "Two sizes": "33%, 75%; 2.5x",
  "Three sizes": "33%, 75%, 150%; 2.5x, a",
  Geometric: "e; e",
  "All-in only": "a; a",
};
const BOTH = "both";

/**
 * Return the store of bet sizes.
 *
 * @param {{cards: () => number}} options cards() is how many cards the board has
 */
export function sizesStore({ cards }) {
  const state = {
    sizes: /** @type {Record<string, SizeRows>} */ ({ both: {}, oop: {}, ip: {} }),
    scope: BOTH, // whose sizes are seen: "both", "oop" or "ip"
  };

  /** Return the streets that are still to come. */
  const streets = () => STREETS.slice(Math.max(0, cards() - 3));

  return {
    state,

    /** Return the rows of the table. */
    rows: () => ["bets", ...streets()],

    /** Return the columns: who acts last makes no donk bets. */
    parts: () => (state.scope === "ip" ? PARTS.slice(0, 2) : PARTS),

    /** Return a cell: what is typed, what holds where nothing is, and whether nothing can be. */
    cell(row, place) {
      const { sizes, scope } = state;
      const isFirstDonk = row === streets()[0] && PARTS[place] === "donk"; // no street comes before it
      return {
        value: sizes[scope][row]?.[place] ?? "",
        placeholder: inherited(sizes, scope, row, place),
        disabled: isFirstDonk && cards() < 5,
      };
    },

    /** Return whether a player has sizes of its own. */
    hasOwn: (scope) => scope !== BOTH && Object.values(state.sizes[scope]).some((parts) => parts.some(Boolean)),

    /** Take over all sizes. @param {Record<string, SizeRows>} sizes */
    set(sizes) {
      state.sizes = sizes;
    },

    /** Show the sizes of both players or of one. @param {string} scope */
    show(scope) {
      state.scope = scope;
    },

    /** Take over what is typed in a cell, in the words of this or of another tool. */
    type(row, place, text) {
      const rows = state.sizes[state.scope];
      rows[row] ??= PARTS.map(() => "");
      rows[row][place] = sizesOfTools(text.trim());
    },

    /** Use sizes that many use, on all streets. @param {string} name */
    use(name) {
      state.sizes[state.scope].bets = partsOf(USUAL[name]);
    },
  };
}

/** @typedef {ReturnType<typeof sizesStore>} SizesStore */
