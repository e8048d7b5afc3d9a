// Reports that were begun together, a row for each: what varies between them, as stacks, and their means at a decision.
import { href } from "../base/address.js";
import { h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { ev } from "../base/units.js";
import { MEANINGS } from "../parts/explain.js";
import { table } from "../parts/table.js";
import { actionsOf } from "./board-rows.js";

const OF_ALL = new Set(["name", "done", "total", "boards"]);

/** Return the settings that vary: the columns before those of means. */
const variedOf = (rows) => {
  const first = Object.keys(rows[0]);
  const end = first.indexOf("boards");
  return first.slice(0, end < 0 ? first.length : end).filter((name) => name !== "id" && !OF_ALL.has(name));
};

/**
 * Return the table of `rows`, as the API has them; `csv` is where it is as a file.
 *
 * @param {{rows: any[], batch: string, line: string, csv: string | null}} options
 */
export function variationTable({ rows, batch, line, csv }) {
  const varied = variedOf(rows);
  const number = (key, title, show, meaning = /** @type {string | null} */ (null)) => ({
    meaning,
    key,
    title,
    numeric: true,
    descending: true,
    show: (row) => show(row[key], row),
  });
  const actions = actionsOf(rows).filter((name) => !OF_ALL.has(name) && !varied.includes(name));
  const words = (row) => varied.map((name) => `${name} ${row[name]}`).join(", ");
  const path = (row) => href(`/batches/${encodeURIComponent(row.id)}`, { line });
  const columns = [
    {
      key: "id",
      title: "Report",
      value: (row) => row[varied[0]],
      show: (row) => (row.id === batch ? h("b", {}, words(row)) : h("a", { href: path(row) }, words(row))),
    },
    { key: "done", title: "Boards", numeric: true, show: (row) => `${row.done} of ${row.total}` },
    ...actions.map((name) => number(name, name, (value) => percent(value), MEANINGS.Frequency)),
    number("ev_oop", "EV OOP", (value, row) => ev(value, row.pot)),
    number("ev_ip", "EV IP", (value, row) => ev(value, row.pot)),
    number("equity_oop", "Equity OOP", (value) => percent(value)),
    number("eqr_oop", "EQR OOP", (value) => percent(value, 0)),
  ];
  return h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "toolbar" },
      h("h2", { class: "grow" }, `By ${varied.join(", ")}`),
      h("a", { class: "button small", href: csv, download: "" }, "CSV"),
    ),
    table({ columns, rows, label: "Reports begun together" }),
  );
}
