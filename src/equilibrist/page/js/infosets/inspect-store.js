// A solved game as its page has it: which tabs there are, which one the address names, and what was shown before.

/** @import { Overview } from "../base/answers.js" */

const MOST_SEARCHED = 1_000_000; // histories
const TABS = { infosets: "Infosets", tree: "Tree", explain: "Explain", exploit: "Exploit" };
const OF_HISTORIES = ["tree", "explain"]; // tabs that look for a history of the infoset that is chosen

/**
 * Return the store of the page of a solved game.
 *
 * @param {{about: Pick<Overview, "classes" | "histories">, query: URLSearchParams}} options query is that of the address
 */
export function inspectStore({ about, query }) {
  /** @type {Record<string, string>} */
  const tabs = about.classes.length ? { grid: "Grid", ...TABS } : TABS;
  const first = Object.keys(tabs)[0]; // the grid of hands before the flop, else the infosets: it has no name in the address
  const isTooLarge = (about.histories ?? Infinity) > MOST_SEARCHED; // to look for a history of an infoset
  const state = {
    fields: query, // those of the address
    drawn: /** @type {URLSearchParams | null} */ (null), // those of what is shown; null before the first place
  };
  let places = 0; // so far: what comes of an earlier one comes too late

  return {
    state,
    tabs,
    first,

    /** Return the name of the tab that is wanted. */
    tab() {
      const wanted = state.fields.get("tab") || first;
      return wanted in tabs ? wanted : first;
    },

    /** Return the fields of the address as a record, with some of them changed. */
    fieldsWith: (changes) => ({ ...Object.fromEntries(state.fields), ...changes }),

    /** Return the changes of fields that lead to a tab. @param {string} tab */
    changesTo(tab) {
      const place = isTooLarge && OF_HISTORIES.includes(tab) ? { infoset: "", of: "" } : {};
      return { tab: tab === first ? "" : tab, ...place };
    },

    /**
     * Want another place; return functions that say, once it is known whether it can be shown, that it is, or that what was
     * shown before is shown again: false where somebody has gone on since, or nothing was.
     *
     * @param {URLSearchParams} fields
     */
    open(fields) {
      const number = ++places;
      state.fields = fields;
      return {
        keep() {
          if (number !== places) return false;
          state.drawn = fields;
          return true;
        },
        goBack() {
          if (number !== places || !state.drawn) return false;
          state.fields = state.drawn;
          return true;
        },
      };
    },
  };
}

/** @typedef {ReturnType<typeof inspectStore>} InspectStore */
