// Where choices have cost something: summed up by line, street and class of hands, and dealt again.
import { href } from "../base/address.js";
import { address, get } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { isSpot } from "../base/units.js";
import { lineInWords } from "../base/words.js";
import { heading } from "../parts/explain.js";
import { failed } from "../parts/toast.js";
import { lostStore } from "./lost-store.js";
import { apart } from "./score.js";

const OF_SPOTS = { line: "Line", street: "Street", class: "Class" };
const OF_GAMES = { infoset: "Infoset", action: "Action" };
const MOST = 12;

/** Return what is trained at a run again: mistakes that fit filters. */
export const drill = (run, mistakes, settings = {}) => ({
  ...settings,
  run,
  line: null,
  board: null,
  hands: null,
  mistakes,
});

const rowName = (by, row) => (by === "line" ? lineInWords(row.name) || "the first decision" : String(row.name ?? "–"));

/** Return the rows of a report. */
const lostRows = ({ by, rows }, table) =>
  rows.map((row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", title: String(row.name) }, rowName(by, row)),
      h("td", { class: "num" }, String(row.decisions)),
      h("td", { class: "num" }, row.cost === null ? "–" : apart(row.cost, table)),
      h("td", { class: "num" }, percent(row.score, 0)),
    ),
  );

/**
 * Return the report of a table: what was lost, by one of several things. It has update(), after each hand. `onDrill()`
 * deals the mistakes of this table again.
 *
 * @param {{table: any, onDrill: () => any, signal: AbortSignal}} options
 */
export function lostReport({ table, onDrill, signal }) {
  const groups = isSpot(table.game) ? OF_SPOTS : OF_GAMES;
  const read = (by) => get("/history", { by, table: table.id, most: MOST }, { signal });
  const store = lostStore({ groups: Object.keys(groups), read });
  const rows = h("tbody");
  const tabs = h("div", { class: "segmented", role: "group", "aria-label": "Lost by" });
  const again = h("button", { type: "button", class: "button small", onclick: onDrill }, "Train these again");
  const csv = h("a", { class: "button small quiet", download: "" }, "CSV");
  const all = h("a", { class: "button small quiet" }, "All of it");
  const numbers = ["choices", "lost", "score"].map((name) => heading(name, { numeric: true }));
  const box = h(
    "section",
    { class: "card lost", hidden: true },
    h("div", { class: "toolbar" }, h("h2", { class: "grow" }, "Lost by"), tabs),
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, heading("where"), numbers)), rows),
    h("div", { class: "toolbar" }, again, h("span", { class: "grow" }), csv, all),
  );

  function pick(by) {
    store.sumBy(by).catch(failed);
    showTabs();
  }

  function tab([by, text]) {
    const pressed = { "aria-pressed": String(by === store.state.by), onclick: () => pick(by) };
    return h("button", { type: "button", class: "button small", ...pressed }, text);
  }

  function showTabs() {
    clear(tabs, Object.entries(groups).map(tab));
  }

  function show() {
    const { found } = store.state;
    if (!found) return;
    const { by, total } = found;
    csv.setAttribute("href", address("/history", { by, table: table.id, most: 1000, format: "csv" }));
    all.setAttribute("href", href("/history", { table: table.id, by }));
    box.hidden = !total.decisions;
    again.hidden = total.grades.best === total.decisions;
    clear(rows, lostRows(found, table));
  }

  store.subscribe(show);
  box.update = () => {
    showTabs();
    return store.load();
  };
  return box;
}
