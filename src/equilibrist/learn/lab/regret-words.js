// How each number of a regret matcher comes about, in words and factors.

import { fraction, signed } from "./regret-numbers.js";
import { actionValues, dot, instantRegrets, regretMatching } from "./regret-rule.js";

/**
 * A round as one player saw it: `before` and `after` are that player, `played` and `other` what both played, `own` and
 * `theirs` how they are called.
 *
 * @typedef {{before: any, after: any, played: number[], other: number[], own: string, theirs: string,
 *   averages: boolean}} Round
 */

const times = "\u2009·\u2009";
const bracketed = (value) => (value < 0 ? `(${fraction(value)})` : fraction(value));

/** Return the only action of a strategy, or -1 where it mixes. */
export const onlyAction = (strategy) => strategy.findIndex((probability) => probability === 1);

/** Return the value of an action against a strategy as a sum of payoff times probability. */
function valueInFactors(game, action, other) {
  const terms = other.flatMap((probability, b) =>
    probability > 0 ? [`${bracketed(game.payoffs[action][b])}${times}${fraction(probability)}`] : [],
  );
  return terms.length <= 6 ? `${terms.join(" + ")} = ` : `${terms.length} payoffs times their probabilities = `;
}

/** Say how the regret of this round comes about. */
function instantInWords(game, action, { played, other, own, theirs }) {
  const values = actionValues(game.payoffs, other);
  const regret = instantRegrets(game.payoffs, played, other)[action];
  const [mine, his] = [onlyAction(played), onlyAction(other)];
  const name = game.actions[action];
  if (mine < 0 || his < 0) {
    const earned = dot(played, values);
    return [
      `${name} is worth ${valueInFactors(game, action, other)}${signed(values[action])} against ${theirs} strategy`,
      `the strategy of ${own} was worth ${signed(earned)}`,
      `${fraction(values[action])} − ${bracketed(earned)} = ${signed(regret)}`,
    ];
  }
  const sentence =
    action === mine
      ? "it was played: nothing to regret"
      : regret === 0
        ? `${name} would have earned the same`
        : `${name} would have earned ${fraction(Math.abs(regret))} ${regret > 0 ? "more" : "less"}`;
  return [
    `${name} against ${theirs} ${game.actions[his]}: ${signed(values[action])}`,
    `${own} played ${game.actions[mine]}: ${signed(values[mine])}`,
    `${fraction(values[action])} − ${bracketed(values[mine])} = ${signed(regret)}: ${sentence}`,
  ];
}

/** Say how the regret sum comes about. */
function sumInWords(game, action, { before, after, played, other }) {
  const regret = instantRegrets(game.payoffs, played, other)[action];
  const total = after.regretSums[action];
  return [
    `before this round ${fraction(before.regretSums[action])}, this round ${signed(regret)}`,
    `${fraction(before.regretSums[action])} + ${bracketed(regret)} = ${fraction(after.regretSums[action])}`,
    `${game.actions[action]} in every round would have earned ${fraction(Math.abs(total))} ${total < 0 ? "less" : "more"}`,
  ];
}

/** Say how the next strategy comes about. */
function nextInWords(game, action, { after }) {
  const sums = after.regretSums;
  const positive = sums.flatMap((sum, a) => (sum > 0 ? [{ name: game.actions[a], sum }] : []));
  const probability = regretMatching(sums)[action];
  if (!positive.length) return ["no regret sum is positive: every action equally often", `1/${sums.length}`];
  const total = positive.reduce((all, { sum }) => all + sum, 0);
  const listed =
    positive.length <= 6
      ? positive.map(({ name, sum }) => `${name} ${fraction(sum)}`).join(", ")
      : `${positive.length} actions`;
  if (sums[action] <= 0)
    return [`the regret sum of ${game.actions[action]}, ${fraction(sums[action])}, is not positive: it is not played`];
  return [
    `positive regret sums: ${listed}`,
    `they sum to ${fraction(total)}`,
    `${fraction(sums[action])} / ${fraction(total)} = ${fraction(probability)}`,
  ];
}

/** Say how the average comes about. */
function averageInWords(game, action, { after, own, averages }) {
  const { strategySums, rounds } = after;
  const share = fraction(strategySums[action] / rounds);
  if (!averages)
    return [`${own} played ${game.actions[action]} in ${fraction(strategySums[action])} of ${rounds} rounds: ${share}`];
  return [
    `the probabilities of ${game.actions[action]} in ${rounds} round${rounds === 1 ? "" : "s"} sum to ${fraction(strategySums[action])}`,
    `${fraction(strategySums[action])} / ${rounds} = ${share}`,
  ];
}

const WORDS = { instant: instantInWords, sum: sumInWords, next: nextInWords, average: averageInWords };

/**
 * Return sentences that say how a number comes about.
 *
 * @param {keyof typeof WORDS} kind
 * @param {any} game
 * @param {number} action
 * @param {Round} round
 */
export const inWords = (kind, game, action, round) => WORDS[kind](game, action, round);
