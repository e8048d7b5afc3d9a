// Saved ranges and settings of spots as their page has them: the rows, the one that is open, and what its form says.
import { href } from "../base/address.js";
import { del, patch, post, put } from "../base/api.js";
import { makeListeners } from "../base/listeners.js";

/**
 * Return how many cards the hands of a saved range have.
 *
 * @param {any} row
 */
export const holeCardsOf = (row) => row.hole_cards ?? 2;

/**
 * What the page of ranges shows. The text of the range as it is painted is the painter's own.
 *
 * @typedef {object} SavedRanges
 * @property {any[]} ranges rows of saved and usual ranges
 * @property {any[]} spots rows of saved settings of spots
 * @property {any | null} loaded the row of the range that is open
 * @property {string} missing the name that was to be opened where nothing has it, else empty
 * @property {string} text of the range as it was opened
 * @property {string} name as typed
 * @property {string} position as typed
 * @property {number} holeCards how many cards the hands of the open range have
 */

/**
 * Return the store of the page of ranges. `subscribe` has a function called after every change, with what has changed:
 * "ranges", "spots", "loaded" or "typed".
 *
 * @param {{readRows: (kind: string) => Promise<any[]>}} options readRows asks the server for the rows of a kind
 */
export function rangeStore({ readRows }) {
  const { subscribe, changed } = makeListeners();
  /** @type {SavedRanges} */
  const state = {
    ranges: [],
    spots: [],
    loaded: null,
    missing: "",
    text: "",
    name: "",
    position: "",
    holeCards: 2,
  };

  /** Ask for all rows. */
  async function read() {
    state.ranges = await readRows("range");
    changed("ranges");
    state.spots = await readRows("spot");
    changed("spots");
  }

  return {
    state,
    read,

    subscribe,
    /**
     * Open the range of an address, by its name, its text, or both.
     *
     * @param {URLSearchParams} query
     */
    open(query) {
      const name = query.get("name") ?? "";
      const loaded = state.ranges.find((row) => row.name === name) ?? null;
      state.loaded = loaded;
      state.missing = loaded ? "" : name;
      state.text = query.get("text") ?? loaded?.text ?? "";
      state.name = loaded?.usual ? "" : (loaded?.name ?? "");
      state.position = loaded?.position ?? "";
      state.holeCards = loaded ? holeCardsOf(loaded) : Number(query.get("cards") ?? 2);
      changed("loaded");
    },

    /**
     * Take over what the form says.
     *
     * @param {{name?: string, position?: string}} fields
     */
    type(fields) {
      Object.assign(state, fields);
      changed("typed");
    },

    /** Return whether the range that is open is one of one's own, which can be renamed and deleted. */
    isOwn: () => Boolean(state.loaded) && !state.loaded.usual,

    /** Return the address of a range as it is painted; null where it is that of the range that is open. */
    addressOf(text) {
      if (state.loaded?.text === text) return null;
      return href("/ranges", { name: state.loaded?.name, text, ...(state.holeCards === 4 && { cards: 4 }) });
    },

    /** Save a range under the name that is typed. */
    async save(text) {
      const { name, position, holeCards } = state;
      const saved = await put("/presets", { kind: "range", name, position, text, hole_cards: holeCards });
      await read();
      return saved;
    },

    /** Give the range that is open the name that is typed. */
    async rename() {
      const saved = await patch("/presets", { kind: "range", name: state.loaded.name, to: state.name });
      await read();
      return saved;
    },

    /** Delete the range that is open, and return what it was. */
    async remove() {
      const gone = await del("/presets", { kind: "range", name: state.loaded.name });
      await read();
      return gone;
    },

    /**
     * Save again what was deleted.
     *
     * @param {{name: string, position: string, text?: string, hole_cards?: number}} gone
     */
    async restore(gone) {
      const { name, position, text } = gone;
      await put("/presets", { kind: "range", name, position, text, hole_cards: holeCardsOf(gone) });
      await read();
    },

    /**
     * Save what files have, and return what was added; what was added before a file that is refused stays.
     *
     * @param {File[]} files
     */
    async importFiles(files) {
      const added = [];
      try {
        for (const file of files) {
          const name = file.webkitRelativePath || file.name;
          const answer = await post("/presets/file", { name, text: await file.text() });
          added.push(...answer.added);
        }
      } finally {
        await read();
      }
      return added;
    },
  };
}

/** @typedef {ReturnType<typeof rangeStore>} RangeStore */
