// Rows of a report over boards, each a board at a decision: filters of them, means over them, textures.
import { RANKS } from "../cards/cards.js";

/** What tells boards apart by their looks, with what it is called. */
export const TEXTURES = { high: "High card", suits: "Suits", pairing: "Pairs", connected: "Connected" };
const EARNINGS = ["ev_oop", "ev_ip", "equity_oop", "equity_ip", "eqr_oop", "eqr_ip"];
const EXPLOITABILITY = "exploitability_percent";
const FIXED = new Set([
  ...["id", "run", "board", "weight", "line", "player", "pot", "mass", "iterations", "classes"],
  ...["exploitability", EXPLOITABILITY, ...Object.keys(TEXTURES), ...EARNINGS],
]);

/** Return the actions of the rows of a report: the columns that are nothing else. */
export const actionsOf = (rows) => [...new Set(rows.flatMap(Object.keys))].filter((name) => !FIXED.has(name));

/** Return what a board's texture is called. */
export const textureName = (value) => ({ true: "connected", false: "not connected" })[String(value)] ?? String(value);

/** Return how many deals come to the decision of a row: what its board stands for × its mass. */
export const dealsOf = (row) => row.weight * row.mass;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Return the mean of a column over rows, each by its deals; null where there are none. */
export function meanOf(rows, name) {
  const counted = rows.filter((row) => Number.isFinite(row[name]));
  const total = sum(counted.map(dealsOf));
  return total > 0 ? sum(counted.map((row) => dealsOf(row) * row[name])) / total : null;
}

/**
 * Return the means over rows as a row: of actions, EV, equity and exploitability by their deals, and of EQR that of the
 * means, EV / (equity × pot), as BoardReport.means of Python; with how many boards they are, and stand for.
 */
export function meansOf(rows) {
  const names = [...actionsOf(rows), ...EARNINGS, EXPLOITABILITY, "pot"];
  const means = Object.fromEntries(names.map((name) => [name, meanOf(rows, name)]));
  for (const player of ["oop", "ip"]) {
    const equity = means[`equity_${player}`];
    const known = rows.some((row) => Number.isFinite(row[`eqr_${player}`])); // not of EVs that are prizes
    means[`eqr_${player}`] = known && equity > 0 ? means[`ev_${player}`] / (equity * means.pot) : null;
  }
  return { ...means, boards: rows.length, weight: sum(rows.map((row) => row.weight)) };
}

/** Return what the values of a texture are sorted by: ranks from the ace down, others by themselves. */
const orderOf = (value) => (RANKS.includes(value) ? RANKS.indexOf(value) : String(value));

/** Return the values that a texture has in rows, in the order in which they are shown. */
export const valuesIn = (rows, texture) =>
  [...new Set(rows.map((row) => row[texture]))].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

/** Return the means by texture, a row for each combination that some board has, with its share of all deals. */
export function texturesOf(rows, by) {
  const groups = new Map();
  for (const row of rows) {
    const name = by.map((texture) => row[texture]).join();
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row);
  }
  const total = sum(rows.map(dealsOf));
  return [...groups.values()].map((boards) => ({
    ...Object.fromEntries(by.map((texture) => [texture, boards[0][texture]])),
    ...meansOf(boards),
    share: total > 0 ? sum(boards.map(dealsOf)) / total : null,
  }));
}

/** Return whether a board has all cards (7h) and ranks (Q) of a text, each as often as it is there: "77" is a pair. */
function hasCards(board, text) {
  const cards = board.match(/../g);
  const tokens = text.replaceAll(/[\s,]/g, "").match(/.[shdc]?/gi) ?? [];
  tokens.sort((a, b) => b.length - a.length); // a card takes its own place before a rank takes any
  return tokens.every((token) => {
    const start = token[0].toUpperCase() + token.slice(1).toLowerCase();
    const place = cards.findIndex((card) => card.startsWith(start));
    if (place >= 0) cards.splice(place, 1);
    return place >= 0;
  });
}

/** Return whether a row has the textures, and the cards in its board, that filters name. */
export function fitsFilters(row, fields) {
  const textures = Object.keys(TEXTURES).every((name) => !fields[name] || String(row[name]) === fields[name]);
  return textures && hasCards(row.board, fields.cards ?? "");
}
