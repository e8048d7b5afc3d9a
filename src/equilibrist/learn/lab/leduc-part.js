// Leduc hold'em after the public card, solved again with what a strategy brings there: the methods of equilibrist.resolve
// "unsafe", "resolve" and "maxmargin". Each is the part with other decisions of the opponent above it.
import { inProportion, matchRegrets, ruleOf, start, updateBelow } from "./leduc-cfr.js";
import { CARDS, STATES, weightsAt } from "./leduc-game.js";
import { ONES, reachesTo, valuesBelow } from "./leduc-judge.js";

/** @typedef {import("./leduc-game.js").Strategy} Strategy */

/**
 * What a strategy brings to a part.
 *
 * @typedef {object} Part
 * @property {number} index of the state at which it begins
 * @property {number} player who is solved again; the other one is the opponent
 * @property {number[]} reach of the player's hands
 * @property {number[]} comes x: the probability that the opponent's moves lead there with each hand
 * @property {number[]} weights w: the probability that chance and the player lead there with each hand of the opponent
 * @property {number[]} allowed CBV: what each hand of the opponent earns there with a best response, times w
 */

const ALGORITHM = "pcfr+";
const CHECKED = 50; // iterations between two looks at the gap
const MOST = 2_000; // iterations
const ENOUGH = 1e-5; // of the gap: payoff per game

const product = (one, other) => one.reduce((sum, value, k) => sum + value * other[k], 0);

/**
 * Return what a strategy brings to a part.
 *
 * @param {Strategy} strategy
 * @param {number} index
 * @param {number} player
 * @returns {Part}
 */
export function partOf(strategy, index, player) {
  const opponent = 1 - player;
  const reaches = reachesTo(strategy, index);
  const reach = reaches[player];
  return {
    index,
    player,
    reach,
    comes: reaches[opponent],
    weights: weightsAt(index, opponent, reach),
    allowed: valuesBelow(index, { strategy, player: opponent, reach, responds: true }),
  };
}

/**
 * The opponent's decisions above a part: with which weight each hand enters, what it has besides, and what both are worth
 * where the hands earn `values`.
 *
 * `enter` learns from the values of an iteration; `average` is what it has done on average, {reach, besides}; `worst` is
 * the most that the opponent gets where its hands earn values at best.
 *
 * @typedef {{reach: () => number[], learn: (values: number[], rule: any) => void,
 *   average: () => {reach: number[], besides: number}, worst: (values: number[]) => number}} Entrance
 */

/** Return the entrance by which each hand comes as often as in the strategy. @param {Part} part @returns {Entrance} */
const comeAsBefore = ({ comes }) => ({
  reach: () => comes,
  learn: () => {},
  average: () => ({ reach: comes, besides: 0 }),
  worst: (values) => product(comes, values),
});

/** Return a decision above a part, of so many moves: what it plays, learns from values, and has played on average. */
function makeRow(count) {
  const regrets = new Array(count).fill(0);
  const sums = new Array(count).fill(0);
  const row = { played: new Array(count).fill(1 / count), learn, average: () => inProportion(sums) };
  function learn(values, rule) {
    const value = product(row.played, values);
    row.played.forEach((probability, move) => (sums[move] += rule.counts * probability));
    const instant = values.map((one) => one - value);
    row.played = matchRegrets(regrets, instant, rule);
  }
  return row;
}

/** Return the entrance by which each hand enters, or takes what it is allowed. @param {Part} part @returns {Entrance} */
function enterOrTake({ allowed }) {
  const rows = CARDS.map(() => makeRow(2));
  return {
    reach: () => rows.map(({ played }) => played[0]),
    learn: (values, rule) => rows.forEach((row, hand) => row.learn([values[hand], allowed[hand]], rule)),
    average() {
      const averages = rows.map((row) => row.average());
      return {
        reach: averages.map(([enters]) => enters),
        besides: product(
          averages.map(([, takes]) => takes),
          allowed,
        ),
      };
    },
    worst: (values) => values.reduce((sum, value, hand) => sum + Math.max(value, allowed[hand]), 0),
  };
}

/**
 * Return the entrance by which the opponent chooses the hand that enters, at the price of what it is allowed. A hand that
 * cannot be there is none of the choices.
 *
 * @param {Part} part
 * @returns {Entrance}
 */
