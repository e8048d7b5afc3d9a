// Kuhn poker with three cards: the rules, the value of a strategy, best responses, and what each infoset loses. As
// equilibrist.evaluate: tests/lab compares them.

/** @typedef {Record<string, number>} Strategy The probability of the second action (bet, or call) at each infoset. */
/** @typedef {[number, number]} Pair A number for each action of an infoset, pass (or fold) first. */

export const CARDS = ["J", "Q", "K"];

/** The deals, each with probability 1/6: the card of player 0, then that of player 1. */
export const DEALS = ["JQ", "JK", "QJ", "QK", "KJ", "KQ"];

/** What each decision is called, by the moves before it. */
export const DECISIONS = [
  { line: "", player: 0, actions: ["pass", "bet"] },
  { line: "p", player: 1, actions: ["pass", "bet"] },
  { line: "b", player: 1, actions: ["fold", "call"] },
  { line: "pb", player: 0, actions: ["fold", "call"] },
];

/** The moves of each play that has ended, and whether the higher card takes the pot, or who has folded. */
const FOLDS = { bp: 1, pbp: 0 };
const STAKES = { pp: 1, bb: 2, pbb: 2, bp: 1, pbp: 1 };

/** The ends, by their moves. */
export const ENDS = Object.keys(STAKES);

/** The infosets: those of player 0 first, by card, as they come up in play. */
export const INFOSETS = [0, 1].flatMap((player) =>
  CARDS.flatMap((card) =>
    DECISIONS.filter((one) => one.player === player).map(({ line, actions }) => ({
      key: card + line,
      player,
      card,
      line,
      actions,
    })),
  ),
);

const BY_KEY = new Map(INFOSETS.map((infoset) => [infoset.key, infoset]));
const BY_LINE = new Map(DECISIONS.map((decision) => [decision.line, decision]));

/** Return whether a text is the key of an infoset: "Qpb". */
export const isInfoset = (key) => BY_KEY.has(key);

/** Return an infoset by its key. */
export function infosetOf(key) {
  const infoset = BY_KEY.get(key);
  if (!infoset) throw new Error(`Kuhn poker has no infoset ${key}.`);
  return infoset;
}

/** Return who moves after these moves, or undefined where the play has ended. */
export const moverAt = (line) => BY_LINE.get(line)?.player;

/** Return the key of the infoset after these moves of a deal, of whoever moves there. */
export function keyAt(deal, line) {
  const player = moverAt(line);
  if (player === undefined) throw new Error(`Nobody moves after ${line}.`);
  return deal[player] + line;
}

/** Return the deals in which an infoset comes up. */
export const dealsOf = (key) => DEALS.filter((deal) => deal[infosetOf(key).player] === key[0]);

/** Return a strategy that plays everything equally often. */
export const uniform = () => Object.fromEntries(INFOSETS.map(({ key }) => [key, 0.5]));

/**
 * Return the equilibrium of a bluffing frequency α between 0 and 1/3: all of them are of this form.
 * @param {number} alpha
 * @returns {Strategy}
 */
export const equilibrium = (alpha) => ({
  ...{ J: alpha, Jpb: 0, Q: 0, Qpb: alpha + 1 / 3, K: 3 * alpha, Kpb: 1 },
  ...{ Jp: 1 / 3, Jb: 0, Qp: 0, Qb: 1 / 3, Kp: 1, Kb: 1 },
});

/**
 * Return what the end of a play pays to a player: chips, with an ante of 1 and a bet of 1.
 * @param {string} deal
 * @param {string} line
 */
export function payoff(deal, line, player = 0) {
  const loser = FOLDS[line] ?? (CARDS.indexOf(deal[0]) < CARDS.indexOf(deal[1]) ? 0 : 1);
  return loser === player ? -STAKES[line] : STAKES[line];
}

/**
 * Return the probability of an action after these moves of a deal.
 * @param {Strategy} strategy
 * @param {string} move "p" or "b"
 */
export function probability(strategy, deal, line, move) {
  const bet = strategy[keyAt(deal, line)];
  return move === "b" ? bet : 1 - bet;
}

/**
 * Return the value of a history to player 0: payoff per game.
 * @param {Strategy} strategy
 */
export function valueAt(strategy, deal, line = "") {
  const player = moverAt(line);
  if (player === undefined) return payoff(deal, line);
  const bet = strategy[deal[player] + line];
  return (1 - bet) * valueAt(strategy, deal, line + "p") + bet * valueAt(strategy, deal, line + "b");
}

/**
 * Return the probability that the moves of one player lead here, or of all but this player.
 * @param {Strategy} strategy
 */
export function reach(strategy, deal, line, player, { others = false } = {}) {
  let product = 1;
  for (let i = 0; i < line.length; i++) {
    if ((moverAt(line.slice(0, i)) === player) !== others) {
      product *= probability(strategy, deal, line.slice(0, i), line[i]);
    }
  }
  return product;
}

/**
 * Return the value of a strategy to player 0: payoff per game.
 * @param {Strategy} strategy
 */
export const value = (strategy) => DEALS.reduce((sum, deal) => sum + valueAt(strategy, deal) / DEALS.length, 0);

/**
 * Return how good a strategy is, as equilibrist.evaluate.
 *
 * `best` has the value of a best response to each player, `actions` what each action is worth with the best response
 * afterwards (payoff × reach of chance and the others), `response` the best action, `losses` what each infoset loses;
 * `exploitability` is nash_conv / 2. All are payoffs per game.
 *
 * @param {Strategy} strategy
 */
export function evaluate(strategy) {
  const own = value(strategy);
  /** @type {Record<string, Pair>} */
  const actions = {};
  const response = {};
  const losses = {};
  const best = [0, 0];
  for (const { key, player, line } of [...INFOSETS].sort((a, b) => b.line.length - a.line.length)) {
    /** @type {Pair} */
    const worth = [0, 0];
    for (const deal of dealsOf(key)) {
      const weight = reach(strategy, deal, line, player, { others: true }) / DEALS.length;
      for (const move of [0, 1]) worth[move] += weight * endsBelow(strategy, deal, line + "pb"[move], player);
    }
    for (const move of [0, 1]) {
      const later = actions[`${key}${"pb"[move]}b`]; // a pass may be followed by a bet: player 0 decides once more
      if (later) worth[move] += Math.max(...later);
    }
    actions[key] = worth;
    response[key] = worth[1] > worth[0] ? 1 : 0;
    const bet = strategy[key];
    const arrives = reach(strategy, dealsOf(key)[0], line, player);
    losses[key] = arrives * (Math.max(...worth) - (1 - bet) * worth[0] - bet * worth[1]);
    if (line.length < 2) best[player] += Math.max(...worth);
  }
  const gains = [best[0] - own, best[1] + own];
  const nashConv = gains[0] + gains[1];
  return { value: own, best, gains, nashConv, exploitability: nashConv / 2, actions, response, losses };
}

/** Return the value to a player of the ends below a history which no later decision of this player leads to. */
function endsBelow(strategy, deal, line, player) {
  const mover = moverAt(line);
  if (mover === player) return 0;
  if (mover === undefined) return payoff(deal, line, player);
  const bet = strategy[deal[mover] + line];
  return (
    (1 - bet) * endsBelow(strategy, deal, line + "p", player) + bet * endsBelow(strategy, deal, line + "b", player)
  );
}
