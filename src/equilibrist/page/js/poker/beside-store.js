// Two decisions of spots side by side: their hands with what differs, in the unit of the page, and which are seen.
import { makeListeners } from "../base/listeners.js";
import { evNumber } from "../base/units.js";
import { byClassOf } from "./beside.js";

const USUAL = "difference";

/**
 * Return what a map can show, each with its title: how different hands are played, their EV, or how often an action is.
 *
 * @param {string[]} actions
 */
export const measuresOf = (actions) => [
  [USUAL, "How different"],
  ["ev_difference", "EV, second − first"],
  ...actions.map((action) => [action, `${action}, second − first`]),
];

/**
 * Return the store of two decisions. `subscribe` has a function called after every change, with what has changed: "hands"
 * (which are seen, and what is shown of them) or "unit" (all numbers that are told in one).
 *
 * @param {{found: any, fields: any, set: (changes: any) => void}} options found is what the server answers; set changes
 *   the fields of the address
 */
export function besideStore({ found, fields, set }) {
  const { subscribe, changed } = makeListeners();
  const { sides, actions } = found;
  const names = measuresOf(actions).map(([name]) => name);
  const state = {
    hands: /** @type {any[]} */ ([]), // with the difference of their EV
    classes: byClassOf([]),
    measure: names.includes(fields.what) ? fields.what : USUAL,
  };

  /** Return by how much an EV of the second is more than that of the first; null where one is not known. */
  function changeOfEv([first, second]) {
    if (first === null || second === null) return null;
    return evNumber(second, sides[1].pot) - evNumber(first, sides[0].pot);
  }

  /** Write what is told in a unit anew. */
  function count() {
    state.hands = found.hands.map((row) => ({ ...row, ev_difference: changeOfEv(row.ev) }));
    state.classes = byClassOf(state.hands);
  }
  count();

  return {
    state,
    changeOfEv,

    subscribe,
    /** Return the hands that are listed: all, or those of a class. */
    listed: () => state.hands.filter((row) => !fields.hand || row.class === fields.hand),

    /** See the hands of a class, or all: "". */
    pick(name) {
      set({ hand: name });
      changed("hands");
    },

    /** Show another measure on the map. */
    showMeasure(name) {
      state.measure = name;
      set({ what: name });
      changed("hands");
    },

    /** Tell numbers in the unit that fields of the address name. */
    tellIn(changes) {
      Object.assign(fields, changes);
      count();
      changed("unit");
    },
  };
}

/** @typedef {ReturnType<typeof besideStore>} BesideStore */