function chooseHand({ weights, allowed }) {
  const hands = CARDS.map((_, hand) => hand).filter((hand) => weights[hand] > 0);
  const row = makeRow(hands.length);
  const reachOf = (chosen) =>
    CARDS.map((_, hand) => {
      const place = hands.indexOf(hand);
      return place < 0 ? 0 : chosen[place] / weights[hand];
    });
  const margins = (values) => hands.map((hand) => (values[hand] - allowed[hand]) / weights[hand]);
  return {
    reach: () => reachOf(row.played),
    learn: (values, rule) => row.learn(margins(values), rule),
    average() {
      const reach = reachOf(row.average());
      return { reach, besides: -product(reach, allowed) };
    },
    worst: (values) => Math.max(...margins(values)),
  };
}

/** The methods, by the package's names, with what each minimises and the opponent's decisions above the part. */
export const METHODS = {
  unsafe: { minimises: "Σ x · f", entrance: comeAsBefore },
  resolve: { minimises: "Σ max(f, CBV)", entrance: enterOrTake },
  maxmargin: { minimises: "max (f − CBV) / w", entrance: chooseHand },
};

/**
 * The answer of a method.
 *
 * @typedef {object} Answer
 * @property {Strategy} strategy the whole strategy with the player's part in it
 * @property {number[]} values f: what each hand of the opponent earns with a best response, times w
 * @property {number} objective what the method minimises
 * @property {number} gap how far it may be from the least
 * @property {number} excess Σ max(0, f − CBV): how much more a best response may earn at most
 * @property {number} iterations
 */

/**
 * Solve a part again; the strategy stays as it is.
 *
 * @param {Strategy} strategy
 * @param {Part} part
 * @param {string} method a name of METHODS
 * @returns {Answer}
 */
export function resolve(strategy, part, method) {
  const { index, player, reach, weights, allowed } = part;
  const opponent = 1 - player;
  if (!weights.some((weight) => weight > 0)) return unchanged(strategy, part);
  const entrance = METHODS[method].entrance(part);
  const cfr = start();
  let answer = unchanged(strategy, part);
  while (cfr.t < MOST) {
    const rule = ruleOf(ALGORITHM, ++cfr.t);
    updateBelow(cfr, index, { player, own: ONES, others: entrance.reach(), rule });
    const values = updateBelow(cfr, index, { player: opponent, own: entrance.reach(), others: reach, rule });
    entrance.learn(values, rule);
    if (cfr.t % CHECKED) continue;
    answer = judgePart(strategy, part, entrance, cfr);
    if (answer.gap <= ENOUGH) break;
  }
  return { ...answer, excess: excessOf(answer.values, allowed) };
}

const excessOf = (values, allowed) => values.reduce((sum, value, hand) => sum + Math.max(0, value - allowed[hand]), 0);

/** Return the answer that leaves a part as it is: the player never comes there. @returns {Answer} */
const unchanged = (strategy, { allowed }) => ({
  strategy,
  values: allowed,
  objective: 0,
  gap: 0,
  excess: 0,
  iterations: 0,
});

/**
 * Return the player's average spliced into the strategy, and between which bounds what is minimised lies.
 *
 * @param {Strategy} strategy
 * @param {Part} part
 * @param {Entrance} entrance
 * @param {import("./leduc-cfr.js").CfrState} cfr
 * @returns {Answer}
 */
function judgePart(strategy, { index, player, reach }, entrance, cfr) {
  const opponent = 1 - player;
  const averages = averagesBelow(cfr, index);
  const spliced = strategy.map((rows, k) => (STATES[k].player === player && averages[k] ? averages[k] : rows));
  const values = valuesBelow(index, { strategy: spliced, player: opponent, reach, responds: true });
  const { reach: entered, besides } = entrance.average();
  const met = strategy.map((rows, k) => averages[k] ?? rows);
  const best = valuesBelow(index, { strategy: met, player, reach: entered, responds: true });
  const objective = entrance.worst(values);
  const least = besides - product(reach, best);
  return { strategy: spliced, values, objective, gap: objective - least, excess: 0, iterations: cfr.t };
}

/** Return the average strategy of both at the decisions below a state; nothing elsewhere. */
function averagesBelow({ strategySum }, index) {
  const averages = [];
  const visit = (k) => {
    const { kind, next } = STATES[k];
    if (kind === "decision") averages[k] = strategySum[k].map((row) => inProportion(row));
    next.forEach(visit);
  };
  visit(index);
  return averages;
}
