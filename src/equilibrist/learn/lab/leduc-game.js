// Leduc hold'em by its public states: what was bet, the public card, and the hands J, Q and K of either player. The deck
// has two cards of each rank, so that suits are left out, as equilibrist.games.Leduc does by default.

export const CARDS = ["J", "Q", "K"];
const HANDS = CARDS.length;
const COPIES = 2; // of each card
const DECK = HANDS * COPIES;
const ANTE = 1;
const BETS = [2, 4]; // chips, in the first and in the second round
const MOST_RAISES = 2; // in a round
const PAIR = HANDS; // beats every rank

/**
 * A public state: all histories that look the same to who sees no private card.
 *
 * @typedef {object} PublicState
 * @property {number} index in STATES; those above a state come before it
 * @property {"decision" | "turn" | "fold" | "showdown"} kind what happens there; at a turn the public card is dealt
 * @property {string} first moves of the first round, letters of MOVES
 * @property {string} board the public card, or "" before it is dealt
 * @property {string} second moves of the second round
 * @property {number} player who decides; of an end by a fold who has folded; else -1
 * @property {string[]} moves letters of MOVES; at a turn the cards
 * @property {number[]} next the states that they lead to
 * @property {number} above the state before it; -1 at the start
 * @property {[number, number]} paid chips of each player so far
 */

/** The letters of moves, as names of infosets have them. */
export const MOVES = ["f", "c", "r"];

/** Return the words for a move: a bet is the first raise of a round. */
export function moveInWords(state, move) {
  const isFirst = !facesBet(state);
  if (move === "f") return "fold";
  if (move === "c") return isFirst ? "check" : "call";
  return isFirst ? "bet" : "raise";
}

/** Return the moves of the round that is played. */
const roundOf = ({ first, board, second }) => (board ? second : first);

/** Return whether who decides has to pay to stay in. */
const facesBet = (state) => state.paid[state.player] < state.paid[1 - state.player];

/** @type {PublicState[]} */
export const STATES = [];

/** Add a state, and all below it; return its index. */
function addState(position) {
  const index = STATES.length;
  const state = { index, moves: [], next: [], player: -1, ...position };
  STATES.push(state);
  if (state.kind === "turn") {
    state.moves = [...CARDS];
    state.next = CARDS.map((board) => addState({ ...position, kind: "decision", board, player: 0, above: index }));
  } else if (state.kind === "decision") {
    const raises = [...roundOf(state)].filter((move) => move === "r").length;
    state.moves = MOVES.filter((move) => (move !== "f" || facesBet(state)) && (move !== "r" || raises < MOST_RAISES));
    state.next = state.moves.map((move) => addState(positionAfter(state, move)));
  }
  return index;
}

/** Return the position after a move at a decision. */
function positionAfter(state, move) {
  const { first, board, second, player } = state;
  const paid = /** @type {[number, number]} */ ([...state.paid]);
  if (move !== "f") paid[player] = paid[1 - player];
  if (move === "r") paid[player] += BETS[board ? 1 : 0];
  const moves = board ? { first, second: second + move } : { first: first + move, second };
  const after = { ...moves, board, paid, above: state.index };
  if (move === "f") return { ...after, kind: "fold", player };
  const isOver = move === "c" && roundOf(state) !== ""; // a call, or a check after a check
  if (!isOver) return { ...after, kind: "decision", player: 1 - player };
  return { ...after, kind: board ? "showdown" : "turn", player: -1 };
}

addState({ kind: "decision", first: "", board: "", second: "", player: 0, above: -1, paid: [ANTE, ANTE] });

/** The states at which somebody decides. */
export const DECISIONS = STATES.filter(({ kind }) => kind === "decision");

/** The states at which a second round begins: the parts that are solved again. */
export const PARTS = DECISIONS.filter(({ board, second }) => board && !second);

/** Return the public name of a state: "rc/Q" where a second round begins. */
export const nameOf = ({ first, board, second }) => (board ? `${first}/${board}${second}` : first);

/** Return the infoset of a hand at a decision, as the package names it: "Krc/Q". */
export const infosetOf = (state, hand) => CARDS[hand] + nameOf(state);

/** Return the probability that both are dealt these hands, and the public card of a state, if it is dealt. */
function chanceOf({ board }, hands) {
  const [one, other] = hands;
  const left = CARDS.map((_, card) => COPIES - Number(card === one) - Number(card === other));
  const dealt = (COPIES * (COPIES - Number(one === other))) / (DECK * (DECK - 1));
  if (!board) return dealt;
  return (dealt * Math.max(0, left[CARDS.indexOf(board)])) / (DECK - 2);
}

/** Return what player 0 wins at an end with these hands: chips. */
function payoff(state, hands) {
  const { kind, player, paid, board } = state;
  if (kind === "fold") return player === 0 ? -paid[0] : paid[1];
  const [one, other] = hands.map((hand) => (CARDS[hand] === board ? PAIR : hand));
  return Math.sign(one - other) * paid[0];
}

/** Return a number for each pair of hands, that of player 0 first: 9 in a row. */
const byHands = (value) =>
  Float64Array.from({ length: HANDS * HANDS }, (_, k) => value([Math.floor(k / HANDS), k % HANDS]));

/** The probability of chance at each state, for each pair of hands. */
export const CHANCES = STATES.map((state) => byHands((hands) => chanceOf(state, hands)));

/** What player 0 wins at each end, times the probability of chance, for each pair of hands; null where play goes on. */
const WORTHS = STATES.map((state) =>
  state.kind === "fold" || state.kind === "showdown"
    ? byHands((hands) => chanceOf(state, hands) * payoff(state, hands))
    : null,
);

/** Return what a player's hand wins at an end against another hand: chips. */
export const payoffOf = (state, player, own, other) =>
  player === 0 ? payoff(state, [own, other]) : -payoff(state, [other, own]);

/** Return the sums over the other's hands of a number for each pair of hands, times the reach of each. */
function weigh(pairs, player, reach) {
  return CARDS.map((_, own) => {
    let sum = 0;
    for (let other = 0; other < HANDS; other++) {
      const pair = player === 0 ? HANDS * own + other : HANDS * other + own;
      sum += pairs[pair] * reach[other];
    }
    return sum;
  });
}

/** Return what each hand of a player is worth at an end: payoff × the probability of chance and of the other's reach. */
export function worthAt(index, player, reach) {
  const worth = weigh(WORTHS[index], player, reach);
  return player === 0 ? worth : worth.map((value) => -value);
}

/** Return the probability that chance and the other, by its reach, lead to a state with each hand of a player. */
export const weightsAt = (index, player, reach) => weigh(CHANCES[index], player, reach);

/**
 * A strategy: the probability of each move of each hand at each state; nothing where nobody decides.
 *
 * @typedef {number[][][]} Strategy strategy[state][hand][move]
 */

/** Return a table with a row for each hand at each decision, which make(moves) makes. */
export const makeTable = (make) =>
  STATES.map(({ kind, moves }) => (kind === "decision" ? CARDS.map(() => make(moves.length)) : []));

/** Return the strategy that plays everything equally often. @returns {Strategy} */
export const uniform = () => makeTable((count) => new Array(count).fill(1 / count));
