// A range as a painter has it: weights and a text that stand for the same, each of which the server makes of the other.
import { later } from "../base/dom.js";
import { makeListeners } from "../base/listeners.js";
import { missingCards } from "./spot-settings.js";

const READ_PAUSE = 250; // ms without a key before a text is read
const WRITE_PAUSE = 120; // ms without a stroke before the text of what is painted is asked for

/**
 * What a painter shows.
 *
 * @typedef {object} PaintedRange
 * @property {string} text as it stands in its field
 * @property {Map<string, number>} weights of each hand, above 0
 * @property {Map<string, number> | null} misfit what is left of a text that the deck does not fit
 * @property {any} error what is wrong with the text, or null
 * @property {string[]} warnings of the text
 */

/**
 * Return the weights of a text without the hands that a deck lacks; null where none is left, or it is no range.
 *
 * @returns {Promise<Map<string, number> | null>}
 */
async function weightsInDeck(ask, text, deck) {
  if (deck === "full") return null;
  const range = await ask({ text, deck: "full" }).catch(() => null);
  const missing = missingCards(deck);
  const kept = Object.entries(range?.weights ?? {}).filter(
    ([hand]) => !missing.includes(hand.slice(0, 2)) && !missing.includes(hand.slice(2)),
  );
  return kept.length ? new Map(kept) : null;
}

/**
 * Return the store of a painter. `subscribe` has a function called after every change, with what has changed: "weights",
 * "text" (by the brush), "problem", or "range": all that a reader of the range wants to know.
 *
 * @param {{ask: (request: any) => Promise<any>, deck: () => string, text?: string}} options ask sends a text or weights
 *   to the server, and is given both
 */
export function paintedRangeStore({ ask, deck, text = "" }) {
  const { subscribe, changed } = makeListeners();
  /** @type {PaintedRange} */
  const state = { text, weights: new Map(), misfit: null, error: null, warnings: [] };
  let asked = 0; // requests so far: an answer to an earlier one comes too late
  /** @type {[string[], number][] | null} */
  let strokes = null; // painted since a text was changed whose weights are not here yet: they go on top of those

  function showProblem(error, warnings = []) {
    state.error = error;
    state.warnings = warnings;
    changed("problem");
  }

  /** Show what is wrong with the text. */
  function fail(error) {
    if (error.name !== "AbortError") showProblem(error);
  }

  function lay(hands, weight) {
    for (const hand of hands) {
      if (weight > 0) state.weights.set(hand, weight);
      else state.weights.delete(hand);
    }
  }

  function setWeights(weights) {
    state.weights = weights;
    changed("weights");
  }

  /** Ask for the text of what is painted; the weights of a text that was changed have to be here before. */
  async function write() {
    if (strokes) return;
    const number = ++asked;
    try {
      const written = await ask({ weights: Object.fromEntries(state.weights), deck: deck() });
      if (number !== asked) return;
      state.text = written.text;
      changed("text");
      showProblem(null);
      changed("range");
    } catch (error) {
      if (number === asked) fail(error);
    }
  }
  const writeLater = later(write, WRITE_PAUSE);

  /** Return the range of a text, or null with what is wrong with it shown; undefined where it comes too late. */
  async function readText(number) {
    const { text: written } = state;
    state.misfit = null;
    try {
      const range = await ask({ text: written, deck: deck() });
      if (number !== asked) return undefined;
      showProblem(null, range.warnings);
      return range;
    } catch (error) {
      if (number !== asked) return undefined;
      const misfit = await weightsInDeck(ask, written, deck());
      if (number !== asked) return undefined;
      state.misfit = misfit;
      fail(error);
      return null;
    }
  }

  /** Ask for the weights of what is written, and lay on them what was painted meanwhile. */
  async function read() {
    const number = ++asked;
    strokes ??= [];
    if (!state.text.trim()) setWeights(new Map());
    const range = await readText(number);
    if (range === undefined) return;
    const painted = strokes ?? [];
    strokes = null;
    if (range) state.weights = new Map(Object.entries(range.weights));
    for (const stroke of painted) lay(...stroke);
    changed("weights");
    if (painted.length) writeLater();
    changed("range"); // of a text that cannot be read, too: what was told of the former one is not of it
  }
  const readLater = later(read, READ_PAUSE);

  /** Take over a text; what was asked for by the brush comes too late. */
  function take(next) {
    ++asked;
    state.text = next;
    strokes = [];
  }

  return {
    state,
    fail,
    read,
    write,

    /** Return the text without blanks around it. */
    text: () => state.text.trim(),

    subscribe,
    /** Take over a text that is being typed. @param {string} next */
    type(next) {
      take(next);
      readLater();
    },

    /** Take over a whole text. @param {string} next */
    set(next) {
      take(next);
      changed("text");
      return read();
    },

    /** Give hands a weight. @param {string[]} hands @param {number} weight */
    paint(hands, weight) {
      lay(hands, weight);
      strokes?.push([hands, weight]);
      changed("weights");
      writeLater();
    },

    /** Leave out the hands that the deck lacks, if that mends the text; settled once the text is written. */
    async fit() {
      if (!state.misfit) return;
      const { misfit } = state;
      state.misfit = null;
      setWeights(misfit);
      await write();
    },
  };
}

/** @typedef {ReturnType<typeof paintedRangeStore>} PaintedRangeStore */
