// CFR on Leduc hold'em: full iterations over public states, with a vector of hands at each, and external samples of one
// history. The update rule is that of equilibrist.cfr.algorithms.
import { CARDS, CHANCES, makeTable, payoffOf, STATES, uniform, worthAt } from "./leduc-game.js";
import { ONES, reachAfter, sumOf } from "./leduc-judge.js";
import { ALGORITHMS, scalars } from "./update-rules.js";

/** @typedef {import("./leduc-game.js").Strategy} Strategy */

const ROUNDING = 2 ** -43; // positive regrets no larger than this are errors of rounding, in full iterations

/**
 * What CFR knows between iterations.
 *
 * @typedef {object} CfrState
 * @property {number} t iterations done
 * @property {number} visits histories that iterations have come to
 * @property {Strategy} strategy of the next iteration
 * @property {number[][][]} regretSum payoff × probability, by state, hand and move
 * @property {number[][][]} strategySum probability, weighted by own reach
 */

/** Return the state before the first iteration. @returns {CfrState} */
export const start = () => ({
  t: 0,
  visits: 0,
  strategy: uniform(),
  regretSum: makeTable((count) => new Array(count).fill(0)),
  strategySum: makeTable((count) => new Array(count).fill(0)),
});

/** Return a distribution in proportion to positive sums; equal shares where these are no more than `least`. */
export function inProportion(sums, least = 0) {
  const positive = sums.map((sum) => Math.max(sum, 0));
  const total = positive.reduce((one, other) => one + other, 0);
  return total > least ? positive.map((sum) => sum / total) : sums.map(() => 1 / sums.length);
}

/** Return the average strategy: each hand's shares of its sums. @returns {Strategy} */
export const averageOf = ({ strategySum }) => strategySum.map((rows) => rows.map((row) => inProportion(row)));

/**
 * Update the regrets of a row, and return what it plays next.
 *
 * @param {number[]} sums changed
 * @param {number[]} instant regrets of this iteration
 * @param {any} rule an algorithm with its scalars of the iteration
 */
export function matchRegrets(sums, instant, rule) {
  const predicted = sums.map((before, move) => {
    const discounted = before * (before > 0 ? rule.positive : rule.negative);
    const sum = discounted + instant[move];
    sums[move] = rule.floor ? Math.max(sum, 0) : sum;
    return sums[move] * rule.predicted + instant[move] * (rule.predict ?? 0);
  });
  return inProportion(predicted, ROUNDING);
}

/**
 * Update a player at a state and below, and return what each hand was worth: payoff × the probability of chance and of the
 * other's reach.
 *
 * @param {CfrState} cfr changed
 * @param {number} index of the public state
 * @param {{player: number, own: number[], others: number[], rule: any}} walk reaches of the player's and the other's
 *   hands, and the algorithm with its scalars of the iteration
 * @returns {number[]}
 */
export function updateBelow(cfr, index, walk) {
  const { player, own, others, rule } = walk;
  const state = STATES[index];
  const rows = cfr.strategy[index];
  if (state.kind === "fold" || state.kind === "showdown") return worthAt(index, player, others);
  if (state.kind === "turn") return sumOf(state.next.map((next) => updateBelow(cfr, next, walk)));
  if (state.player !== player) {
    const after = (move) => ({ ...walk, others: reachAfter(others, rows, move) });
    return sumOf(state.next.map((next, move) => updateBelow(cfr, next, after(move))));
  }
  const values = state.next.map((next, move) => updateBelow(cfr, next, { ...walk, own: reachAfter(own, rows, move) }));
  return CARDS.map((_, hand) => {
    const played = rows[hand];
    const value = played.reduce((sum, probability, move) => sum + probability * values[move][hand], 0);
    const instant = values.map((row) => row[hand] - value);
    played.forEach((probability, move) => {
      cfr.strategySum[index][hand][move] += rule.counts * own[hand] * probability;
    });
    rows[hand] = matchRegrets(cfr.regretSum[index][hand], instant, rule);
    return value;
  });
}

/** Return an algorithm with its scalars of iteration t, which counts t^gamma in the average. */
export function ruleOf(name, t) {
  const algorithm = ALGORITHMS[name];
  return { ...algorithm, ...scalars(algorithm, t), counts: t ** algorithm.gamma };
}

/** Histories that a full iteration comes to: it updates either player, and walks all that chance can deal. */
export const FULL_VISITS = 2 * CHANCES.reduce((sum, pairs) => sum + pairs.filter((chance) => chance > 0).length, 0);

/** Run a full iteration of an algorithm, one player after the other: `cfr` is changed. */
export function iterate(cfr, algorithm) {
  const rule = ruleOf(algorithm, ++cfr.t);
  for (const player of [0, 1]) updateBelow(cfr, 0, { player, own: ONES, others: ONES, rule });
  cfr.visits += FULL_VISITS;
}

/**
 * Run an iteration on external samples: for each player one deal, and one move of the other at each decision, while all
 * moves of the player are walked. `choose(probabilities)` draws one of them.
 *
 * @param {CfrState} cfr changed
 * @param {(probabilities: number[]) => number} choose
 */
export function sample(cfr, choose) {
  cfr.t++;
  for (const player of [0, 1]) {
    const pair = choose([...CHANCES[0]]);
    const hands = [Math.floor(pair / CARDS.length), pair % CARDS.length];
    sampleBelow(cfr, 0, { player, hands, pair, choose });
  }
}

/** Update a player on samples below a state, and return what its hand has won. */
export function sampleBelow(cfr, index, walk) {
  const { player, hands, pair, choose } = walk;
  const state = STATES[index];
  cfr.visits++;
  if (state.kind === "turn") {
    const cards = state.next.map((next) => CHANCES[next][pair] / CHANCES[index][pair]);
    return sampleBelow(cfr, state.next[choose(cards)], walk);
  }
  if (state.kind !== "decision") return payoffOf(state, player, hands[player], hands[1 - player]);
  const hand = hands[state.player];
  const played = cfr.strategy[index][hand];
  if (state.player !== player) {
    played.forEach((probability, move) => (cfr.strategySum[index][hand][move] += probability));
    return sampleBelow(cfr, state.next[choose(played)], walk);
  }
  const values = state.next.map((next) => sampleBelow(cfr, next, walk));
  const value = values.reduce((sum, one, move) => sum + played[move] * one, 0);
  const sums = cfr.regretSum[index][hand];
  values.forEach((one, move) => (sums[move] += one - value));
  cfr.strategy[index][hand] = inProportion(sums);
  return value;
}
