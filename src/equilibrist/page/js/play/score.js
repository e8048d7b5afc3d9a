// Numbers of play: payoffs with their sign, grades, totals of a table, and the score of choices.
import { h } from "../base/dom.js";
import { payoff, percent } from "../base/format.js";
import { evAt, payoffAt, signAt } from "../base/units.js";
import { heading, MEANINGS } from "../parts/explain.js";
import { stat } from "../parts/stats.js";

/** @import { TableState } from "../base/answers.js" */
/** @typedef {{unit: number, game?: string}} Unit in what costs are told */

export const GRADES = ["best", "inaccuracy", "mistake", "blunder"];
export const OF_UNIT = "of the pot, or of the largest payoff";

const TOTALS = { payoff: "Payoff", "best play": "= best play", choices: "+ your choices", luck: "+ luck" };

/** Return a number without zeros at its end. */
export const trim = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Return a number with its sign: "+1.5", "−2", "0". */
export const signed = (value, places = 2) =>
  Math.abs(value) < 0.5 * 10 ** -places ? "0" : `${value > 0 ? "+" : ""}${trim(payoff(value, places))}`;

/**
 * Return how many places an EV has at a table: two where chips are counted in tens, else three.
 *
 * @param {Unit} state
 */
export const places = (state) => (state.unit >= 20 ? 2 : 3);
const withSign = (value, state) => `${signed(value, places(state))}${signAt(state)}`;
/** A payoff with its sign, in the unit of the page. */
export const amount = (value, state) => withSign(payoffAt(value, state), state);
/** The EV of an action, likewise. */
export const evOf = (value, state) => withSign(evAt(value, state), state);
/** What two EVs differ by, without a sign. */
export const apart = (value, state) =>
  `${trim(payoff(payoffAt(Math.abs(value), state), places(state)))}${signAt(state)}`;

/**
 * Return a cost as a loss: "−1.5"; nothing where it is too small to be seen.
 *
 * @param {number} cost
 * @param {Unit} state
 */
export const lossOf = (cost, state) => (cost >= 0.5 * 10 ** -places(state) ? `−${apart(cost, state)}` : "");

/**
 * Return what playing on like this earns a hand without luck.
 *
 * @param {TableState} state
 */
function withoutLuck(state) {
  const mean = state.totals["best play"].mean + state.totals.choices.mean;
  return h(
    "p",
    { class: "note without" },
    "Without luck ",
    h("strong", {}, amount(mean, state)),
    " per hand: what to expect if you keep playing like this.",
  );
}

/**
 * Return the totals of a table: payoff = best play + choices + luck, per hand.
 *
 * @param {TableState} state
 */
export function totalsOf(state) {
  const entries = Object.entries(state.totals);
  if (!entries.length)
    return h("p", { class: "note" }, "After the first hand: what you won, and how much of it was luck.");
  const hands = state.turn ? state.hand - 1 : state.hand;
  const head = (text) => heading(text, { numeric: true });
  const cell = (text, note = "") => h("td", { class: `num ${note}` }, text);
  const error = (label, one) => (one.error === null || label === "best play" ? "" : apart(one.error, state));
  const row = ([label, one]) =>
    h(
      "tr",
      { class: label },
      h("th", { scope: "row" }, TOTALS[label]),
      cell(amount(one.total, state)),
      cell(amount(one.mean, state)),
      cell(error(label, one), "note"),
    );
  const heads = [heading(`${hands} ${hands === 1 ? "hand" : "hands"}`, { meaning: MEANINGS.Hands })];
  return h(
    "div",
    {},
    h(
      "table",
      { class: "plain totals" },
      h("thead", {}, h("tr", {}, heads, head("total"), head("per hand"), head("± s.e."))),
      h("tbody", {}, entries.map(row)),
    ),
    state.totals["best play"] && state.totals.choices && state.totals.payoff && withoutLuck(state),
  );
}

/** Return the score of decisions: the share of what was at stake that was kept, what was lost, how many of each grade. */
export function scoreOf(score) {
  if (!score.decisions) return h("p", { class: "note" }, "No choice yet.");
  return h(
    "div",
    { class: "score" },
    h(
      "dl",
      { class: "stats" },
      stat(
        "Score",
        score.score === null ? "–" : percent(score.score, 1),
        "1 − what your choices cost / what the worst would have cost",
      ),
      stat("Choices", String(score.decisions)),
      score.game === null
        ? stat("Lost", percent(score.lost), `All games together: ${OF_UNIT} of each.`)
        : stat("Lost", score.cost === null ? "–" : apart(score.cost, score)),
    ),
    gradeBar(score.grades),
  );
}

/** Return a bar of the grades of choices, with their numbers. */
export function gradeBar(grades) {
  const total = Object.values(grades).reduce((sum, one) => sum + one, 0) || 1;
  const words = GRADES.map((name) => `${grades[name]} ${name}`).join(", ");
  const part = (name, number) => h("span", { class: `g${number}`, css: { "--share": grades[name] / total } });
  const entry = (name, number) =>
    h("span", {}, h("i", { class: `g${number}`, "aria-hidden": "true" }), `${name} ${grades[name]}`);
  return h(
    "div",
    { class: "grades" },
    h("div", { class: "bar-of", role: "img", "aria-label": words, title: words }, GRADES.map(part)),
    h("div", { class: "legend note" }, GRADES.map(entry)),
  );
}
