// What each number of an update is made of: a number unfolds into the numbers that it was computed from.
import { dealsOf, infosetOf, moverAt, probability, reach, valueAt } from "./kuhn-game.js";

/**
 * @typedef {object} Term A number, and what it is.
 * @property {number} value
 * @property {string} label in a word or two
 * @property {() => (string | Term)[]} [of] signs and numbers that it was computed from; none where it is a rule
 */

/**
 * @param {number} value
 * @param {string} label
 * @param {Term["of"]} [of]
 * @returns {Term}
 */
const term = (value, label, of) => ({ value, label, of });

/** Return terms with a sign between them. */
const joined = (terms, sign) => terms.flatMap((one, i) => (i ? [sign, one] : [one]));

const WORDS = { p: ["passes", "folds"], b: ["bets", "calls"] };

/** Return what a player does, in words: "player 1 bets". */
const does = (line, move) => `player ${moverAt(line)} ${WORDS[move][line.includes("b") ? 1 : 0]}`;

/** Return a line in words: "pb" → "pass, bet". */
export const inWords = (line) =>
  [...line].map((move, i) => infosetOf("J" + line.slice(0, i)).actions[move === "b" ? 1 : 0]).join(", ");

/** Return a sum of products. */
const sumOf = (products) => products.flatMap((terms, i) => [...(i ? [" + "] : []), ...joined(terms, " · ")]);

/**
 * Return the probability of a move as who is updated meets it: at a trust in a model, that of a mixture.
 *
 * @param {any} update as `iterate` records it
 * @returns {Term}
 */
function met(update, deal, line, move) {
  const { played, mixed } = update;
  const mover = moverAt(line);
  const value = probability(played, deal, line, move);
  if (!mixed || mover === mixed.player) return term(value, does(line, move));
  const later = line.length > 1; // whether the opponent has moved before
  const [, acts] = does(line, move).split(/ (?=\w+$)/);
  const weights = [];
  const products = [];
  for (const [who, strategy, weight] of [
    ["the model", mixed.strategy, term(mixed.trust, "trust")],
    [`player ${mover}`, mixed.own, term(1 - mixed.trust, "1 − trust")],
  ]) {
    const comes = term(reach(strategy, deal, line, mover), `${who} comes here`);
    const factors = later ? [weight, comes] : [weight];
    weights.push(factors);
    products.push([...factors, term(probability(strategy, deal, line, move), `${who} ${acts}`)]);
  }
  const total = weights.reduce((sum, factors) => sum + factors.reduce((product, one) => product * one.value, 1), 0);
  if (total === 0) return term(value, does(line, move));
  return term(value, does(line, move), () =>
    later ? ["(", ...sumOf(products), ") / (", ...sumOf(weights), ")"] : sumOf(products),
  );
}

/**
 * Return the value of a history to a player: the ends by their probabilities.
 * @param {any} update as `iterate` records it
 * @returns {Term}
 */
function worth(update, deal, line, player, label) {
  const mover = moverAt(line);
  const strategy = update.played;
  const value = (player === 0 ? 1 : -1) * valueAt(strategy, deal, line);
  if (mover === undefined) return term(value, `${label}: the play ends`);
  return term(value, label, () =>
    joined(
      ["p", "b"].map((move) => [
        met(update, deal, line, move),
        worth(update, deal, line + move, player, moverAt(line + move) === undefined ? `pays` : `then worth`),
      ]),
      " + ",
    ).flatMap((one) => (Array.isArray(one) ? joined(one, " · ") : [one])),
  );
}

/**
 * Return the weight of a history: the probability that chance and the other player lead there.
 * @returns {Term}
 */
function weightOf(update, { line, player }, { deal, chance, weight, others }) {
  const moves = [...line]
    .map((move, i) => ({ before: line.slice(0, i), move }))
    .filter(({ before }) => moverAt(before) !== player)
    .map(({ before, move }) => met(update, deal, before, move));
  const dealt = term(chance, chance === 1 ? `${deal} is drawn` : `chance deals ${deal}`);
  return term(weight, `weight of ${deal}`, others === undefined ? undefined : () => joined([dealt, ...moves], " · "));
}

