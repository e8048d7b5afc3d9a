// CFR on Kuhn poker: the update rule of equilibrist.cfr.algorithms, in full or on one deal. tests/lab compares it.
import { DEALS, INFOSETS, dealsOf, reach, uniform, valueAt } from "./kuhn-game.js";
import { mixture } from "./kuhn-model.js";
import { ALGORITHMS, scalars } from "./update-rules.js";

/** @typedef {import("./kuhn-game.js").Pair} Pair */
/** @typedef {import("./kuhn-game.js").Strategy} Strategy */

/**
 * @typedef {object} Settings
 * @property {string} algorithm
 * @property {boolean} alternating whether player 1 learns against what player 0 has just become
 * @property {string | [string, string] | null} deal the deal that is drawn, or one for each player's update; null: all of them
 * @property {import("./kuhn-model.js").Answering | null} [answering] a model of the opponent that a player answers
 */

/**
 * @typedef {object} State What CFR knows between iterations.
 * @property {number} t iterations done
 * @property {Strategy} strategy of the next iteration
 * @property {Record<string, Pair>} regretSum
 * @property {Record<string, Pair>} strategySum
 * @property {number} unit what 1 in the strategy sums stands for: t^gamma after a full iteration, 1 after a drawn deal
 */

/**
 * Return the state before the first iteration.
 * @param {Strategy} [strategy]
 * @returns {State}
 */
export const start = (strategy = uniform()) => ({
  t: 0,
  strategy: { ...strategy },
  regretSum: zeros(),
  strategySum: zeros(),
  unit: 1,
});

/** @returns {Record<string, Pair>} */
const zeros = () => Object.fromEntries(INFOSETS.map(({ key }) => [key, [0, 0]]));

/**
 * Return a copy of a state.
 * @param {State} state
 * @returns {State}
 */
export const copyOf = (state) => structuredClone(state);

/**
 * Return the histories of an infoset with what they add to its regrets; deals that are not drawn add nothing.
 *
 * Of each: `chance`, the probability of the deal, or 1 where it is drawn; `others`, that the others' moves lead here;
 * `weight`, their product; `values`, of the two actions; `value`, of the history: payoff per game to who moves.
 *
 * @param {Strategy} strategy
 * @param {{key: string, player: number, line: string}} infoset
 * @param {string | null} deal
 */
export function histories(strategy, { key, player, line }, deal) {
  const sign = player === 0 ? 1 : -1;
  return (deal === null ? dealsOf(key) : dealsOf(key).filter((one) => one === deal)).map((one) => {
    const chance = deal === null ? 1 / DEALS.length : 1;
    const others = reach(strategy, one, line, player, { others: true });
    const values = /** @type {Pair} */ ([
      sign * valueAt(strategy, one, line + "p"),
      sign * valueAt(strategy, one, line + "b"),
    ]);
    const value = (1 - strategy[key]) * values[0] + strategy[key] * values[1];
    return { deal: one, chance, others, weight: chance * others, values, value };
  });
}

/**
 * Run one iteration: `state` is changed. Return, if `watched`, what happened at each infoset, by its key.
 *
 * Who answers a model is updated against the mixture of the model and what the opponent plays; the opponent, against
 * what the player who answers plays, as ever. `mixed` in a record is what the mixture is made of.
 *
 * @param {State} state
 * @param {Settings} settings
 */
export function iterate(state, settings, watched = false) {
  const { deal, alternating, answering } = settings;
  const trusted = answering && answering.trust > 0 ? answering : null;
  const algorithm = ALGORITHMS[settings.algorithm];
  const before = watched && copyOf(state);
  const t = ++state.t;
  const rule = scalars(algorithm, t);
  const counts = t ** algorithm.gamma;
  rescale(state, deal === null ? counts : 1);
  const record = {};
  for (const players of alternating ? [[0], [1]] : [[0, 1]]) {
    const own = { ...state.strategy };
    const met = trusted ? mixture(own, trusted) : own;
    for (const infoset of INFOSETS.filter(({ player }) => players.includes(player))) {
      const { key } = infoset;
      const answers = trusted && infoset.player === trusted.player;
      const played = answers ? met : own;
      const drawn = Array.isArray(deal) ? deal[infoset.player] : deal;
      const update = updateInfoset(state, played, infoset, {
        algorithm,
        rule,
        deal: drawn,
        weight: counts / state.unit,
      });
      if (!before) continue;
      const [regretBefore, sumBefore] = [before.regretSum[key], before.strategySum[key]];
      record[key] = { ...update, t, rule, played, strategy: both(played[key]), regretBefore, sumBefore };
      if (answers) record[key].mixed = { ...answering, own };
    }
  }
  return record;
}

/** Have strategy sums count in another unit. */
function rescale(state, unit) {
  const factor = state.unit / unit;
  state.unit = unit;
  for (const { key } of INFOSETS) {
    state.strategySum[key][0] *= factor;
    state.strategySum[key][1] *= factor;
  }
}

/** @param {number} bet @returns {Pair} */
const both = (bet) => [1 - bet, bet];

/**
 * Update one infoset: regret sums, next strategy, strategy sums.
 * @param {State} state
 * @param {Strategy} played by all players in this walk, as who is updated meets them
 */
function updateInfoset(state, played, infoset, { algorithm, rule, deal, weight }) {
  const { key, player, line } = infoset;
  const visited = histories(played, infoset, deal);
  const regret = state.regretSum[key];
  /** @type {Pair} */
  const instant = [0, 0];
  for (const one of visited) {
    for (const move of [0, 1]) instant[move] += one.weight * (one.values[move] - one.value);
  }
  /** @type {Pair} */
  const discounted = [0, 0];
  /** @type {Pair} */
  const shares = [0, 0];
  for (const move of [0, 1]) {
    discounted[move] = regret[move] * (regret[move] > 0 ? rule.positive : rule.negative);
    const sum = discounted[move] + instant[move];
    regret[move] = algorithm.floor ? Math.max(sum, 0) : sum;
    shares[move] = Math.max(regret[move] * rule.predicted + instant[move] * (algorithm.predict ?? 0), 0);
  }
  const own = reach(played, dealsOf(key)[0], line, player);
  if (visited.length > 0) {
    const total = shares[0] + shares[1];
    const rounding = deal === null ? 2 ** -43 : 0; // positive regrets no larger than this are errors of rounding
    state.strategy[key] = total - rounding > 0 ? shares[1] / total : 0.5;
    state.strategySum[key][0] += weight * own * (1 - played[key]);
    state.strategySum[key][1] += weight * own * played[key];
  }
  return {
    ...{ visited, instant, discounted, shares, own },
    regretAfter: [...regret],
    sumAfter: [...state.strategySum[key]],
    next: both(state.strategy[key]),
  };
}

/**
 * Return the average strategy: each infoset's share of its strategy sums, uniform where it has none.
 * @param {State} state
 * @returns {Strategy}
 */
export const averageOf = (state) =>
  Object.fromEntries(
    INFOSETS.map(({ key }) => {
      const [pass, bet] = state.strategySum[key];
      return [key, pass + bet > 0 ? bet / (pass + bet) : 0.5];
    }),
  );
