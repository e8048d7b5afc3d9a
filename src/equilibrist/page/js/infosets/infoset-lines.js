// Lines of the list of infosets: headings of histories, infosets with their strategy as a bar, and the legend of colours.
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { gap, payoff, percent } from "../base/format.js";
import { capital, playerName } from "../base/words.js";
import { mixBar } from "../cards/line-columns.js";
import { historyInWords, holdingInWords } from "./infoset-name.js";

/** @import { HistoryHeading } from "../base/answers.js" */

const MOST_COLOURS = 16; // of a legend
const FEW = 3; // actions of which all frequencies are told beside the bar
const KINDS = ["fold", "passive", "bet", "cat"];

/**
 * Return the frequencies of a strategy in a few characters: "81 · 19", or "call 64 %" where there are many actions.
 *
 * @param {string[]} actions
 * @param {number[]} shares
 */
export function mixInWords(actions, shares) {
  if (actions.length <= FEW) return shares.map((share) => percent(share, 0).replace(" %", "")).join(" · ");
  const most = shares.indexOf(Math.max(...shares));
  return `${actions[most]} ${percent(shares[most], 0)}`;
}

/**
 * Return the heading of a history.
 *
 * @param {HistoryHeading} row
 * @param {string[]} names
 */
export const groupLine = (row, names) =>
  h(
    "div",
    { class: "line group", title: "The history as the names of infosets have it, an action each" },
    h("b", {}, capital(playerName(names, row.player))),
    " ",
    historyInWords(row.group),
  );

/**
 * Return the line of an infoset.
 *
 * @param {any} row
 * @param {{place: number, selected: boolean, href: string, grouped: boolean, names?: string[]}} options
 */
export function infosetLine(row, { place, selected, href, grouped, names }) {
  const colours = row.actions.map((action) => actionColour(action, row.actions));
  const mix = row.actions.map((action, k) => `${action} ${percent(row.probabilities[k])}`).join(", ");
  return h(
    "a",
    {
      class: "line",
      role: "option",
      tabindex: "-1",
      dataset: { place },
      "aria-selected": String(selected),
      href,
      title: `${row.infoset}: ${mix}`,
    },
    h(
      "span",
      { class: "name" },
      holdingInWords(row.holding || row.infoset),
      row.made && h("span", { class: "note" }, ` ${row.made}`),
      row.off_path && h("span", { class: "note", title: row.off_path }, " †"),
      !grouped && h("span", { class: "note" }, ` ${playerName(names, row.player)}`),
    ),
    h("span", { class: "mixed" }, mixBar(row.probabilities, colours, mix)),
    h("span", { class: "shares note" }, mixInWords(row.actions, row.probabilities)),
    h("span", { class: "num" }, payoff(row.value)),
    h("span", { class: "num" }, gap(row.regret)),
    h("span", { class: "num note" }, percent(row.reach)),
  );
}

/** Say which action each colour is; one may stand for several, where infosets have different actions. */
export function drawLegend(legend, rows) {
  const labels = new Map();
  for (const { actions } of rows.filter((row) => row?.actions)) {
    for (const action of actions) {
      const colour = actionColour(action, actions);
      labels.set(colour, (labels.get(colour) ?? new Set()).add(action));
    }
  }
  const rank = (colour) => KINDS.findIndex((kind) => colour.includes(kind)) + colour;
  const all = [...labels].sort(([a], [b]) => rank(a).localeCompare(rank(b)));
  const entry = (colour, actions) =>
    h(
      "span",
      { title: actions.join(", ") },
      h("span", { class: "dot", css: { "--colour": colour } }),
      actions.slice(0, FEW).join(", ") + (actions.length > FEW ? " …" : ""),
    );
  clear(
    legend,
    all.slice(0, MOST_COLOURS).map(([colour, actions]) => entry(colour, [...actions])),
  );
}
