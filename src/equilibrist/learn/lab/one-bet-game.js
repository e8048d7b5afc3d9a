// The game of one bet: its two decisions as a game of two actions each, and what follows from them. Cards K, Q and J,
// blinds of S chips, a bet of one chip. `bluff` is the probability of betting the J, `call` that of calling with the Q
// (docs/one-bet.md); everything else is played as is obvious. All payoffs are those of player 0.

/** Return the payoffs of the game of two decisions: rows pass and bet the J, columns fold and call with the Q. */
export const payoffsOf = (S) => [
  [0, 1 / 6],
  [(2 * S - 1) / 6, -1 / 6],
];

/** Return the strategies of both players as those of that game. */
export const strategiesOf = (bluff, call) => [
  [1 - bluff, bluff],
  [1 - call, call],
];

/** Return what player 0 wins: docs/one-bet.md. */
export const payoff = (S, bluff, call) => (bluff * (2 * S - 1) + call - (2 * S + 1) * bluff * call) / 6;

/** Return how much player 0 wins for each unit of bluffing more, and of player 1 calling more. */
export const slopes = (S, bluff, call) => ({
  bluff: (2 * S - 1 - (2 * S + 1) * call) / 6,
  call: (1 - (2 * S + 1) * bluff) / 6,
});

/** Return what player 0 wins at least by a probability of bluffing. */
export const floorOf = (S, bluff) => Math.min(payoff(S, bluff, 0), payoff(S, bluff, 1));

/** Return what player 0 wins at most against a probability of calling. */
export const ceilingOf = (S, call) => Math.max(payoff(S, 0, call), payoff(S, 1, call));

/**
 * Return value, security levels, and gains of both players by a best response; `exploitability` is the mean gain.
 *
 * @param {number} S
 * @param {number} bluff
 * @param {number} call
 */
export function judged(S, bluff, call) {
  const value = payoff(S, bluff, call);
  const [floor, ceiling] = [floorOf(S, bluff), ceilingOf(S, call)];
  const gains = [ceiling - value, value - floor];
  return { value, floor, ceiling, gains, exploitability: (ceiling - floor) / 2 };
}

/** Return the probabilities that leave the other player indifferent; that of calling is below 0 for small blinds. */
export const indifference = (S) => ({ bluff: 1 / (2 * S + 1), call: (2 * S - 1) / (2 * S + 1) });

/** Return the equilibrium. With blinds of half a chip or less a bluff costs more than it can win. */
export function equilibrium(S) {
  if (S <= 0.5) return { bluff: 0, call: 0, value: 0 };
  const { bluff, call } = indifference(S);
  return { bluff, call, value: call / 6 };
}
