// One infoset: the value and the regret of each action, and how the strategy moved where it was recorded.
import { actionColour } from "../base/colours.js";
import { h } from "../base/dom.js";
import { average, chips, count, gap, payoff, percent } from "../base/format.js";
import { mixBar } from "../cards/line-columns.js";
import { lineChart } from "../parts/chart.js";
import { heading, MEANINGS } from "../parts/explain.js";
import { replayButton } from "../parts/replay.js";
import { hintScroll } from "../parts/scroll-hint.js";
import { stat } from "../parts/stats.js";
import { infosetInWords } from "./infoset-name.js";

/** @import { InfosetDetails, OmahaDecision, RecordedInfoset } from "../base/answers.js" */

const NOTHING =
  "Select an infoset: what each action is worth, how much better it would have been, and how the strategy came about. Colours are actions; a bar is the strategy.";

/**
 * Return the numbers of an infoset by action, as [heading, values, format, title].
 *
 * @param {InfosetDetails} found
 */
function columns(found) {
  const all = [
    ["Probability", found.probabilities, (value) => percent(value, 2)],
    ["Value", found.action_values, payoff, "What the action is worth, with the strategy afterwards; payoff"],
    ["Regret", found.regrets, (value) => payoff(value, 5), "Value of the action less value of the infoset; payoff"],
    ["Best value", found.best_values, payoff, "What it is worth with the best play afterwards; payoff"],
    ["Regret sum", found.regret_sums, (value) => gap(value), "What the algorithm has summed up; payoff × probability"],
  ];
  return all.filter(([, values]) => values);
}

/** @param {InfosetDetails} found */
function actionTable({ actions }, numbers, colours) {
  const numbersByAction = h(
    "table",
    { class: "plain" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heading("Action"),
        numbers.map(([name, , , meaning]) => heading(name, { numeric: true, meaning })),
      ),
    ),
    h(
      "tbody",
      {},
      actions.map((action, k) =>
        h(
          "tr",
          {},
          h("td", {}, h("span", { class: "dot", css: { "--colour": colours[k] } }), ` ${action}`),
          numbers.map(([, values, form]) => h("td", { class: "num" }, form(values[k]))),
        ),
      ),
    ),
  );
  return hintScroll(h("div", {}, numbersByAction));
}

/**
 * Return the chart of the strategy over the iterations that were recorded, with a replay that moves `show`.
 *
 * @param {InfosetDetails} found
 * @param {RecordedInfoset} recorded
 */
function recordedChart({ actions }, recorded, show, signal) {
  const series = (name, label, dash, most) =>
    actions.map((action, k) => ({
      name: `${action}, ${label}`,
      points: recorded.iteration.slice(0, most).map((t, n) => [t, recorded[name][n][k]]),
      colour: actionColour(action, actions),
      dash,
    }));
  const all = (most) => [
    ...series("average_strategy", "average", undefined, most),
    ...series("strategy", "current", "2 3", most),
  ];
  const last = recorded.iteration.length;
  const corners = [
    [recorded.iteration[0], 0],
    [recorded.iteration[last - 1], 1],
  ];
  const chart = lineChart({
    series: all(last),
    x: { label: "iteration", log: true },
    y: { label: "probability", format: (value) => value.toFixed(2) },
    height: 220,
    title: "The strategy over the iterations",
  });
  const draw = (step) => {
    chart.update({ series: all(step ?? last), frame: step === null ? null : corners });
    show(
      step === null ? null : { iteration: recorded.iteration[step - 1], shares: recorded.average_strategy[step - 1] },
    );
  };
  const replay = replayButton({ steps: () => last, draw, signal, label: "Watch the strategy" });
  replay.hidden = last < 3;
  return [h("div", { class: "toolbar" }, h("h3", { class: "grow" }, "Strategy over the iterations"), replay), chart];
}

/**
 * Return what a hand is worth at its decision, as spots tell it, as [name, value, meaning].
 *
 * @param {OmahaDecision} decision
 */
function statsOfDecision({ ev, equity, evs, equities, pot }) {
  const both = (values, form) => values.map(form).join(" / ");
  const share = (value) => percent(value, 1);
  return [
    ["EV", chips(ev), `${MEANINGS.EV} The pot here is ${chips(pot)}.`],
    ["Equity", share(equity), MEANINGS.Equity],
    ["EV OOP / IP", both(evs, average), "of the whole ranges that come here"],
    ["Equity OOP / IP", both(equities, share), "of the whole ranges that come here"],
  ];
}

/**
 * Return what is shown of an infoset; of none where it is null.
 *
 * @param {InfosetDetails | null} found what the API tells of it
 * @param {{key: string, player: string, links: any[], signal: AbortSignal}} options
 */
export function infosetDetail(found, { key, player, links, signal }) {
  if (!found) return [h("p", { class: "note" }, NOTHING)];
  const colours = found.actions.map((action) => actionColour(action, found.actions));
  const bar = h("div", { class: "mix" });
  const moment = h("span", { class: "tag", hidden: true });
  const show = (step) => {
    bar.replaceChildren(mixBar(step?.shares ?? found.probabilities, colours));
    moment.hidden = step === null;
    moment.textContent = step
      ? `after ${count(step.iteration)} ${step.iteration === 1 ? "iteration" : "iterations"}`
      : "";
  };
  show(null);
  const stats = [
    ...(found.decision ? statsOfDecision(found.decision) : []),
    ["Value", payoff(found.value), "payoff to its player"],
    ["Reach", percent(found.reach, 3), "how often a play comes here"],
    ["Reach of chance and the others", percent(found.cf_reach, 3), "the same if its player always aimed here"],
    ["Lost here", gap(found.loss), "payoff per game that a best response gains here; they sum to nash_conv"],
  ];
  return [
    h(
      "h2",
      { title: key },
      infosetInWords(key),
      found.made && h("span", { class: "tag" }, found.made),
      h("span", { class: "tag" }, player),
      moment,
    ),
    bar,
    actionTable(found, columns(found), colours),
    h(
      "dl",
      { class: "stats" },
      stats.map(([name, value, meaning]) => stat(name, value, meaning)),
    ),
    found.off_path && h("p", { class: "note" }, found.off_path),
    h("div", { class: "toolbar" }, links),
    found.recorded && recordedChart(found, found.recorded, show, signal),
  ];
}
