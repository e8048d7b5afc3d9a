// A batch as its page has it: the last answer of the server, and the filters and choices of the address.
import { href } from "../base/address.js";
import { makeListeners } from "../base/listeners.js";

/** @import { BatchOfBoards, BatchOfRuns } from "../base/answers.js" */
/** @typedef {BatchOfBoards | BatchOfRuns} Batch */

/**
 * Return the store of the page of a batch. `subscribe` has a function called after every change, with what has changed:
 * "about" (the answer), "fields", or "asked" (fields for which the server is asked).
 *
 * @param {{batch: string, read: (line: string) => Promise<Batch>, query: URLSearchParams}} options
 *   batch is its id; read asks the server for it, at a line of a report over boards; query is that of the address
 */
export function batchViewStore({ batch, read, query }) {
  const { subscribe, changed } = makeListeners();
  /** @type {Record<string, string>} */
  const fields = Object.fromEntries(query);
  const state = {
    about: /** @type {any} */ (null), // the answer; null before the first one
    fields, // by their names in the address; always the same record
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late
  let line = fields.line; // of the answer

  /** Name the line of the answer that is there. */
  function goBack() {
    if (line === undefined) delete fields.line;
    else fields.line = line;
    changed("fields");
  }

  /** Ask the server; where it has nothing for a line, that of the answer before is named again. */
  async function load() {
    const number = ++asked;
    const wanted = fields.line;
    try {
      const about = await read(wanted);
      if (number !== asked) return;
      state.about = about;
      line = wanted;
      changed("about");
    } catch (error) {
      if (number !== asked) return;
      if (error.name !== "AbortError") goBack();
      throw error;
    }
  }

  return {
    state,
    load,

    subscribe,
    /** Change fields; `again` where they take another answer. */
    async change(changes, { again = false } = {}) {
      Object.assign(fields, changes);
      changed(again ? "asked" : "fields");
      if (again) await load();
    },

    /** Return the address of what is shown. */
    address: () => href(`/batches/${encodeURIComponent(batch)}`, fields),
  };
}

/** @typedef {ReturnType<typeof batchViewStore>} BatchViewStore */
