// Graded decisions: their sums by one thing, and those that cost most, each of which opens at its node.
import { href, runPath } from "../base/address.js";
import { address } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { average, count, percent } from "../base/format.js";
import { inWords, lineInWords } from "../base/words.js";
import { cardRow } from "../cards/cards.js";
import { table } from "../parts/table.js";
import { EVERYBODY, FILTERS, GROUPS } from "./histories-store.js";

/** @import { DecisionSum } from "../base/answers.js" */
/** @typedef {import("./histories-store.js").HistoriesStore} HistoriesStore */

const SMALL = { size: "small" };
const OF_POT = "% of the pot at the start of the spot.";
const NUMERIC = { numeric: true, descending: true };
/** How often the run takes the action that was taken: a column of sums and of decisions. */
const FREQUENCY = {
  key: "frequency",
  title: "Run plays it",
  show: (row) => percent(row.frequency),
  class: "hide-narrow",
  ...NUMERIC,
};

/** Return what a row or a filter of a kind is called. */
function nameOf(kind, value) {
  if (kind === "line") return lineInWords(value) || "the first decision";
  return value || "–";
}

/** Return actions, "B10 or C", in words. */
const actionsInWords = (text) =>
  text
    .split(" or ")
    .map((action) => inWords(action, [action]))
    .join(" or ");

/** Return the address of the node of a decision; of a run without a grid of hands that of its infosets. */
export function nodePath(row, runs) {
  const isSpot = runs.find(({ id }) => id === row.run)?.spot ?? true;
  if (!isSpot) return href(runPath(row.run), { search: row.board });
  return href(runPath(row.run, "spot"), { line: row.line, board: row.board, hand: row.cards });
}

/** Return the columns of sums. */
function sumColumns(by) {
  return [
    {
      key: "name",
      title: GROUPS[by],
      value: (row) => nameOf(by, row.name),
      show: (row) => h("span", { class: "place", title: row.name }, nameOf(by, row.name)),
    },
    {
      key: "decisions",
      title: "Decisions",
      meaning: "How many were graded.",
      show: (row) => count(row.decisions),
      ...NUMERIC,
    },
    FREQUENCY,
    {
      key: "cost_percent",
      title: "Cost",
      meaning: `What the decisions cost together, in ${OF_POT}`,
      show: (row) => percent(row.cost_percent / 100),
      ...NUMERIC,
    },
    {
      key: "each",
      title: "Each",
      value: (row) => row.cost_percent / row.decisions,
      show: (row) => percent(row.cost_percent / row.decisions / 100, 2),
      ...NUMERIC,
    },
  ];
}

/** Return the columns of decisions. */
function decisionColumns(runs) {
  return [
    {
      key: "cards",
      title: "Hand",
      show: (row) => h("a", { href: nodePath(row, runs) }, cardRow(row.cards, SMALL)),
      tip: (row) => `${row.made}. Hand ${row.hand}, ${row.player}`,
    },
    { key: "board", title: "Board", show: (row) => cardRow(row.board, SMALL) },
    {
      key: "line",
      title: "Line",
      value: (row) => nameOf("line", row.line),
      show: (row) => h("span", { class: "place", title: row.line }, nameOf("line", row.line)),
      class: "hide-narrow",
    },
    {
      key: "played",
      title: "Played",
      value: (row) => actionsInWords(row.played),
      meaning: "What was done in the hand; the action of the run that stands for it.",
      tip: (row) => `In the run ${row.action}, which it plays ${percent(row.frequency)} of the time.`,
    },
    { key: "best", title: "Best", value: (row) => actionsInWords(row.best), class: "hide-narrow" },
    FREQUENCY,
    {
      key: "cost_percent",
      title: "Cost",
      meaning: `What the decision costs, in ${OF_POT}`,
      show: (row) => percent(row.cost_percent / 100, 2),
      ...NUMERIC,
    },
  ];
}

