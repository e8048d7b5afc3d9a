// The library: runs and reports of the folder, which of them are listed, and in what order.
import { makeListeners } from "../base/listeners.js";
import { fits } from "../base/words.js";

/** @import { BrokenLibraryRun, LibraryRun } from "../base/answers.js" */
/** @typedef {LibraryRun | BrokenLibraryRun} AnyRun */

const USUAL_SORT = "saved"; // the newest first
const FILTER = /[<>=:]/; // what a search has whose words the server reads

/**
 * What the library shows.
 *
 * @typedef {object} LibraryState
 * @property {{runs: AnyRun[], reports: any[], deleted: any[], folder: string}} data as the server has it
 * @property {boolean} showsReports or runs
 * @property {string} search
 * @property {Set<string> | null} filtered ids that a search with filters finds
 * @property {string} refused why such a search cannot be read, or ""
 * @property {{key: string, descending: boolean}} sort
 * @property {Set<string>} chosen ids of runs
 */

/**
 * Return the store of the library. `subscribe` has a function called after every change of what is shown.
 *
 * @param {{read: () => Promise<any>, find: (search: string) => Promise<{runs: AnyRun[]}>, query: URLSearchParams}} options
 *   read gives all runs and reports, find those that fit a search with filters; query is that of the address
 */
export function libraryStore({ read, find, query }) {
  const { subscribe, changed } = makeListeners();
  /** @type {LibraryState} */
  const state = {
    data: { runs: [], reports: [], deleted: [], folder: "" },
    showsReports: query.get("show") === "reports",
    search: query.get("search") ?? "",
    filtered: null,
    refused: "",
    sort: { key: query.get("sort") ?? USUAL_SORT, descending: (query.get("order") ?? "down") === "down" },
    chosen: new Set(),
  };
  let reads = 0; // of the folder: what an earlier one finds comes too late

  function tellChange() {
    state.showsReports &&= state.data.reports.length > 0;
    changed();
  }

  const isListed = (row) => {
    if (row.batch && !state.search) return false; // those of a batch stand in its report
    return state.filtered ? state.filtered.has(row.id) : fits(state.search, row);
  };

  /** Ask the server for the runs of a search that has filters; words alone are looked for here. */
  async function filter() {
    const { search } = state;
    state.filtered = null;
    state.refused = "";
    try {
      const { runs } = FILTER.test(search) ? await find(search) : { runs: null };
      if (search !== state.search) return;
      state.filtered = runs && new Set(runs.map((run) => run.id));
    } catch (error) {
      if (error.status !== 400) throw error;
      if (search !== state.search) return;
      state.refused = error.message;
    }
    tellChange();
  }

  /** Read the folder. */
  async function load() {
    const number = ++reads;
    const data = await read();
    if (number === reads) state.data = data;
  }

  return {
    state,
    load,
    filter,

    subscribe,
    /** Read the folder, and filter it anew. */
    async reload() {
      await load();
      await filter();
    },

    rows: () => state.data.runs.filter(isListed),
    reports: () => state.data.reports.filter((row) => fits(state.search, row)),

    /** Return the ids of chosen runs that are still there, and how many of them are not listed. */
    selection() {
      const { chosen, data } = state;
      for (const id of chosen) if (!data.runs.some((row) => row.id === id)) chosen.delete(id);
      const listed = data.runs.filter((row) => chosen.has(row.id) && isListed(row));
      return { ids: [...chosen], hidden: chosen.size - listed.length };
    },

    /** List reports, or runs. */
    list(showsReports) {
      state.showsReports = showsReports;
      tellChange();
    },

    /** Return the fields of the address of what is shown; what is usual has none. */
    fields() {
      const { search, sort, showsReports } = state;
      return {
        search,
        sort: sort.key === USUAL_SORT && sort.descending ? "" : sort.key,
        order: sort.descending ? "" : "up",
        show: showsReports ? "reports" : "",
      };
    },
  };
}

/** @typedef {ReturnType<typeof libraryStore>} LibraryStore */
