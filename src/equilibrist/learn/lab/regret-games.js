// The games in which the reader meets regret matching. They are the same for both players.

/**
 * `groups` are actions that sliders move together; `keys` are what plays an action.
 *
 * @typedef {{name: string, actions: string[], payoffs: number[][], groups: {label: string, actions: number[]}[],
 *   keys: string[]}} Game
 */

const HANDS = ["rock", "paper", "scissors"];

/** Return rock, paper, scissors, in which rock wins `prize` of scissors. */
function rockPaperScissors(prize) {
  return {
    name: prize === 1 ? "Every win counts 1" : "Rock beats scissors for 2",
    actions: HANDS,
    payoffs: [
      [0, -1, prize],
      [1, 0, -1],
      [-prize, 1, 0],
    ],
    groups: HANDS.map((label, a) => ({ label, actions: [a] })),
    keys: ["r", "p", "s"],
  };
}

/**
 * Return Colonel Blotto: both split their soldiers over the fields, the larger force takes a field, and who takes more
 * fields wins 1.
 *
 * @param {number} soldiers
 * @returns {Game}
 */
function blotto(soldiers) {
  const splits = [];
  for (let first = soldiers; first >= 0; first--)
    for (let second = soldiers - first; second >= 0; second--) splits.push([first, second, soldiers - first - second]);
  const fields = (one, other) => one.reduce((sum, force, i) => sum + Math.sign(force - other[i]), 0);
  const actions = splits.map((split) => split.join("-"));
  const kinds = new Map();
  splits.forEach((split, a) => {
    const kind = split.toSorted((a, b) => b - a).join("-");
    kinds.set(kind, [...(kinds.get(kind) ?? []), a]);
  });
  return {
    name: `Colonel Blotto, ${soldiers} soldiers`,
    actions,
    payoffs: splits.map((one) => splits.map((other) => Math.sign(fields(one, other)))),
    groups: [...kinds].map(([label, members]) => ({ label, actions: members })),
    keys: [],
  };
}

/** @type {{fair: Game, double: Game, blotto: Game}} */
export const GAMES = { fair: rockPaperScissors(1), double: rockPaperScissors(2), blotto: blotto(5) };

/** Return a strategy from the weights of the groups, each shared equally by its actions; uniform if all are 0. */
export function mixed(game, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const strategy = Array(game.actions.length).fill(0);
  game.groups.forEach(({ actions }, i) => {
    for (const a of actions) strategy[a] = total ? weights[i] / total / actions.length : 1 / strategy.length;
  });
  return strategy;
}