/**
 * Return the cards of what was lost where, and of the dearest decisions.
 *
 * @param {HistoriesStore} store
 * @param {{hands: string, go: (changed: object) => void, navigate: any, train: () => any}} context go changes the query
 */
export function reportPanel(store, { hands, go, navigate, train }) {
  const head = h("div", { class: "toolbar" });
  const sums = h("div", {});
  const dearest = h("div", {});
  const total = h("p", { class: "note" });
  const element = h(
    "div",
    { class: "stack" },
    h("section", { class: "card" }, h("h2", {}, "What was lost where"), head, total, sums),
    h("section", { class: "card" }, h("h2", {}, "Dearest decisions"), dearest),
  );

  function playerSelect(players, chosen) {
    const select = h(
      "select",
      { "aria-label": "Player", onchange: () => go({ player: select.value }) },
      players.map(({ name, decisions }) =>
        h("option", { value: name, selected: name === chosen }, `${name} (${count(decisions)})`),
      ),
      h("option", { value: EVERYBODY, selected: !chosen }, "everybody"),
    );
    return select;
  }

  function chips() {
    const filters = Object.entries(store.state.filters).filter(([name]) => name !== "player");
    return filters.map(([name, value]) =>
      h(
        "span",
        { class: "tag" },
        `${(GROUPS[name] ?? name).toLowerCase()}: ${nameOf(name, value)} `,
        h(
          "button",
          {
            class: "button quiet small",
            type: "button",
            "aria-label": `Without ${name}`,
            onclick: () => go({ [name]: null }),
          },
          "×",
        ),
      ),
    );
  }

  function show() {
    const { report, graded, by, filters } = store.state;
    element.hidden = !report?.graded || !graded;
    if (!report || !graded) return;
    const tab = (name, title) =>
      h(
        "button",
        {
          class: "button small",
          type: "button",
          "aria-pressed": String(name === by),
          onclick: () => go({ by: name }),
        },
        title,
      );
    const chosen = Object.fromEntries(FILTERS.map((name) => [name, filters[name]]));
    clear(
      head,
      h(
        "div",
        { class: "segmented", role: "group", "aria-label": "Sum up by" },
        Object.entries(GROUPS).map(([name, title]) => tab(name, title)),
      ),
      playerSelect(report.players, filters.player),
      chips(),
      h("span", { class: "grow" }),
      graded.wrong > 0 &&
        h("button", { class: "button small", type: "button", onclick: train }, "Train these mistakes"),
      h(
        "a",
        {
          class: "button small",
          download: "",
          href: address("/hands/{hands}/decisions", { hands, ...chosen, format: "csv" }),
        },
        "CSV",
      ),
    );
    total.textContent = `${count(graded.decisions)} decisions, of which ${count(graded.wrong)} cost something: ${average(graded.cost_percent / 100)} pots together.`;
    clear(
      sums,
      table({
        columns: sumColumns(by),
        rows: graded.sums,
        key: (/** @type {DecisionSum} */ row) => row.name,
        sort: { key: "cost_percent", descending: true },
        onOpen: (row) => go({ [by]: row.name }),
        label: `Decisions by ${GROUPS[by].toLowerCase()}`,
        height: "36vh",
        empty: "No decision fits.",
      }),
    );
    clear(
      dearest,
      table({
        columns: decisionColumns(report.runs),
        rows: graded.rows,
        key: (row) => `${row.hand} ${row.player} ${row.line} ${row.board}`,
        sort: { key: "cost_percent", descending: true },
        onOpen: (row) => navigate(...splitAddress(nodePath(row, report.runs))),
        label: "Dearest decisions",
        height: "44vh",
        empty: "No decision fits.",
      }),
    );
  }

  return { element, show };
}

/** Return path and query of an address. */
function splitAddress(text) {
  const url = new URL(text, location.origin);
  return [url.pathname, Object.fromEntries(url.searchParams)];
}
