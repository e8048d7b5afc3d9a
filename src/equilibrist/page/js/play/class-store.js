// A class, as its page has it: the filters of the address, what its pupils chose, and the sums of each.
import { chosenName } from "../base/choices.js";
import { makeListeners } from "../base/listeners.js";

/** @import { DecisionRow, ScoreRow, TableRows } from "../base/answers.js" */
/** @typedef {{sums: ScoreRow[], total: number, decisions: DecisionRow[], tables: TableRows}} ClassRead */

/** How long ago choices may have been made, with its seconds. */
export const PERIODS = { "": ["all time", null], hour: ["the last hour", 3600], day: ["the last 24 hours", 86_400] };
const FILTERS = ["pupil", "run"];

/**
 * Return the store of a class. `subscribe` has a function called after every answer that brings something new.
 *
 * @param {{
 *   read: (question: {order: string, filters: Record<string, any>, everybody: Record<string, any>}) => Promise<ClassRead>,
 *   query: URLSearchParams,
 *   now?: () => number,
 * }} options read asks the server, for choices by `filters` and for sums of everybody; query is that of the address;
 *   now tells the seconds since 1970
 */
export function classStore({ read, query, now = () => Date.now() / 1000 }) {
  const { subscribe, changed } = makeListeners();
  const order = query.get("order") ?? "played";
  const names = FILTERS.filter((name) => query.get(name));
  /** @type {Record<string, any>} */
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name)]));
  const state = {
    order,
    period: chosenName(PERIODS, "period", query.get("within"), ""),
    filters,
    read: /** @type {ClassRead | null} */ (null),
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late
  let last = ""; // what the last answer brought

  return {
    state,

    subscribe,
    async load() {
      const number = ++asked;
      const question = { order: state.order, filters: this.fieldsOfApi(), everybody: this.fieldsOfApi(["run"]) };
      const found = await read(question);
      if (number !== asked) return;
      const { tables, ...played } = found;
      const told = JSON.stringify([played, tables.live]);
      if (told === last) return; // the page stays as it is, with its focus
      last = told;
      state.read = found;
      changed();
    },

    /** Return the filters as the API takes them, or some of them. */
    fieldsOfApi(wanted = FILTERS) {
      const seconds = PERIODS[state.period][1];
      const kept = Object.entries(filters).filter(([name]) => wanted.includes(name));
      return { ...Object.fromEntries(kept), since: seconds === null ? null : Math.round(now() - seconds) };
    },

    /** Return the fields of an address with some of them changed; null takes one away. */
    fields: (changes) => ({
      order: state.order === "played" ? null : state.order,
      within: state.period || null,
      ...filters,
      ...changes,
    }),

    /** Return the runs at which there are tables. */
    runs() {
      const runs = (state.read?.tables.tables ?? []).map(({ run }) => run);
      return [...new Set([filters.run, ...runs])].filter(Boolean).sort();
    },
  };
}

/** @typedef {ReturnType<typeof classStore>} ClassStore */
