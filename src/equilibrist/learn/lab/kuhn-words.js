// What the infosets of Kuhn poker are called, and sentences about them.
import { exact } from "./fraction.js";
import { infosetOf } from "./kuhn-game.js";

/** The words that stand for the cards. */
export const CARD_NAMES = { J: "jack", Q: "queen", K: "king" };

/** What the models of an opponent are called. */
export const MODEL_NAMES = {
  none: "none",
  uniform: "plays at random",
  station: "never bets, never folds",
  folder: "folds too much",
  sliders: "as the sliders are now",
};

/** What each model does, in words that follow the player: "player 1 plays …". */
export const MODEL_PLAYS = {
  uniform: "plays both actions equally often",
  station: "never bets and never folds",
  folder: "folds to three bets of four, with any card, and otherwise plays the equilibrium of α = 1/5",
  sliders: "plays what its sliders had when they were taken",
};

const SITUATIONS = {
  "": "moves first",
  p: "after a pass",
  b: "facing a bet",
  pb: "has passed, facing a bet",
};

/** Return an infoset in words: "player 0, queen, has passed, facing a bet". */
export function described(key) {
  const { player, card, line } = infosetOf(key);
  return `player ${player}, ${CARD_NAMES[card]}, ${SITUATIONS[line]}`;
}

/** Return what is decided at an infoset: "bets first". */
export function decision(key) {
  const { line } = infosetOf(key);
  return { "": "bets first", p: "bets after a pass", b: "calls a bet", pb: "passes, then calls" }[line];
}

/** Return an amount with its unit: "−1/18 chips per hand". */
export const perHand = (value) => `${exact(value)} chips per hand`;

/**
 * Return why the next strategy of an infoset is what it is, in a sentence with the numbers.
 *
 * @param {string} key
 * @param {any} update as `iterate` records it
 * @param {import("./update-rules.js").Algorithm} algorithm
 */
export function because(key, update, algorithm) {
  const { actions } = infosetOf(key);
  if (!update.visited.length) return `This deal does not come to ${key}, so that its strategy stays.`;
  const { predict } = algorithm;
  const kind = predict ? "predicted regrets are" : "regret sums are now";
  const sums = predict
    ? actions.map((_, move) => update.regretAfter[move] * update.rule.predicted + update.instant[move] * predict)
    : update.regretAfter;
  const numbers = actions.map((action, move) => `${action} ${exact(sums[move])}`).join(" and ");
  const positive = actions.filter((_, move) => update.shares[move] > 2 ** -43);
  if (!positive.length)
    return `The ${kind} ${numbers}: none is positive, so that both actions are played equally often.`;
  if (positive.length === 1)
    return `The ${kind} ${numbers}: only ${positive[0]} is positive, so that it is always played.`;
  const total = update.shares[0] + update.shares[1];
  return `The ${kind} ${numbers}: ${actions[1]} has ${exact(update.shares[1])} of ${exact(total)}, which is ${exact(update.next[1])}.`;
}
