// What batches are made of: values that vary, and how people write them.

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
