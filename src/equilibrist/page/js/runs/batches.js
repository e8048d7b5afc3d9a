// What batches are made of and shown by: values that vary, textures of boards, means over rows.

/** What tells boards apart by their looks, with what it is called. */
export const TEXTURES = { high: "High card", suits: "Suits", pairing: "Pairs", connected: "Connected" };
const EARNINGS = ["ev_oop", "ev_ip", "equity_oop", "eqr_oop", "eqr_ip"];
const FIXED = new Set([
  ...["id", "run", "board", "weight", "line", "player", "pot", "mass", "iterations"],
  ...["exploitability", "exploitability_percent", "equity_ip", ...Object.keys(TEXTURES), ...EARNINGS],
]);

/** Return the actions of the rows of a report: the columns that are nothing else. */
export const actionsOf = (rows) => [...new Set(rows.flatMap(Object.keys))].filter((name) => !FIXED.has(name));

/** Return what a board's texture is called. */
export const textureName = (value) => ({ true: "connected", false: "not connected" })[String(value)] ?? String(value);

/** Return the mean of a column over rows, each by its weight × the deals that come there; null where there are none. */
export function meanOf(rows, name) {
  const counted = rows.filter((row) => Number.isFinite(row[name]));
  const total = counted.reduce((sum, row) => sum + row.weight * row.mass, 0);
  return total > 0 ? counted.reduce((sum, row) => sum + row.weight * row.mass * row[name], 0) / total : null;
}

/** Return whether a row has the textures, and the cards in its board, that filters name. */
export function fitsFilters(row, fields) {
  const textures = Object.keys(TEXTURES).every((name) => !fields[name] || String(row[name]) === fields[name]);
  const cards = (fields.cards ?? "").replaceAll(/[\s,]/g, "").match(/.[shdc]?/g) ?? [];
  return textures && cards.every((card) => row.board.includes(card[0].toUpperCase() + card.slice(1)));
}

/** Return what varies over rows, and has more than one value there: what legends name. */
export const differs = (rows, varied) => varied.filter((name) => new Set(rows.map((row) => row[name])).size > 1);

/** Return the values of a text, "100, 200": numbers as such. */
export const valuesOf = (text, separator = ",") =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => (/^-?\d+(\.\d+)?$/.test(part) ? Number(part) : part));

/** Return settings with their values, a setting a row: "ante = 1 | 2". */
export function settingsOf(text) {
  const rows = text.split("\n").map((row) => row.split(/=(.*)/s));
  return Object.fromEntries(
    rows.filter(([name]) => name.trim()).map(([name, values]) => [name.trim(), valuesOf(values ?? "", "|")]),
  );
}
