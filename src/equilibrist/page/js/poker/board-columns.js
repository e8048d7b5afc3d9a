// The numbers of a report over boards, what they are called and how they are written; the columns of its table.
import { actionColour } from "../base/colours.js";
import { h } from "../base/dom.js";
import { count, percent } from "../base/format.js";
import { ev } from "../base/units.js";
import { cardRow } from "../cards/cards.js";
import { mixColumn } from "../cards/line-columns.js";
import { MEANINGS } from "../parts/explain.js";
import { actionsOf, TEXTURES, textureName } from "./board-rows.js";

/** @typedef {{name: string, title: string, show: (value: number) => string}} Measure */

/**
 * Return what players earn at a decision; the pot there is that of all boards.
 *
 * @param {any[]} rows
 * @returns {Measure[]}
 */
function earnings(rows) {
  const inUnit = (value) => ev(value, rows[0]?.pot);
  const whole = (value) => percent(value, 0);
  return [
    { name: "ev_oop", title: "EV OOP", show: inUnit },
    { name: "ev_ip", title: "EV IP", show: inUnit },
    { name: "equity_oop", title: "Equity OOP", show: (value) => percent(value) },
    { name: "eqr_oop", title: "EQR OOP", show: whole },
    { name: "eqr_ip", title: "EQR IP", show: whole },
  ];
}

/**
 * Return all numbers that a map shows and a mean is told of: the frequencies of actions, then what players earn.
 *
 * @param {any[]} rows
 * @returns {Measure[]}
 */
export const measuresOf = (rows) => [
  ...actionsOf(rows).map((name) => ({ name, title: name, show: (value) => percent(value) })),
  ...earnings(rows),
];

/** Return the colours of the actions of rows, in their order. */
export const coloursOf = (actions) => actions.map((action) => actionColour(action, actions));

/** Return the name of an action after a square in its colour. */
export const dotted = (name, colour) =>
  h("span", {}, h("span", { class: "dot", css: { "--colour": colour } }), ` ${name}`);

/** Return how many boards one stands for: a weight that somebody has typed may be no whole number. */
const boardsFor = (weight) => (Number.isInteger(weight) ? count(weight) : weight.toFixed(2));

/**
 * Return the columns of the table of boards; a row without a board is the mean of some. open(row) is where a board is
 * opened, or null.
 *
 * @param {any[]} rows
 * @param {(row: any) => string | null} open
 */
export function boardColumns(rows, open) {
  const actions = actionsOf(rows);
  const colours = coloursOf(actions);
  const number = ({ name, title, show }, more = {}) => ({
    key: name,
    title,
    numeric: true,
    descending: true,
    show: (row) => show(row[name]),
    ...more,
  });
  const boardOf = (row) => {
    if (!row.board) return h("b", {}, `Mean of ${count(row.boards)}`);
    const address = open(row);
    return h(address ? "a" : "span", { href: address }, cardRow(row.board, { size: "small" }));
  };
  const gapOf = (value) => percent(value / 100, 2);
  return [
    { key: "board", title: "Board", show: boardOf },
    number({ name: "weight", title: "Stands for", show: boardsFor }, { class: "hide-narrow" }),
    mixColumn((row) => actions.map((action) => row[action] ?? 0), colours),
    ...actions.map((name, place) =>
      number({ name, title: dotted(name, colours[place]), show: percent }, { meaning: MEANINGS.Frequency }),
    ),
    ...earnings(rows).map((one) => number(one, { class: one.name === "ev_oop" ? "" : "hide-narrow" })),
    number({ name: "exploitability_percent", title: "Exploitability", show: gapOf }, { class: "hide-narrow" }),
    ...Object.entries(TEXTURES).map(([key, title]) => ({
      key,
      title,
      value: (row) => (row.board ? textureName(row[key]) : ""),
      class: "hide-narrow",
    })),
  ];
}
