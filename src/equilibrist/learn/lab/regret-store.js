// What the lab of regret matching knows: who plays which game, what both have learned, and what the reader predicted.

import { GAMES, mixed } from "./regret-games.js";
import { draw, drawing } from "./random.js";
import { averageOf, judge, learn, newLearner, pure } from "./regret-rule.js";

/** @typedef {import("./regret-rule.js").Learner} Learner */

/**
 * What the last round was.
 *
 * @typedef {object} Round
 * @property {Learner[]} before both players before it
 * @property {number[][]} played strategies or single actions of both
 * @property {number} value what the second player won
 */

/**
 * What the lab shows. Of two players the first is the program, or program A; the second the reader, the reader's mix, or
 * program B.
 *
 * @typedef {object} RegretState
 * @property {string} game a name of GAMES
 * @property {"you" | "mix" | "bots"} mode who is the second player
 * @property {number} whose numbers are shown: 0 or 1
 * @property {boolean} predicts whether the reader says what the program plays next, before each round
 * @property {boolean} draws whether programs meet with one action each instead of whole strategies
 * @property {number[]} weights of the groups of actions in the reader's mix
 * @property {Learner[]} players
 * @property {Round | null} last null before the first round
 * @property {number} score what the second player has won in all
 * @property {number[][]} curve rounds, and the score; of two programs, rounds and the exploitability of each average
 * @property {boolean} waiting whether a prediction is due
 * @property {number} right predictions so far that were right
 * @property {number} asked predictions so far
 */

const LAST = 100_000; // rounds of a run of two programs at most
const GROWTH = 1.02; // of rounds from one point of their curve to the next

/** Return what is known before the first round of a game. */
function newRounds(game) {
  const actions = game.actions.length;
  return {
    players: [newLearner(actions), newLearner(actions)],
    last: null,
    score: 0,
    curve: [],
    waiting: false,
    right: 0,
    asked: 0,
  };
}

/** Return the mix that plays only the first group of actions. */
const firstGroup = (game) => game.groups.map((_, group) => Number(group === 0));

/**
 * Return the store of a lab. `subscribe` has a function called after every change, with whether the game or who plays
 * it is another.
 *
 * @param {{game: string, seed: number}} options
 */
export function makeStore({ game: initialGame, seed }) {
  const random = drawing(seed);
  /** @type {((renewed: boolean) => void)[]} */
  const listeners = [];
  /** @type {RegretState} */
  const state = {
    game: initialGame,
    mode: "you",
    whose: 0,
    predicts: false,
    draws: false,
    weights: firstGroup(GAMES[initialGame]),
    ...newRounds(GAMES[initialGame]),
  };

  const game = () => GAMES[state.game];

  function changed(renewed = false) {
    for (const listener of listeners) listener(renewed);
  }

  /** Return one action drawn from a strategy, as a strategy. */
  const drawnFrom = (strategy) => pure(strategy.length, draw(strategy, random()));

  /** Return what both play in a round; `action` is the reader's. */
  function strategiesOfRound(action) {
    const [program, other] = state.players;
    if (state.mode === "bots") {
      if (!state.draws) return [program.strategy, other.strategy];
      return [drawnFrom(program.strategy), drawnFrom(other.strategy)];
    }
    const answer = drawnFrom(program.strategy);
    if (action !== undefined) return [answer, pure(game().actions.length, action)];
    return [answer, drawnFrom(mixed(game(), state.weights))];
  }

  /** Return what a best response wins a round against the average of each player. */
  function exploitabilities() {
    const { payoffs } = game();
    const [program, other] = state.players.map(averageOf);
    return [-judge(payoffs, program, other).floor, -judge(payoffs, other, program).floor];
  }

  /** Add a point to the curve; of two programs only where rounds have grown enough. */
  function addPoint() {
    const { rounds } = state.players[0];
    if (state.mode !== "bots") {
      state.curve.push([rounds, state.score]);
      return;
    }
    const before = state.curve.at(-1)?.[0] ?? 0;
    if (rounds > GROWTH * before) state.curve.push([rounds, ...exploitabilities()]);
  }

  function playRound(action) {
    const { payoffs } = game();
    const before = state.players;
    const played = strategiesOfRound(action);
    const [first, second] = played;
    const averaged = state.mode === "bots" ? undefined : second; // a reader has no strategy but what was played
    state.players = [learn(before[0], payoffs, first, second), learn(before[1], payoffs, second, first, { averaged })];
    const { value } = judge(payoffs, second, first);
    state.score += value;
    state.last = { before, played, value };
    addPoint();
  }

  return {
    state,
    game,
    exploitabilities,

    /** @param {(renewed: boolean) => void} listener */
    subscribe(listener) {
      listeners.push(listener);
    },

    /**
     * Begin anew, with another game or mode.
     *
     * @param {{game?: string, mode?: "you" | "mix" | "bots"}} change
     */
    begin(change = {}) {
      const renewed = Boolean(change.game || change.mode);
      Object.assign(state, change);
      Object.assign(state, newRounds(game()));
      if (renewed) state.weights = firstGroup(game());
      changed(renewed);
    },

    /** Have programs meet with one action each, or with whole strategies, and begin anew. */
    drawActions(draws) {
      state.draws = draws;
      Object.assign(state, newRounds(game()));
      changed();
    },

    /**
     * Play a round, after which a prediction may be due; nothing while one is.
     *
     * @param {number} [action] the reader's
     */
    play(action) {
      if (state.waiting) return;
      playRound(action);
      state.waiting = state.predicts && state.mode !== "mix";
      if (state.waiting) state.whose = 0;
      changed();
    },

    /**
     * Play so many rounds.
     *
     * @param {number} count
     * @returns {boolean} whether there can be more
     */
    playMany(count) {
      for (let i = 0; i < count; i++) playRound();
      changed();
      return state.players[0].rounds < LAST;
    },

    /** Ask for predictions, or no more. */
    predict(predicts) {
      state.predicts = predicts;
      if (!predicts) state.waiting = false;
      changed();
    },

    /** Count a prediction, which was right or was not. */
    countPrediction(right) {
      state.asked += 1;
      state.right += Number(right);
      state.waiting = false;
      changed();
    },

    /** Show the numbers of a player. */
    lookAt(player) {
      state.whose = player;
      changed();
    },

    /** Give a group of actions a weight in the reader's mix. */
    weigh(group, weight) {
      state.weights[group] = weight;
      changed();
    },
  };
}

/** @typedef {ReturnType<typeof makeStore>} RegretStore */
