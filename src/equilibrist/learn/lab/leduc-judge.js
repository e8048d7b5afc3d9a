// How good a strategy of Leduc hold'em is: its value, best responses, exploitability. As equilibrist.evaluate.
import { CARDS, STATES, worthAt } from "./leduc-game.js";

/** @typedef {import("./leduc-game.js").Strategy} Strategy */

export const ONES = CARDS.map(() => 1);

/** Return the reach of each hand after a move. */
export const reachAfter = (reach, rows, move) => reach.map((one, hand) => one * rows[hand][move]);

/** Return the sum of rows of numbers, hand by hand. */
export const sumOf = (rows) => CARDS.map((_, hand) => rows.reduce((sum, row) => sum + row[hand], 0));

/**
 * Return what each hand of a player is worth at a state and below: payoff × the probability of chance and of the other's
 * reach there.
 *
 * @param {number} index of the state
 * @param {object} options
 * @param {Strategy} options.strategy of the other, and of the player where it does not respond
 * @param {number} options.player
 * @param {number[]} options.reach of the other's hands
 * @param {boolean} [options.responds] whether the player plays a best response instead of the strategy
 * @returns {number[]}
 */
export function valuesBelow(index, { strategy, player, reach, responds = false }) {
  const state = STATES[index];
  const below = (next, after) => valuesBelow(next, { strategy, player, reach: after, responds });
  if (state.kind === "fold" || state.kind === "showdown") return worthAt(index, player, reach);
  if (state.kind === "turn") return sumOf(state.next.map((next) => below(next, reach)));
  if (state.player !== player)
    return sumOf(state.next.map((next, move) => below(next, reachAfter(reach, strategy[index], move))));
  const values = state.next.map((next) => below(next, reach));
  return CARDS.map((_, hand) => {
    const worths = values.map((row) => row[hand]);
    if (responds) return Math.max(...worths);
    return worths.reduce((sum, worth, move) => sum + strategy[index][hand][move] * worth, 0);
  });
}

const total = (values) => values.reduce((sum, value) => sum + value, 0);

/**
 * Return how good a strategy is: payoffs per game. `best` has the value of a best response to each player, `gains` what
 * it is above the value of the strategy; exploitability is the mean of both gains.
 *
 * @param {Strategy} strategy
 */
export function evaluate(strategy) {
  const of = (player, responds) => total(valuesBelow(0, { strategy, player, reach: ONES, responds }));
  const value = of(0, false);
  const best = [0, 1].map((player) => of(player, true));
  const gains = [best[0] - value, best[1] + value];
  const nashConv = gains[0] + gains[1];
  return { value, best, gains, nashConv, exploitability: nashConv / 2 };
}

/**
 * Return the probability with which each player's moves lead to a state, by hand: reaches[player][hand].
 *
 * @param {Strategy} strategy
 * @param {number} index
 * @returns {number[][]}
 */
export function reachesTo(strategy, index) {
  const { above } = STATES[index];
  if (above < 0) return [ONES, ONES];
  const reaches = reachesTo(strategy, above);
  const { player, next } = STATES[above];
  if (player < 0) return reaches; // chance
  return reaches.map((reach, who) =>
    who === player ? reachAfter(reach, strategy[above], next.indexOf(index)) : reach,
  );
}
