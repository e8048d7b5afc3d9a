// The hands of a range at a decision: summed up by class for the grid, one by one in a table.
import { actionColour } from "../base/colours.js";
import { h } from "../base/dom.js";
import { count, percent } from "../base/format.js";
import { ev, evNumber } from "../base/units.js";
import { cardRow, cardText, splitCards } from "../cards/cards.js";
import { mixColumn } from "../cards/line-columns.js";
import { possible } from "../cards/range-cells.js";
import { MEANINGS } from "../parts/explain.js";

/** @import { SpotDecision } from "../base/answers.js" */

const is = (value) => typeof value === "number";

const rowsOf = new WeakMap(); // by node and player: they are looked at again and again

/**
 * Return the hands of a player at a node as rows.
 *
 * @param {SpotDecision} node
 * @param {number} player
 */
export function handRows(node, player) {
  if (!rowsOf.has(node)) rowsOf.set(node, []);
  return (rowsOf.get(node)[player] ??= makeRows(node, player));
}

/**
 * @param {SpotDecision} node
 * @param {number} player
 */
function makeRows(node, player) {
  const own = player === node.player;
  const columns = own ? node.hands : node.others[player];
  const [shares, evs] = ["", "ev "].map((sort) => node.actions.map((action) => columns[sort + action]));
  return columns.hand.map((hand, place) => ({
    hand,
    name: columns.class[place],
    made: columns.made[place],
    draws: columns.draws[place].split(", ").filter(Boolean),
    range: columns.range[place],
    probability: columns.probability[place],
    ev: columns.ev[place],
    equity: columns.equity[place],
    mix: own ? shares.map((column) => column[place]) : null,
    evs: own ? evs.map((column) => column[place]) : null,
  }));
}

/** Return a Map of class → {range, ev, equity, mix, hands}: means over its hands, by their weight. */
export function byClass(rows) {
  const found = new Map();
  for (const row of rows) {
    const sum = found.get(row.name) ?? { range: 0, known: 0, ev: 0, equity: 0, mix: null, hands: 0 };
    sum.hands += 1;
    sum.range += row.range;
    if (is(row.ev) && row.probability > 0) {
      sum.known += row.probability;
      sum.ev += row.probability * row.ev;
      sum.equity += row.probability * row.equity;
    }
    if (row.mix && row.range > 0) {
      sum.mix ??= row.mix.map(() => 0);
      for (const [place, share] of row.mix.entries()) sum.mix[place] += row.range * (share ?? 0);
    }
    found.set(row.name, sum);
  }
  for (const sum of found.values()) {
    sum.ev = sum.known ? sum.ev / sum.known : null;
    sum.equity = sum.known ? sum.equity / sum.known : null;
    if (sum.mix) sum.mix = sum.mix.map((share) => share / sum.range);
  }
  return found;
}

/**
 * Return the parts of a range of Omaha by made hand and draw, in the form of byClass(): a Map by the name of a cell.
 *
 * @param {SpotDecision} node
 * @param {number} player
 */
export const byMade = (node, player) =>
  new Map((node.cells?.[player] ?? []).map((cell) => [cell.name, { ...cell, range: cell.combos }]));

/**
 * Return the cells of the grid of made hands in a mode: how much of the range is written in a cell, or what it earns.
 *
 * @param {SpotDecision} node
 * @param {string} mode
 * @param {number} player
 */
export function madeCells(node, mode, player) {
  const parts = byMade(node, player);
  const values = [...parts.values()].map((one) => one.ev).filter(is);
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const most = Math.max(...[...parts.values()].map((one) => one.probability), 1e-9);
  const colours = node.actions.map((action) => actionColour(action, node.actions));
  const cells = new Map();
  for (const [name, one] of parts) {
    const facts = [`${percent(one.probability)} of the range, ${count(one.hands)} hands`];
    let segments = [{ colour: heat(one.probability / most), share: 1 }];
    let label = percent(one.probability);
    if (mode === "strategy" && one.mix) {
      segments = one.mix.map((share, place) => ({ colour: colours[place], share }));
      facts.push(node.actions.map((action, place) => `${action} ${percent(one.mix?.[place], 0)}`).join(", "));
    } else if (mode === "equity") {
      segments = [{ colour: is(one.equity) ? heat(one.equity) : "var(--held)", share: 1 }];
      label = percent(one.equity);
    } else if (mode === "ev") {
      segments = [{ colour: is(one.ev) ? heat((one.ev - low) / (high - low || 1)) : "var(--held)", share: 1 }];
      label = ev(one.ev, node.pot);
    }
    if (is(one.ev)) facts.push(`EV ${ev(one.ev, node.pot)}, equity ${percent(one.equity)}`);
    cells.set(name, { made: one.made, draw: one.draw, segments, label, title: facts.join("; ") });
  }
  return cells;
}

