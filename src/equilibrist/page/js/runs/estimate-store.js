// What a run or a batch takes, as the server estimates it while its form is filled in.
import { later } from "../base/dom.js";
import { makeListeners } from "../base/listeners.js";

/** In the place of a forecast while it is found out. */
export const FINDING = "…";

/**
 * What is known of a form.
 *
 * @typedef {object} EstimateState
 * @property {boolean} isWaiting whether the server has been asked and has not answered
 * @property {any} facts of the last estimate, or null
 * @property {Record<string, any>} question that the facts answer
 * @property {any} forecast how long it takes to the goal: FINDING, or null where that is not known
 * @property {any} error why there is no estimate, or null
 */

/**
 * Return the store of an estimate. `subscribe` has a function called after every change, with what has changed:
 * "waiting", "facts", "forecast" or "problem".
 *
 * @param {{
 *   question: () => Record<string, any>,
 *   estimate: (question: any) => Promise<any>,
 *   forecast?: ((question: any) => Promise<{goal: any}>) | null,
 *   pause?: number,
 * }} options question gives what the form says, as the API takes it; estimate and forecast ask the server, forecast of a
 *   goal alone; pause is how long nothing has changed before that, in ms
 */
export function estimateStore({ question, estimate, forecast = null, pause = 300 }) {
  const { subscribe, changed } = makeListeners();
  /** @type {EstimateState} */
  const state = { isWaiting: false, facts: null, question: {}, forecast: null, error: null };
  let asked = 0; // states of the form so far: an answer to an earlier one comes too late

  function setWaiting(isWaiting) {
    state.isWaiting = isWaiting;
    changed("waiting");
  }

  function setForecast(goal) {
    state.forecast = goal;
    changed("forecast");
  }

  function setFacts(facts, asking) {
    setWaiting(false);
    state.facts = facts;
    state.question = asking;
    changed("facts");
    setForecast(null);
  }

  function fail(error) {
    if (error.name === "AbortError") return;
    setFacts(null, {});
    state.error = error;
    changed("problem");
  }

  /** Ask about the form as it is, unless it has changed since. */
  async function read(number) {
    if (number !== asked) return;
    setWaiting(true);
    try {
      const asking = question();
      const facts = await estimate(asking);
      if (number !== asked) return;
      setFacts(facts, asking);
      if (!forecast || !asking.until) return;
      setForecast(FINDING);
      const { goal } = await forecast(asking).catch(() => ({ goal: null }));
      if (number === asked) setForecast(goal);
    } catch (error) {
      if (number === asked) fail(error);
    }
  }
  const readLater = later(read, pause);

  return {
    state,

    subscribe,
    /** Ask about the form, which has changed, once nothing changes any more. */
    ask() {
      state.error = null;
      readLater(++asked);
    },

    /** Know nothing, and ask for nothing: there is nothing to solve, or nobody knows whether it can be. */
    forget() {
      asked++;
      state.error = null;
      setFacts(null, {});
    },
  };
}

/** @typedef {ReturnType<typeof estimateStore>} EstimateStore */
