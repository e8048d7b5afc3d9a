// A hand after it was played: what came of it, and what each action of a decision was worth.
import { actionColour } from "../base/colours.js";
import { h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { payoffAt } from "../base/units.js";
import { inWords } from "../base/words.js";
import { heading } from "../parts/explain.js";
import { GRADES, amount, apart, evOf, lossOf } from "./score.js";

/** @import { ChosenMove, LastHand } from "../base/answers.js" */
/** @typedef {{unit: number, game?: string}} Unit in what costs are told */

const FEW = 6; // actions of which all are shown

/**
 * Return whether a choice is graded best as the strategy itself makes it, or for less than the strategy is exact to,
 * though another action is worth more.
 *
 * @param {ChosenMove} move
 * @param {number | null} grade
 * @param {Unit} state
 */
const isForgiven = (move, grade, state) => grade === 0 && Boolean(lossOf(move.cost ?? 0, state));

/**
 * Return how often the strategy takes the action that was taken.
 *
 * @param {ChosenMove} move
 */
const played = (move) => move.mix?.[move.actions.indexOf(move.taken)] ?? 0;

/**
 * Return what is said of a choice that is forgiven.
 *
 * @param {ChosenMove} move
 * @param {Unit} state
 */
function forgiven(move, state) {
  const share = played(move);
  const worth = `${lossOf(move.cost ?? 0, state).slice(1)} less than ${move.best.map((one) => inWords(one, move.actions)).join(" or ")}`;
  return share >= 0.005
    ? `The strategy plays this ${percent(share, 0)} of the time; it is worth ${worth}, which is no mistake.`
    : `It is worth ${worth}: no more than the strategy is exact to.`;
}

/**
 * Return what is said of the only answer of a training hand.
 *
 * @param {any} state
 * @param {LastHand} hand
 */
function answered(state, hand) {
  const move = hand.moves.at(-1);
  const grade = hand.grades.at(-1) ?? null;
  if (!move || !("actions" in move)) return null;
  const taken = inWords(move.taken, move.actions);
  const word = grade === null ? "Unknown" : grade === 0 ? "Right" : GRADES[grade].replace(/^./, (a) => a.toUpperCase());
  const best = move.best.map((one) => inWords(one, move.actions)).join(" or ");
  const why = isForgiven(move, grade, state)
    ? forgiven(move, state)
    : (hand.cost ?? 0) > 0 && (grade ?? 0) > 0
      ? `${taken} costs ${apart(move.cost, state)}; best is ${best}.`
      : `${taken} is ${move.best.length > 1 ? "as good as any other" : "the best"}.`;
  return h(
    "p",
    { class: `lead ${grade === 0 ? "good" : (grade ?? 0) > 1 ? "wrong" : ""}` },
    h("strong", {}, `${word}. `),
    why,
  );
}

/** Return what was won or lost. */
function won(payoff, state) {
  const value = payoffAt(payoff, state);
  const text =
    value === 0
      ? "You win and lose nothing."
      : `You ${value > 0 ? "win" : "lose"} ${amount(payoff, state).replace(/^[+−]/, "")}.`;
  return h("p", { class: `lead ${value > 0 ? "good" : value < 0 ? "wrong" : ""}` }, h("strong", {}, text));
}

/**
 * Return what came of a hand, in words.
 *
 * @param {any} state
 * @param {LastHand} hand
 */
export function verdict(state, hand) {
  const lead = hand.payoff === null ? answered(state, hand) : won(hand.payoff, state);
  if (hand.luck !== null) {
    const sum = `best play ${amount(hand.best_response_value, state)} − choices ${apart(hand.cost, state)} ${hand.luck < 0 ? "−" : "+"} luck ${apart(hand.luck, state)}`;
    const title = "payoff = what the best play from here earns on average − cost of your choices + luck";
    return [lead, h("p", { class: "note", title }, `${amount(hand.payoff, state)} = ${sum}`)];
  }
  if (hand.payoff !== null && hand.cost === null)
    return [lead, h("p", { class: "note" }, `What choices cost is unknown: ${state.reason}`)];
  return [lead];
}

/**
 * Return the decisions of a hand: what each action was worth, what the strategy plays, what was taken.
 *
 * @param {any} state
 * @param {LastHand} hand
 */
export function reviewOf(state, hand) {
  const decisions = hand.moves.map((move, step) =>
    "actions" in move && step >= hand.begun
      ? decision(move, hand.grades[step], move.player === hand.seat, state, hand.random?.[step])
      : null,
  );
  const chosen = decisions.filter((one) => one !== null);
  return chosen.length ? chosen : [h("p", { class: "note" }, "Nobody chose.")];
}

/** Return the action that a number from 1 to 100 stands for, as the strategy mixes: the first actions the low numbers. */
export function byNumber(mix, number) {
  let sum = 0;
  const place = mix.findIndex((share) => (sum += share) * 100 >= number - 1e-9);
  return place < 0 ? mix.length - 1 : place;
}

/**
 * Return what the random number of a choice stood for.
 *
 * @param {ChosenMove} move
 */
function mixedBy(move, number) {
  if (!number || !move.mix) return null;
  const action = inWords(move.actions[byNumber(move.mix, number)], move.actions);
  return h("p", { class: "note" }, `Random number ${number}: the strategy takes ${action.toLowerCase()} with it.`);
}

/**
 * Return the grade of a choice in a word or a few.
 *
 * @param {ChosenMove} move
 * @param {number | null} grade
 * @param {Unit} state
 */
function gradeTag(move, grade, state) {
  if (grade === null || grade === undefined) return null;
  if (!isForgiven(move, grade, state))
    return h(
      "span",
      { class: `grade g${grade}` },
      grade === 0 ? "best" : `${GRADES[grade]} ${lossOf(move.cost ?? 0, state)}`,
    );
  const text = played(move) >= 0.005 ? "the strategy plays this" : "as exact as the strategy";
  return h("span", { class: "grade g0", title: forgiven(move, state) }, text);
}

/**
 * Return the numbers of the actions that are shown: all where they are few, else the taken one and the best.
 *
 * @param {ChosenMove} move
 */
function shownActions(move, mix) {
  const order = move.actions.map((_, number) => number);
  if (order.length <= FEW) return order;
  const taken = move.actions.indexOf(move.taken);
  const weight = (number) => move.action_values?.[number] ?? mix?.[number] ?? 0;
  return order.sort((a, b) => Number(b === taken) - Number(a === taken) || weight(b) - weight(a)).slice(0, FEW);
}

/**
 * Return the row of an action: how often it is played, and of an own decision what it was worth.
 *
 * @param {ChosenMove} move
 */
function actionRow(move, number, { own, mix, best, state }) {
  const action = move.actions[number];
  const share = mix?.[number] ?? 0;
  const colour = actionColour(action, move.actions);
  const values = move.action_values;
  const bar = mix && [
    h("span", { class: "bar-of" }, h("span", { css: { "--share": share, "--colour": colour } })),
    h("span", { class: "num" }, percent(share, share > 0.0004 && share < 0.0995 ? 1 : 0)),
  ];
  return h(
    "tr",
    { class: action === move.taken ? "taken" : "" },
    h(
      "th",
      { scope: "row" },
      h("span", { class: "dot", css: { "--colour": colour }, "aria-hidden": "true" }),
      " ",
      inWords(action, move.actions),
      action === move.taken && h("span", { class: "sr" }, " (taken)"),
    ),
    h("td", { class: "share" }, h("span", { class: "shared" }, bar)),
    own && h("td", { class: "num" }, values ? evOf(values[number], state) : "–"),
    own && h("td", { class: "num loss" }, values ? lossOf(best - values[number], state) : ""),
  );
}

/**
 * Return a decision with its actions.
 *
 * @param {ChosenMove} move
 * @param {number | null} grade
 */
function decision(move, grade, own, state, number = /** @type {number | null} */ (null)) {
  const mix = own ? move.mix : move.probabilities;
  const best = Math.max(...(move.action_values ?? [0]));
  const shown = shownActions(move, mix);
  const more = move.actions.length - shown.length;
  const who = own ? "You" : state.players === 2 ? "Opponent" : `Player ${move.player}`;
  return h(
    "article",
    { class: `decision ${own ? "own" : ""}` },
    h(
      "div",
      { class: "toolbar" },
      h("strong", {}, `${who}: ${inWords(move.taken, move.actions)}`),
      h("code", { class: "note" }, move.infoset),
      h("span", { class: "grow" }),
      own && gradeTag(move, grade, state),
    ),
    (mix || move.action_values) &&
      h(
        "table",
        { class: "plain" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heading("action"),
            heading(own ? "strategy plays" : "played with"),
            own && heading("EV", { numeric: true }),
            own && heading("loss", { numeric: true }),
          ),
        ),
        h(
          "tbody",
          {},
          shown.map((number) => actionRow(move, number, { own, mix, best, state })),
        ),
      ),
    more > 0 && h("p", { class: "note" }, `and ${more} more`),
    own && mixedBy(move, number),
  );
}
