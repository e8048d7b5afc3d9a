// What the lab of one bet knows: a point in the square of its two decisions, and CFR that begins there.

import { judged, payoffsOf, strategiesOf } from "./one-bet-game.js";
import { averageOf, iterate, newLearner } from "./regret-rule.js";

/** @typedef {import("./regret-rule.js").Learner} Learner */

/**
 * What the lab shows. The point is where CFR begins; it does not move with the run.
 *
 * @typedef {object} OneBetState
 * @property {number} S blinds, in chips
 * @property {number} bluff the point: probability with which player 0 bets the jack
 * @property {number} call the point: probability with which player 1 calls with the queen
 * @property {string} surface what colour shows: a name of SURFACES
 * @property {boolean} pushes whether small arrows show where both players push a point
 * @property {string} algorithm a name of ALGORITHMS
 * @property {Learner[] | null} players of the run; null before its first iteration
 * @property {number[][]} played bluff and call of the last iterations of the run
 * @property {number[][]} averages bluff and call of the average, where it has moved
 * @property {[number, number][]} curve iterations and the exploitability of the average, in chips
 */

/** What is run: its label, and the options of `iterate`. */
export const ALGORITHMS = {
  "at once": { label: "CFR at once", options: {} },
  "in turn": { label: "in turn", options: { inTurn: true } },
  "cfr+": { label: "CFR+", options: { inTurn: true, plus: true } },
};

const LAST = 20_000; // iterations of a run at most
const MOST_PLAYED = 2000; // strategies that are kept; the older half goes
const LEAST_MOVE = 0.002; // of the average, to be a corner of its path
const GROWTH = 1.03; // of iterations from one point of the curve to the next

/** Return what is known of a run before its first iteration. */
const newRun = () => ({
  players: null,
  played: [],
  averages: [],
  curve: [],
});

/**
 * Return the store of a lab. `subscribe` has a function called after every change, with whether the surface is another.
 */
export function makeStore() {
  /** @type {((repaint: boolean) => void)[]} */
  const listeners = [];
  /** @type {OneBetState} */
  const state = {
    S: 1,
    bluff: 0.7,
    call: 0.8,
    surface: "value",
    pushes: true,
    algorithm: "at once",
    ...newRun(),
  };

  function changed(repaint = false) {
    for (const listener of listeners) listener(repaint);
  }

  /** Play one iteration, and keep what curves and paths show of it. */
  function iterateOnce(players) {
    const next = iterate(players, payoffsOf(state.S), ALGORITHMS[state.algorithm].options);
    const mean = next.map((player) => averageOf(player)[1]);
    const { rounds } = next[0];
    state.players = next;
    state.played.push(next.map(({ strategy }) => strategy[1]));
    if (state.played.length > MOST_PLAYED) state.played.splice(0, MOST_PLAYED / 2);
    const [bluff, call] = state.averages.at(-1) ?? [-1, -1];
    if (Math.hypot(mean[0] - bluff, mean[1] - call) > LEAST_MOVE) state.averages.push(mean);
    const before = state.curve.at(-1)?.[0] ?? 0;
    if (rounds > GROWTH * before) {
      const { exploitability } = judged(state.S, mean[0], mean[1]);
      state.curve.push([rounds, exploitability]);
    }
    return next;
  }

  return {
    state,

    /** @param {(repaint: boolean) => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },

    /**
     * Move the point or change the blinds: a run that has begun elsewhere ends.
     *
     * @param {{S?: number, bluff?: number, call?: number}} change
     */
    move(change) {
      const hasOtherBlinds = Boolean(change.S) && change.S !== state.S;
      Object.assign(state, newRun(), change);
      changed(hasOtherBlinds);
    },

    /** Forget the run; the point stays. */
    reset() {
      Object.assign(state, newRun());
      changed();
    },

    useAlgorithm(name) {
      Object.assign(state, newRun());
      state.algorithm = name;
      changed();
    },

    colourBy(surface) {
      state.surface = surface;
      changed(true);
    },

    showPushes(pushes) {
      state.pushes = pushes;
      changed();
    },

    /**
     * Play so many iterations: the first from the point.
     *
     * @param {number} count
     * @returns {boolean} whether there can be more
     */
    advance(count) {
      let players = state.players;
      if (!players) {
        players = strategiesOf(state.bluff, state.call).map((strategy) => newLearner(2, strategy));
        state.players = players;
        state.played.push([state.bluff, state.call]);
      }
      for (let i = 0; i < count && players[0].rounds < LAST; i++) players = iterateOnce(players);
      changed();
      return players[0].rounds < LAST;
    },

    /** Return how many iterations the run has played. */
    rounds: () => state.players?.[0].rounds ?? 0,

    /**
     * Return bluff and call of the average strategy; null before the first iteration.
     *
     * @returns {number[] | null}
     */
    average: () => state.players && state.players.map((player) => averageOf(player)[1]),
  };
}

/** @typedef {ReturnType<typeof makeStore>} OneBetStore */