/** Return the cells of the grid in a mode: strategy, ev, equity or range. */
export function gridCells(node, mode, classes) {
  const cells = new Map();
  const board = splitCards(node.board);
  const values = [...classes.values()].map((one) => one.ev).filter(is);
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const colours = node.actions.map((action) => actionColour(action, node.actions));
  for (const [name, one] of classes) {
    if (!(one.range > 1e-9)) continue;
    const weight = Math.min(1, one.range / Math.max(1, possible(name, board).length));
    const facts = [`${name}: ${percent(weight, 0)} in the range`];
    let segments = [{ colour: "var(--range)", share: 1 }];
    /** @type {string | number} */
    let label = "";
    if (mode === "strategy" && one.mix) {
      segments = one.mix.map((share, place) => ({ colour: colours[place], share }));
      facts.push(node.actions.map((action, place) => `${action} ${percent(one.mix[place], 0)}`).join(", "));
    } else if (mode === "ev" || mode === "equity") {
      const share = mode === "equity" ? one.equity : is(one.ev) ? (one.ev - low) / (high - low || 1) : null;
      segments = [{ colour: share === null ? "var(--held)" : heat(share), share: 1 }];
      label = share === null ? "" : mode === "equity" ? Math.round(100 * share) : shortest(evNumber(one.ev, node.pot));
    } else label = weight > 0.995 ? "" : Math.round(100 * weight);
    if (is(one.ev)) facts.push(`EV ${ev(one.ev, node.pot)}, equity ${percent(one.equity)}`);
    cells.set(name, {
      segments,
      weight: mode === "strategy" || mode === "range" ? Math.max(weight, 0.06) : 1,
      title: facts.join("; "),
      label: String(label),
    });
  }
  return cells;
}

const shortest = (value) =>
  (Math.abs(value) >= 100 ? Math.round(value) : Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(1))
    .toString()
    .replace("-", "−");

/** Return a colour from blue, 0, to amber, 1: all kinds of colour vision tell them apart. */
export const heat = (share) =>
  `color-mix(in oklab, var(--bet-1) ${Math.round(100 * Math.min(1, Math.max(0, share)))}%, var(--fold))`;

/**
 * Return what stands over hands: whose they are, how many, and how much of the range they are where they are a part of
 * it. Made hands and curves below are those of the whole range.
 *
 * @param {string} name @param {any[]} hands @param {{part: boolean, list?: string | null}} options
 */
export function headingOf(name, hands, { part, list }) {
  if (list === "made") return `${name}: the whole range by made hand`;
  if (list === "chart") return "Both ranges as a whole";
  const probability = hands.reduce((sum, row) => sum + row.probability, 0);
  const share = part ? `, ${percent(probability)} of the range` : "";
  return `${name}: ${count(hands.length)} ${hands.length === 1 ? "hand" : "hands"}${share}`;
}

/**
 * Return the columns of the table of hands.
 *
 * @param {SpotDecision} node
 * @param {number} player
 */
export function handColumns(node, player) {
  const own = player === node.player;
  const colours = node.actions.map((action) => actionColour(action, node.actions));
  const action = (name, place) => ({
    key: name,
    meaning: MEANINGS.Frequency,
    title: h("span", {}, h("span", { class: "dot", css: { "--colour": colours[place] } }), ` ${name}`),
    numeric: true,
    descending: true,
    value: (row) => row.mix[place],
    show: (row) => [
      row.mix[place] > 0.005 ? percent(row.mix[place]) : h("span", { class: "faint" }, percent(row.mix[place])),
      h("small", { class: "note" }, ev(row.evs[place], node.pot)),
    ],
    tip: (row) => `${name}: ${percent(row.mix[place], 2)}, EV ${ev(row.evs[place], node.pot)}`,
  });
  return [
    {
      key: "hand",
      title: "Hand",
      show: (row) => cardRow(row.hand, { size: "small" }),
      tip: (row) => [splitCards(row.hand).map(cardText).join(" "), row.made, ...row.draws].join(", "),
    },
    own && mixColumn((row) => row.mix, colours),
    ...(own ? node.actions.map(action) : []),
    { key: "ev", title: "EV", numeric: true, descending: true, show: (row) => ev(row.ev, node.pot) },
    { key: "equity", title: "Equity", numeric: true, descending: true, show: (row) => percent(row.equity) },
    {
      key: "range",
      title: "Weight",
      numeric: true,
      descending: true,
      show: (row) => percent(row.range, 0),
    },
  ].filter(Boolean);
}

/** Return the points of an equity curve: the share of the range, best hands first, against equity. */
export function equityCurve(rows) {
  const known = rows.filter((row) => row.probability > 0 && is(row.equity)).sort((a, b) => b.equity - a.equity);
  let share = 0;
  return known.flatMap((row) => {
    const from = share;
    share += row.probability;
    return [
      [100 * from, 100 * row.equity],
      [100 * share, 100 * row.equity],
    ];
  });
}
