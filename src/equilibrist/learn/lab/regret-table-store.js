// What the table of a regret matcher knows: the numbers of each action, which one is unfolded, and what a reader predicts.
import { parse } from "./fraction.js";
import { averageOf, instantRegrets } from "./regret-rule.js";

/** Rows in sight of a game with many actions, those with the largest regret sums; smaller games show and ask for all. */
export const FEW = 7;
const TOLERANCE = 0.005;

/** @typedef {"instant" | "sum" | "next" | "average"} Kind of a number: a column */

/**
 * The numbers of an action.
 *
 * @typedef {object} Row
 * @property {number} action
 * @property {number} instant regret of the last round: payoff; before the first one the regret sum
 * @property {number} sum of regrets: payoff
 * @property {number} next probability
 * @property {number} average probability
 * @property {number} share of the largest regret sum, from 0 to 1
 * @property {boolean} isPlayed in the last round
 * @property {boolean} isAsked whether the reader is asked for the next probability
 */

/**
 * Return the store of a table.
 *
 * @param {any} game
 */
export function makeTableStore(game) {
  const state = {
    /** @type {any} */
    round: null, // the last round, with what is known before and after it
    hidden: false, // whether the next strategy is being predicted
    /** @type {{kind: Kind, action: number} | null} */
    open: null, // which number is unfolded
    all: false, // whether all rows are in sight
  };

  /** Return the actions that are asked for: all of a small game, else the one with the largest regret sum. */
  function asked() {
    if (!state.hidden) return [];
    const { regretSums } = state.round.after;
    if (regretSums.length <= FEW) return regretSums.map((_, action) => action);
    return [regretSums.indexOf(Math.max(...regretSums))];
  }

  /** Return the actions in sight, in their order; of many, those with the largest regret sums first. */
  function inSight() {
    const { regretSums } = state.round.after;
    const actions = regretSums.map((_, action) => action);
    if (actions.length <= FEW) return actions;
    actions.sort((one, other) => regretSums[other] - regretSums[one] || one - other);
    return state.all ? actions : actions.slice(0, FEW);
  }

  /** Return whether a number is unfolded. */
  const isOpen = (kind, action) => state.open !== null && state.open.kind === kind && state.open.action === action;

  return {
    state,
    isOpen,
    hasMany: () => state.round.after.regretSums.length > FEW,

    /** Take over what the lab shows now. @param {{round: any, hidden: boolean}} view */
    take({ round, hidden }) {
      Object.assign(state, { round, hidden });
    },

    /** Return the rows in sight. @returns {Row[]} */
    rows() {
      const { round } = state;
      const { regretSums, strategy } = round.after;
      const average = averageOf(round.after);
      const instant = round.before ? instantRegrets(game.payoffs, round.played, round.other) : regretSums;
      const largest = Math.max(1e-9, ...regretSums.map(Math.abs));
      const asks = asked();
      return inSight().map((action) => ({
        action,
        instant: instant[action],
        sum: regretSums[action],
        next: strategy[action],
        average: average[action],
        share: Math.abs(regretSums[action]) / largest,
        isPlayed: round.played?.[action] === 1,
        isAsked: asks.includes(action),
      }));
    },

    /** Unfold a number, or fold it. */
    toggle(kind, action) {
      state.open = isOpen(kind, action) ? null : { kind, action };
    },

    toggleAll() {
      state.all = !state.all;
    },

    /** Return the number that is told in words: the unfolded one, unless there is no round, or it would tell what is asked. */
    told() {
      const { open, round, hidden } = state;
      const isSecret = hidden && open?.kind === "next";
      return round.before && !isSecret ? open : null;
    },

    /**
     * Return what is wrong with texts that predict next probabilities: which actions', and a remark on the first of them.
     *
     * @param {Map<number, string>} texts by action
     */
    judge(texts) {
      const { strategy } = state.round.after;
      const isWrong = ([action, text]) => !(Math.abs(parse(text) - strategy[action]) <= TOLERANCE);
      const wrong = [...texts].filter(isWrong);
      const isNumber = wrong.length > 0 && !Number.isNaN(parse(wrong[0][1]));
      const remark = isNumber
        ? "Not yet: positive sums, divided by their total."
        : "Type a number: 0, 1/3, 0.33 or 33 %.";
      return { wrong: wrong.map(([action]) => action), remark: wrong.length > 0 ? remark : "" };
    },
  };
}

/** @typedef {ReturnType<typeof makeTableStore>} TableStore */
