// Regret matching in a game where both players choose once: the arithmetic, without a page. `payoffs[a][b]` is what
// the player of the rows wins; the other loses it. The tests compare it with the package.

/**
 * A player who learns: `strategy` is what it plays next, `regretSums` one number for each action, `strategySums` the
 * strategies played so far with their weights, and `weight` the total of these.
 *
 * @typedef {{strategy: number[], regretSums: number[], strategySums: number[], weight: number, rounds: number}} Learner
 */

/** A total of positive regrets up to this share of the largest payoff is rounding: cfr/regret_matching.py. */
const ROUNDING = 2 ** -44;

export const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);

/** Return the game as the player of the columns sees it. */
export const turned = (payoffs) => payoffs[0].map((_, b) => payoffs.map((row) => -row[b]));

/** Return the value of each action of the rows against a strategy of the columns. */
export const actionValues = (payoffs, other) => payoffs.map((row) => dot(row, other));

/** Return the instant regret of each action: its value minus that of what was played. */
export function instantRegrets(payoffs, played, other) {
  const values = actionValues(payoffs, other);
  const earned = dot(played, values);
  return values.map((value) => value - earned);
}

/** Return the largest payoff in size. */
export const largest = (payoffs) => Math.max(...payoffs.flat().map(Math.abs));

/**
 * Return the strategy in proportion to the positive sums, and the uniform one where no sum is positive.
 *
 * @param {number[]} regretSums
 * @param {number} [rounding] the total that is taken for 0
 */
export function regretMatching(regretSums, rounding = 0) {
  const positive = regretSums.map((sum) => Math.max(sum, 0));
  const total = positive.reduce((sum, value) => sum + value, 0);
  return positive.map((value) => (total > rounding ? value / total : 1 / positive.length));
}

/**
 * Return a player who has not played yet. With `strategy`, that is played first: the regret sums are in proportion to
 * it, and so small that nothing else depends on them.
 *
 * @param {number} actions
 * @param {number[]} [strategy]
 * @returns {Learner}
 */
export function newLearner(actions, strategy) {
  const zeros = Array(actions).fill(0);
  const regretSums = strategy ? strategy.map((probability) => 1e-9 * probability) : zeros;
  return {
    strategy: strategy ?? zeros.map(() => 1 / actions),
    regretSums,
    strategySums: zeros,
    weight: 0,
    rounds: 0,
  };
}

/**
 * Return a player after a round.
 *
 * @param {Learner} learner
 * @param {number[][]} payoffs of this player
 * @param {number[]} played what it played: its strategy, or one action drawn from it
 * @param {number[]} other what the other played
 * @param {{plus?: boolean, averaged?: number[]}} [options] plus: sums are at least 0, and later strategies weigh more
 *   (CFR+); averaged: what goes into the average, where it is not the strategy
 * @returns {Learner}
 */
export function learn(learner, payoffs, played, other, { plus = false, averaged = learner.strategy } = {}) {
  const instant = instantRegrets(payoffs, played, other);
  const regretSums = learner.regretSums.map((sum, a) => (plus ? Math.max(sum + instant[a], 0) : sum + instant[a]));
  const rounds = learner.rounds + 1;
  const weight = plus ? rounds : 1;
  return {
    strategy: regretMatching(regretSums, ROUNDING * largest(payoffs)),
    regretSums,
    strategySums: learner.strategySums.map((sum, a) => sum + weight * averaged[a]),
    weight: learner.weight + weight,
    rounds,
  };
}

/** Return the average strategy of a player, uniform before the first round. */
export const averageOf = ({ strategySums, weight }) =>
  strategySums.map((sum) => (weight ? sum / weight : 1 / strategySums.length));

/**
 * Return both players after an iteration of CFR, in which whole strategies meet.
 *
 * @param {[Learner, Learner]} players of the rows and of the columns
 * @param {number[][]} payoffs
 * @param {{inTurn?: boolean, plus?: boolean}} [options] inTurn: the second player meets the first one's new strategy
 * @returns {[Learner, Learner]}
 */
export function iterate([rows, columns], payoffs, { inTurn = false, plus = false } = {}) {
  const next = learn(rows, payoffs, rows.strategy, columns.strategy, { plus });
  const met = inTurn ? next.strategy : rows.strategy;
  return [next, learn(columns, turned(payoffs), columns.strategy, met, { plus })];
}

/**
 * Return what two strategies are worth: the payoff of the rows, what each player gains by a best response, and the
 * level that each strategy secures for the player of the rows.
 */
export function judge(payoffs, rows, columns) {
  const values = actionValues(payoffs, columns);
  const value = dot(rows, values);
  const ceiling = Math.max(...values);
  const floor = -Math.max(...actionValues(turned(payoffs), rows));
  return { value, floor, ceiling, gains: [ceiling - value, value - floor], nashConv: ceiling - floor };
}

/** Return the strategy that plays one action. */
export const pure = (actions, action) => Array.from({ length: actions }, (_, a) => Number(a === action));