/**
 * Return the numbers of an update for an action (0 or 1) of its infoset.
 *
 * @param {string} key
 * @param {any} update as `iterate` records it
 * @param {number} move
 * @param {{algorithm: import("./update-rules.js").Algorithm, unit: [number, number]}} context the algorithm, and what 1 in the
 *   strategy sums stood for before and after
 */
export function termsOf(key, update, move, context) {
  const { algorithm, unit } = context;
  const infoset = infosetOf(key);
  const { player, line, actions } = infoset;
  const action = actions[move];
  const letter = "pb"[move];

  const histories = update.visited.map((one) => {
    const valued = worth(update, one.deal, line + letter, player, `value of ${action}`);
    const here = worth(update, one.deal, line, player, "value here");
    const regret = term(one.values[move] - one.value, "regret", () => [valued, " − ", here]);
    const weight = weightOf(update, infoset, one);
    return {
      deal: one.deal,
      weight,
      value: valued,
      here,
      added: term(one.weight * regret.value, `with ${one.deal}`, () => [weight, " · ", regret]),
    };
  });

  const instant = term(
    update.instant[move],
    "instant regret",
    histories.length
      ? () =>
          joined(
            histories.map(({ added }) => added),
            " + ",
          )
      : undefined,
  );
  const before = term(update.regretBefore[move], "regret sum before");
  const factor = update.regretBefore[move] > 0 ? update.rule.positive : update.rule.negative;
  const discounted =
    factor === 1
      ? before
      : term(update.discounted[move], "discounted", () => [term(factor, "discount"), " · ", before]);
  const sum = () => [discounted, " + ", instant];
  const regret = term(update.regretAfter[move], "regret sum", () =>
    algorithm.floor ? ["max(", ...sum(), ", 0)"] : sum(),
  );
  const share = (one, name) => {
    const predicted = algorithm.predict;
    if (!predicted)
      return term(update.shares[one], `positive part of ${name}`, () => [
        "max(",
        term(update.regretAfter[one], `regret sum of ${name}`),
        ", 0)",
      ]);
    return term(update.shares[one], `predicted for ${name}`, () => [
      "max(",
      ...(update.rule.predicted === 1 ? [] : [term(update.rule.predicted, "discount"), " · "]),
      term(update.regretAfter[one], `regret sum of ${name}`),
      " + ",
      ...(predicted === 1 ? [] : [term(predicted, "weight of the prediction"), " · "]),
      term(update.instant[one], "instant regret"),
      ", 0)",
    ]);
  };
  const shares = actions.map((name, one) => share(one, name));
  const positive = shares[0].value + shares[1].value > 2 ** -43;
  const next = term(
    update.next[move],
    !update.visited.length ? "not visited: as before" : positive ? "next strategy" : "none is positive: uniform",
    update.visited.length && positive ? () => [shares[move], " / (", shares[0], " + ", shares[1], ")"] : undefined,
  );
  const own = term(
    update.own,
    "own reach",
    line.length > 1
      ? () => [term(probability(update.played, dealsOf(key)[0], "", line[0]), does("", line[0]))]
      : undefined,
  );
  const kept = unit[0] / unit[1];
  const sumBefore = term(update.sumBefore[move], "strategy sum before");
  const count = update.visited.length ? update.sumAfter[move] - update.sumBefore[move] * kept : 0;
  const counted = update.strategy[move] * update.own;
  const weight = counted > 0 ? Math.round((count / counted) * 1e9) / 1e9 : 1;
  const strategySum = term(update.sumAfter[move], "strategy sum", () => [
    ...(kept === 1 ? [sumBefore] : [term(kept, "discount"), " · ", sumBefore]),
    ...(update.visited.length
      ? [
          " + ",
          ...(weight === 1 ? [] : [term(weight, "weight of the iteration"), " · "]),
          own,
          " · ",
          term(update.strategy[move], `σ(${action})`),
        ]
      : []),
  ]);
  const sums = update.sumAfter[0] + update.sumAfter[1];
  const average = term(
    sums > 0 ? update.sumAfter[move] / sums : 0.5,
    "average",
    sums > 0 ? () => [strategySum, " / ", term(sums, "sum of both")] : undefined,
  );
  return { action, histories, instant, regret, next, strategySum, average, strategy: term(update.strategy[move], "σ") };
}
