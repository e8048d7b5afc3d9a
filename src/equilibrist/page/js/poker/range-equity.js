// Equity of two ranges on a board as its page has it: what is asked, what the server answers, and its address.
import { href } from "../base/address.js";
import { chosenName } from "../base/choices.js";
import { later } from "../base/dom.js";
import { makeListeners } from "../base/listeners.js";
import { DECKS } from "./spot-settings.js";

/** @import { RangeEquity } from "../base/answers.js" */

/** Ways to draw the distribution of equity, as addresses have them. */
export const GRAPHS = { "": "Curve", tenths: "Histogram" };
const CALLS = 50; // %: the least equity of hands that call
const PAUSE = 120; // ms without a change before the server is asked
const USUAL_DECK = Object.keys(DECKS)[0];

/**
 * What is asked: texts, as addresses have them; the usual deck is empty.
 *
 * @typedef {{board: string, oop: string, ip: string, deck: string}} EquityFields
 */

/**
 * What the page of equity shows.
 *
 * @typedef {object} EquityState
 * @property {EquityFields} fields
 * @property {string} calls the least equity of hands that call, in %, as typed
 * @property {string} graph a name of GRAPHS
 * @property {RangeEquity | null} result null where something is missing or wrong
 * @property {string} problem what is wrong with what was asked
 */

/** Return the fields of a form with a deck, of which the usual one is not named. */
export const equityFields = ({ board, oop, ip, deck }) => ({
  board,
  oop,
  ip,
  deck: deck === USUAL_DECK ? "" : deck,
});

/** Return whether there is enough to ask: a flop and two ranges. */
const isComplete = ({ board, oop, ip }) => Boolean(board.length >= 6 && oop && ip);

/**
 * Return the store of the page of equity. `subscribe` has a function called after every change, with what has changed:
 * "asked", "graph", "result" or "problem".
 *
 * @param {{ask: (request: any) => Promise<RangeEquity>, query: URLSearchParams}} options
 *   ask sends a request to the server; query is that of the address
 */
export function equityStore({ ask, query }) {
  const { subscribe, changed } = makeListeners();
  /** @type {EquityState} */
  const state = {
    fields: { board: "", oop: "", ip: "", deck: "" },
    calls: query.get("calls") ?? String(CALLS),
    graph: chosenName(GRAPHS, "picture", query.get("graph"), ""),
    result: null,
    problem: "",
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late

  /** Return what the server is asked. */
  const request = () => ({
    ...state.fields,
    deck: state.fields.deck || USUAL_DECK,
    calls: Number(state.calls || CALLS) / 100,
  });

  function receive(result, problem) {
    state.result = result;
    state.problem = problem;
    changed("result");
    changed("problem");
  }

  /** Ask the server, or forget its answer where there is not enough to ask. */
  async function look() {
    const number = ++asked;
    state.problem = "";
    changed("problem");
    try {
      const result = isComplete(state.fields) ? await ask(request()) : null;
      if (number === asked) receive(result, "");
    } catch (error) {
      if (number === asked && error.name !== "AbortError") receive(null, error.message);
    }
  }
  const lookLater = later(look, PAUSE);

  /** Take over a change of what is asked. */
  function askAgain() {
    changed("asked");
    lookLater();
  }

  return {
    state,
    request,
    look,

    subscribe,
    /** @param {EquityFields} fields */
    change(fields) {
      state.fields = fields;
      askAgain();
    },

    /** Let hands call from so much equity on, in % as typed. */
    callFrom(percent) {
      state.calls = percent;
      askAgain();
    },

    /** Draw the distribution in another way. */
    drawAs(graph) {
      state.graph = graph;
      askAgain();
      changed("graph");
    },

    /** Return the address of what is shown. */
    address() {
      const calls = state.calls === String(CALLS) ? "" : state.calls;
      return href("/equity", { ...state.fields, calls, graph: state.graph });
    },
  };
}

/** @typedef {ReturnType<typeof equityStore>} EquityStore */
