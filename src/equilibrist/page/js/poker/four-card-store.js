// A range of Omaha as it is written: its text, and what the server says of it.
import { later } from "../base/dom.js";
import { makeListeners } from "../base/listeners.js";

/** @import { RangeText } from "../base/answers.js" */

const READ_PAUSE = 250; // ms without a key before a text is read

/**
 * What is known of a range.
 *
 * @typedef {object} FourCardRange
 * @property {string} text as it stands in its field
 * @property {RangeText | null} facts of the text; null while it is read, and where it cannot be
 * @property {any} error what is wrong with it, or null
 */

/**
 * Return the store of a range. `subscribe` has a function called after every change, with what has changed: "text" (by
 * another than who types), "facts", or "range": all that a reader of the range wants to know.
 *
 * @param {{ask: (request: any) => Promise<RangeText>, board: () => string[]}} options ask sends a text to the server
 */
export function fourCardStore({ ask, board }) {
  const { subscribe, changed } = makeListeners();
  /** @type {FourCardRange} */
  const state = { text: "", facts: null, error: null };
  let asked = 0; // requests so far: an answer to an earlier one comes too late

  function tell(facts, error) {
    state.facts = facts;
    state.error = error;
    changed("facts");
  }

  /** Ask what the text is; `isNew` where readers of the range are to hear of it. */
  async function read(isNew) {
    const number = ++asked;
    try {
      const facts = await ask({ game: "omaha", text: state.text, board: board().join("") });
      if (number !== asked) return;
      tell(facts, null);
    } catch (error) {
      if (number !== asked) return;
      if (error.name !== "AbortError") tell(null, error);
    }
    if (isNew) changed("range");
  }
  const readLater = later(() => read(true), READ_PAUSE);

  return {
    state,
    subscribe,
    /** Return the text without blanks around it. */
    text: () => state.text.trim(),
    /** Take over a text that is being typed. @param {string} next */
    type(next) {
      ++asked;
      state.text = next;
      readLater();
    },
    /** Take over a whole text. @param {string} next */
    set(next) {
      state.text = next;
      changed("text");
      return read(true);
    },
    /** Count again, on another board. */
    recount: () => read(false),
    /** Show what is wrong with the text. */
    fail(error) {
      tell(null, error);
    },
  };
}

/** @typedef {ReturnType<typeof fourCardStore>} FourCardStore */
