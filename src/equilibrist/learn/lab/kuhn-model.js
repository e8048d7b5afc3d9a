// A model of the opponent and a trust in it: the restricted game (Johanson et al. 2007), and what its answer is worth.
// As equilibrist.exploit.
import { INFOSETS, dealsOf, equilibrium, evaluate, reach, uniform, value } from "./kuhn-game.js";

/** @typedef {import("./kuhn-game.js").Strategy} Strategy */

/**
 * @typedef {object} Answering Who answers which model, and at which trust.
 * @property {number} player who answers the model
 * @property {number} trust the probability with which the opponent is bound to the model; else the opponent is free
 * @property {Strategy} strategy what the model plays at the opponent's infosets
 */

/** The value of the game to each player: chips per hand. */
export const GAME_VALUE = [-1 / 18, 1 / 18];

/** The largest trust: with 1, anything could be played where the model never comes. */
export const MOST_TRUST = 0.99;

/** What there is to believe: nothing, strategies of our own, or what the sliders had when it was chosen. */
export const MODELS = ["none", "uniform", "station", "folder", "sliders"];

const FOLDS = 3 / 4;
const ALPHA = 1 / 5; // the bluffing frequency of the equilibrium that folds too much

/** Return whether what is decided at an infoset is whether a bet is called. */
const facesBet = ({ line }) => line.endsWith("b");

/** Return what a strategy says of the infosets of a player alone. */
const partOf = (strategy, player) =>
  Object.fromEntries(INFOSETS.filter((one) => one.player === player).map(({ key }) => [key, strategy[key]]));

/**
 * Return what a model plays at the infosets of a player; null where there is no model.
 * @param {string} name
 * @param {number} player who is believed to play like this
 * @param {Strategy | null} [sliders]
 * @returns {Strategy | null}
 */
export function modelOf(name, player, sliders = null) {
  const balanced = equilibrium(ALPHA);
  const strategies = {
    uniform,
    station: () => Object.fromEntries(INFOSETS.map((one) => [one.key, facesBet(one) ? 1 : 0])),
    folder: () => Object.fromEntries(INFOSETS.map((one) => [one.key, facesBet(one) ? 1 - FOLDS : balanced[one.key]])),
    sliders: () => sliders,
  };
  const strategy = strategies[name]?.();
  return strategy ? partOf(strategy, player) : null;
}

/**
 * Return a strategy as the player who answers meets it: the opponent's part is replaced by the strategy that has the
 * reach p · σ + (1 − p) · y at every sequence, for the model σ, the opponent's own y and the trust p.
 *
 * The reach is mixed, not the behaviour: an action that only the model leads to is evidence of the model. Where neither
 * comes, it is y.
 *
 * @param {Strategy} strategy
 * @param {Answering} answering
 * @returns {Strategy}
 */
export function mixture(strategy, { player, trust, strategy: model }) {
  if (trust === 0) return strategy;
  const mixed = { ...strategy };
  for (const { key, line } of INFOSETS.filter((one) => one.player !== player)) {
    const [bound, free] = [model, strategy].map((one) => reach(one, dealsOf(key)[0], line, 1 - player));
    const [ofModel, own] = [trust * bound, (1 - trust) * free];
    if (ofModel + own > 0) mixed[key] = (ofModel * model[key] + own * strategy[key]) / (ofModel + own);
  }
  return mixed;
}

/**
 * Return what an answer wins and risks, and bounds of the value of the restricted game: chips per hand to the player
 * who answers.
 *
 * `won` is u(x, σ), `beyond` that without the value of the game; `worst` is min_y u(x, y), and `risk` what it is below
 * the value of the game; `lower` is p · u(x, σ) + (1 − p) · min_y u(x, y), and `upper` is max_x u(x, p · σ + (1 − p) · y).
 *
 * @param {Strategy} strategy the answer x, and the opponent's own y
 * @param {Answering} answering
 */
export function certificate(strategy, answering) {
  const { player, trust, strategy: model } = answering;
  const won = (player === 0 ? 1 : -1) * value({ ...strategy, ...model });
  const worst = -evaluate(strategy).best[1 - player];
  const lower = trust * won + (1 - trust) * worst;
  const upper = evaluate(mixture(strategy, answering)).best[player];
  const gameValue = GAME_VALUE[player];
  return { won, beyond: won - gameValue, worst, risk: gameValue - worst, lower, upper, gap: upper - lower };
}
