// Push or fold by stacks as its page has it: what is asked, the stacks that are solved so far, and its address.
import { href } from "../base/address.js";
import { chosenName } from "../base/choices.js";
import { later } from "../base/dom.js";
import { makeListeners } from "../base/listeners.js";
import { decimal } from "../base/numbers.js";
import { CLASSES } from "../cards/grid.js";

/** @import { PushFoldCharts } from "../base/answers.js" */

/** Whose hands are shown, as addresses have them. */
export const ACTIONS = { push: "Push (SB)", call: "Call (BB)" };
/** What is asked where nothing else is typed. */
export const USUAL = { stacks: "1..20", step: "1", ante: "0", bb_ante: "0" };
const PAUSE = 50; // ms without a change before the server is asked
const LEAST = 0.005; // share of the time from which on a hand belongs to a range

/** Return what is said of a chart that is solved. @param {PushFoldCharts} chart */
function chartInWords({ stacks, exploitability, left_out: leftOut }) {
  const without = leftOut.length
    ? ` Left out, as the antes leave less than a big blind: ${leftOut.join(", ")} bb.`
    : "";
  return `${stacks.length} stacks, each solved to ${exploitability.toExponential(0)} bb a hand or better. A hand counts as played where it is at least half of the time; * marks gaps.${without}`;
}

/**
 * Return the hands by their probability of an action at a stack, those of 0 left out.
 *
 * @param {PushFoldCharts} chart
 * @param {string} action
 * @param {string} at a stack
 */
export function rangeAt({ stacks, probabilities }, action, at) {
  const shares = probabilities[action][stacks.map(String).indexOf(at)];
  return Object.fromEntries(CLASSES.map((name, k) => [name, shares[k]]).filter(([, share]) => Number(share) >= LEAST));
}

/**
 * Return the store of the page. `subscribe` has a function called after every change, with what has changed: "asked",
 * "status", "problem" or "chart", which stands for the action and the stack that are shown as well.
 *
 * @param {{ask: (request: any) => Promise<PushFoldCharts>, query: URLSearchParams}} options ask sends a request, which is
 *   repeated until no stack is left to solve
 */
export function chartStore({ ask, query }) {
  const { subscribe, changed } = makeListeners();
  const state = {
    texts: Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, query.get(name) ?? usual])),
    action: chosenName(ACTIONS, "grid", query.get("action"), "push"),
    at: query.get("at") ?? "", // a stack, or "": the highest
    chart: /** @type {PushFoldCharts | null} */ (null),
    status: "",
    error: /** @type {any} */ (null),
  };
  let asked = 0; // requests so far: an answer to an earlier one comes too late

  function setStatus(status) {
    state.status = status;
    changed("status");
  }

  function setError(error) {
    state.error = error;
    changed("problem");
  }

  function setChart(chart) {
    state.chart = chart;
    if (chart && !chart.stacks.map(String).includes(state.at)) state.at = "";
    changed("chart");
  }

  /** Return what the server is asked. */
  const request = () =>
    Object.fromEntries(
      Object.entries(state.texts).map(([name, text]) => [name, name === "stacks" ? text.trim() : decimal(text)]),
    );

  /** Ask until all stacks are solved, and show those that are. */
  async function solve() {
    const number = ++asked;
    let known = 0; // stacks that are solved and shown
    setError(null);
    setStatus("Solving …");
    changed("asked");
    try {
      let remaining = 1;
      while (remaining) {
        const chart = await ask(request());
        if (number !== asked) return;
        known = chart.stacks.length;
        remaining = chart.remaining;
        setStatus(remaining ? `Solving: ${known} of ${known + remaining} stacks …` : chartInWords(chart));
        setChart(chart);
      }
    } catch (error) {
      if (number !== asked || error.name === "AbortError") return;
      setStatus(known ? `${known} stacks are solved; the rest is not.` : "");
      setError(error);
      setChart(known ? state.chart : null);
    }
  }

  return {
    state,
    request,
    solve,
    solveLater: later(solve, PAUSE),

    subscribe,
    /** Show the hands of an action. @param {string} action */
    showAction(action) {
      state.action = action;
      changed("chart");
    },

    /** Show a stack, or "": the highest. @param {string} at */
    showStack(at) {
      state.at = at;
      changed("chart");
    },

    /** Return the address of what is shown; what is usual is not in it. */
    address() {
      const { action, at } = state;
      const typed = Object.entries(request()).filter(([name, text]) => text !== USUAL[name]);
      return href("/charts", { ...Object.fromEntries(typed), action: action === "push" ? "" : action, at });
    },
  };
}

/** @typedef {ReturnType<typeof chartStore>} ChartStore */
