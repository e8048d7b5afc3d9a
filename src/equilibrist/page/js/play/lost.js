// Where choices have cost something: summed up by line, street and class of hands, and dealt again.
import { href } from "../base/address.js";
import { address, get } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { isSpot } from "../base/units.js";
import { lineInWords } from "../base/words.js";
import { heading } from "../parts/explain.js";
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

/**
 * Return the report of a table: what was lost, by one of several things. It has update(), after each hand. `onDrill()`
 * deals the mistakes of this table again.
 *
 * @param {{table: any, onDrill: () => any, signal: AbortSignal}} options
 */
export function lostReport({ table, onDrill, signal }) {
  const groups = isSpot(table.game) ? OF_SPOTS : OF_GAMES;
  let by = Object.keys(groups)[0];
  const rows = h("tbody");
  const tabs = h("div", { class: "segmented", role: "group", "aria-label": "Lost by" });
  const again = h("button", { type: "button", class: "button small", onclick: onDrill }, "Train these again");
  const csv = h("a", { class: "button small quiet", download: "" }, "CSV");
  const all = h("a", { class: "button small quiet", href: href("/history", { table: table.id, by }) }, "All of it");
  const numbers = ["choices", "lost", "score"].map((name) => heading(name, { numeric: true }));
  const box = h(
    "section",
    { class: "card lost", hidden: true },
    h("div", { class: "toolbar" }, h("h2", { class: "grow" }, "Lost by"), tabs),
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, heading("where"), numbers)), rows),
    h("div", { class: "toolbar" }, again, h("span", { class: "grow" }), csv, all),
  );
  const name = (row) => (by === "line" ? lineInWords(row.name) || "the first decision" : String(row.name ?? "–"));

  function drawTabs() {
    clear(
      tabs,
      Object.entries(groups).map(([key, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "button small",
            "aria-pressed": String(key === by),
            onclick: () => ((by = key), box.update()),
          },
          text,
        ),
      ),
    );
  }

  box.update = async () => {
    drawTabs();
    const found = await get("/history", { by, table: table.id, most: MOST }, { signal });
    csv.setAttribute("href", address("/history", { by, table: table.id, most: 1000, format: "csv" }));
    all.setAttribute("href", href("/history", { table: table.id, by }));
    const { grades, decisions } = found.total;
    box.hidden = !decisions;
    again.hidden = grades.best === decisions;
    clear(
      rows,
      found.rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", title: String(row.name) }, name(row)),
          h("td", { class: "num" }, String(row.decisions)),
          h("td", { class: "num" }, row.cost === null ? "–" : apart(row.cost, table)),
          h("td", { class: "num" }, percent(row.score, 0)),
        ),
      ),
    );
  };
  return box;
}
