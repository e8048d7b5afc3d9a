// What the learning lab knows: a run of Deep CFR, the table beside it, and how far one is from the other as it learns.
import { averageOf, iterate, start } from "./kuhn-cfr.js";
import { evaluate, INFOSETS } from "./kuhn-game.js";
import { exactOf, featuresOf, makeRun, matchPair, meansOf } from "./learning-deep.js";
import { predict } from "./learning-net.js";
import { drawing } from "./random.js";

/** @typedef {import("./learning-deep.js").DeepRun} DeepRun */

/** What can be chosen: how many units a hidden layer has, traversals, and steps of a fit. */
export const CHOICES = {
  units: { 8: "8", 16: "16", 64: "64" },
  traversals: { 10: "10", 100: "100", 1000: "1,000" },
  steps: { 50: "50", 100: "100", 400: "400" },
};
const USUAL = { units: 16, traversals: 100, steps: 100 };
const GROWTH = 1.04; // of steps from one point of a curve to the next
/** Where a run ends: its curves have a point for each iteration. */
export const MOST_STEPS = 400_000;

/** Return the root of the mean square of numbers. */
const rootMeanSquare = (numbers) => Math.sqrt(numbers.reduce((sum, one) => sum + one ** 2, 0) / numbers.length);

/**
 * What is said of an infoset.
 *
 * @typedef {object} InfosetRow
 * @property {string} key
 * @property {number} player
 * @property {string[]} actions
 * @property {number[]} said by the network: the mean advantage of each action, payoff per time that play comes there
 * @property {number[]} exact the same, exactly
 * @property {number} bet the probability of the second action by what is said
 * @property {number} exactBet by what is exact
 */

/**
 * Return the store of a lab. `subscribe` has a function called after every change.
 *
 * @param {{seed?: number, units?: number, traversals?: number, steps?: number}} options
 */
export function makeStore({ seed = 1, ...options } = {}) {
  /** @type {(() => void)[]} */
  const listeners = [];
  const settings = { ...USUAL, ...options };
  const state = { settings, ...newState() };

  function newState() {
    return {
      run: makeRun(settings, drawing(seed)),
      table: start(), // the same iterations with a table: linear CFR
      /** @type {[number, number][]} steps, and the error of the networks against the exact table */
      errors: [],
      /** @type {[number, number][]} steps, and the error of the samples' means: that of a network that fits them */
      floors: [],
      /** @type {[number, number][]} iterations, and the exploitability of the average of the networks' strategies */
      deep: [],
      /** @type {[number, number][]} the same of the table */
      exact: [],
    };
  }

  function changed() {
    for (const listener of listeners) listener();
  }

  /** Return whether there can be more steps. */
  const canGoOn = () => state.run.steps < MOST_STEPS;

  /** Return what networks and table say. @returns {InfosetRow[]} */
  function rows() {
    const { networks, exact } = state.run;
    return INFOSETS.map(({ key, player, actions }) => {
      const said = predict(networks[player], featuresOf(key));
      const mean = exactOf(exact, key);
      return {
        key,
        player,
        actions,
        said,
        exact: mean,
        bet: matchPair(/** @type {any} */ (said)),
        exactBet: matchPair(mean),
      };
    });
  }

  /** Return the error of the networks: root of the mean square over the infosets of players who have learnt. */
  function errorOfNetworks() {
    const known = rows().filter((row) => state.run.exact.weights[row.key] > 0);
    return rootMeanSquare(known.flatMap(({ said, exact }) => said.map((value, move) => value - exact[move])));
  }

  /** Return the error of the means of the samples: what more steps cannot mend. */
  function errorOfSamples() {
    const differences = state.run.memories.flatMap((memory) =>
      [...meansOf(memory)].flatMap(([key, mean]) =>
        mean.map((value, move) => value - exactOf(state.run.exact, key)[move]),
      ),
    );
    return rootMeanSquare(differences);
  }

  /** Note the exploitability of both averages after an iteration. */
  function noteIteration() {
    const { run, table, deep, exact } = state;
    iterate(table, { algorithm: "lcfr", alternating: true, deal: null });
    deep.push([table.t, evaluate(run.average()).exploitability]);
    exact.push([table.t, evaluate(averageOf(table)).exploitability]);
  }

  function step() {
    const { run, errors, floors } = state;
    const before = run.t;
    run.step();
    if (run.t > before) noteIteration();
    if (run.steps >= GROWTH * (errors.at(-1)?.[0] ?? 0)) errors.push([run.steps, errorOfNetworks()]);
    const isNew = run.steps >= GROWTH * (floors.at(-1)?.[0] ?? 0);
    if (isNew && run.steps > settings.steps) floors.push([run.steps, errorOfSamples()]);
  }

  return {
    state,
    rows,
    errorOfNetworks,

    /** @param {() => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },

    /** Begin again, with other settings. @param {Partial<typeof USUAL>} changes */
    configure(changes) {
      Object.assign(settings, changes);
      Object.assign(state, newState());
      changed();
    },

    /** Take steps of Adam, until `deadline` (performance.now) or the end of the run; return how many there were. */
    advance(count, deadline = Infinity) {
      let done = 0;
      while (done < count && canGoOn() && (done === 0 || performance.now() < deadline)) {
        step();
        done++;
      }
      changed();
      return done;
    },

    canGoOn,

    /** Return how many steps the iteration has left that is at work so many steps from now. */
    stepsLeft(later = 0) {
      const all = 2 * settings.steps;
      return all - ((state.run.steps + later) % all);
    },
  };
}

/** @typedef {ReturnType<typeof makeStore>} LearningStore */
