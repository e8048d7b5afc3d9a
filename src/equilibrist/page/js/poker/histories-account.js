// What became of every hand: read, another game, cut off, not understood; and of every decision: graded or why not.
import { clear, h } from "../base/dom.js";
import { count } from "../base/format.js";

/** @typedef {import("./histories-store.js").HistoriesStore} HistoriesStore */

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return a row of a list: what, and how many; with places it can be opened. */
function reasonRow({ reason, count: number, places = /** @type {string[]} */ ([]) }) {
  const words = capital(reason);
  const label = places.length
    ? h(
        "details",
        {},
        h("summary", {}, words),
        h("p", { class: "note" }, number > places.length ? `The first ${places.length}:` : "Where:"),
        h(
          "ul",
          { class: "places" },
          places.map((place) => h("li", {}, place)),
        ),
      )
    : words;
  return h("li", {}, h("span", { class: "grow" }, label), h("span", { class: "note nowrap" }, count(number)));
}

/**
 * Return the card that accounts for all hands and decisions.
 *
 * @param {HistoriesStore} store
 */
export function accountPanel(store) {
  const body = h("div", { class: "stack" });
  const element = h("section", { class: "card" }, h("h2", {}, "Every hand"), body);

  function show() {
    const { report } = store.state;
    element.hidden = !report;
    if (!report) return;
    const skipped = report.skipped.reduce((sum, row) => sum + row.count, 0);
    const list = (rows) => h("ul", { class: "plain-list ruled" }, rows.map(reasonRow));
    clear(
      body,
      h(
        "p",
        {},
        `${count(report.hands)} hands: ${count(Math.max(report.hands - skipped, 0))} with decisions of two players after the flop, the others by reason.`,
      ),
      list(report.skipped),
      h("h3", {}, "Decisions"),
      h("p", {}, `${count(report.graded)} graded; the others by reason.`),
      list(report.uncovered),
    );
  }

  return { element, show };
}
