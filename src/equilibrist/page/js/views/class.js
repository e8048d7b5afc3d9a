// A class: what its pupils chose, one choice after the other, and the sums of each pupil.
import { pathOfId } from "../base/address.js";
import { address, get } from "../base/api.js";
import { clear, h, relink, remembered } from "../base/dom.js";
import { ago, moment, percent } from "../base/format.js";
import { gameInWords, inWords, lineInWords } from "../base/words.js";
import { cardRow } from "../cards/cards.js";
import { table } from "../parts/table.js";
import { classStore, PERIODS } from "../play/class-store.js";
import { showHand } from "../play/hand-dialog.js";
import { apart, GRADES, OF_UNIT } from "../play/score.js";
import { costColumns } from "../play/sums.js";

/** @import { DecisionRow, TableRows } from "../base/answers.js" */
/** @typedef {import("../play/class-store.js").ClassStore} ClassStore */

const MOST = 500; // choices that are listed
const MOST_PUPILS = 1000;
const EVERY = 5_000; // ms after which is asked again
const SEEN = 0.005; // of a probability: less is not told
const ORDERS = { played: "latest first", cost: "costliest first" };
const NOBODY = "no name";

/** Ask the server for what was chosen. */
async function readClass({ order, filters, everybody }, signal) {
  const [{ rows: sums }, { total, decisions }, tables] = await Promise.all([
    get("/history", { by: "pupil", most: MOST_PUPILS, ...everybody }, { signal }),
    get("/history/decisions", { order, most: MOST, ...filters }, { signal }),
    get("/tables", { most: MOST_PUPILS }, { signal }),
  ]);
  return { sums, total, decisions, tables };
}

/**
 * Return what a strategy plays in words: "Check 70 %, Bet 50 30 %".
 *
 * @param {{actions: string[], mix: number[] | null}} row
 */
function mixInWords({ actions, mix }) {
  if (!mix) return "–";
  const shares = actions.map((action, k) => [inWords(action, actions), mix[k]]);
  return shares
    .filter(([, share]) => Number(share) >= SEEN)
    .map(([action, share]) => `${action} ${percent(Number(share), 0)}`)
    .join(", ");
}

/** Return the columns of choices. */
function choiceColumns() {
  const sort = false;
  /** @type {(row: DecisionRow) => any} */
  const hand = (row) => (row.hand ? cardRow(row.hand, { size: "small" }) : h("code", {}, row.infoset));
  return [
    { key: "pupil", title: "Pupil", sort, show: ({ pupil }) => h("span", { class: "place" }, pupil ?? NOBODY) },
    { key: "hand", title: "Hand", sort, show: hand, tip: (row) => row.infoset },
    {
      key: "line",
      title: "Line",
      sort,
      show: ({ line }) => h("span", { class: "place", title: line }, lineInWords(line) || "the first decision"),
    },
    { key: "action", title: "Chose", sort, show: ({ action, actions }) => inWords(action, actions) },
    {
      key: "mix",
      title: "Strategy plays",
      meaning: "How often the strategy takes each action here: an equilibrium, as near as the run came to one.",
      sort,
      show: mixInWords,
    },
    {
      key: "cost",
      title: "EV loss",
      meaning: "What the choice cost against the best action, in payoff; in spots these are chips.",
      sort,
      numeric: true,
      show: (row) => (row.cost === null ? "–" : apart(row.cost, row)),
      tip: (row) => row.share !== null && `${percent(row.share)} ${OF_UNIT}`,
    },
    { key: "grade", title: "Grade", sort, show: ({ grade }) => GRADES[grade] ?? "unknown" },
    {
      key: "game",
      title: "Game",
      sort,
      class: "hide-narrow",
      show: ({ game }) => h("span", { class: "place", title: game }, gameInWords(game)),
    },
    {
      key: "played",
      title: "Played",
      sort,
      class: "hide-narrow",
      show: ({ played }) => ago(played),
      tip: ({ played }) => moment(played),
    },
  ];
}

/** Return the columns of pupils. */
const pupilColumns = () => [
  {
    key: "name",
    title: "Pupil",
    value: (row) => row.name ?? NOBODY,
    show: (row) => h("span", { class: "place" }, row.name ?? NOBODY),
  },
  { key: "hands", title: "Hands", numeric: true, descending: true },
  ...costColumns(),
];

/** Return a choice between texts; go(value) is told which. */
function choice(label, rows, chosen, go) {
  return h(
    "select",
    { "aria-label": label, onchange: (event) => go(event.target.value) },
    rows.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
}

/**
 * Return what choices are restricted by, and the files.
 *
 * @param {ClassStore} store
 * @param {(changes: Record<string, any>) => any} go
 */
function toolsPanel(store, go) {
  const element = h("div", { class: "toolbar" });
  const tools = remembered();
  const files = {
    "CSV of pupils": () =>
      address("/history", { by: "pupil", most: MOST_PUPILS, format: "csv", ...store.fieldsOfApi(["run"]) }),
    "CSV of choices": () => address("/history/decisions", { format: "csv", ...store.fieldsOfApi() }),
  };

  function make() {
    const { filters, period } = store.state;
    const periods = Object.entries(PERIODS).map(([name, [text]]) => [name, text]);
    const runs = [["", "all runs"], ...store.runs().map((run) => [run, pathOfId(run)])];
    const drop = {
      class: "button quiet small",
      type: "button",
      "aria-label": "All pupils",
      onclick: () => go({ pupil: null }),
    };
    clear(
      element,
      choice("Run", runs, filters.run ?? "", (run) => go({ run: run || null })),
      choice("Period", periods, period, (within) => go({ within: within || null })),
      filters.pupil && h("span", { class: "tag" }, `pupil: ${filters.pupil} `, h("button", drop, "×")),
      h("span", { class: "grow" }),
      Object.entries(files).map(([text, path]) => h("a", { class: "button small", href: path, download: "" }, text)),
    );
    return true;
  }

  /** Make the tools anew where there are other runs: else whoever has opened a choice keeps it, while pupils play. */
  function show() {
    tools([store.runs().join("\n")], make);
    relink(element);
  }
  return { element, show };
}

/**
 * Return how many tables the server has in memory, in words.
 *
 * @param {TableRows} tables
 */
const memoryInWords = ({ live, most_live }) =>
  `${live} ${live === 1 ? "table is" : "tables are"} in memory, which has room for ${most_live.toLocaleString("en-US")} now; any other is set up again, with its hand, when somebody comes back to it.`;

/** Return what is said before anybody has chosen anything. */
const nobodyYet = () =>
  h(
    "section",
    { class: "card notice" },
    h("h2", {}, "No choice fits"),
    h(
      "p",
      {},
      "Pupils open the address that the server has printed, choose Play or Train at a run of the library, and give their names. What they choose appears here by itself.",
    ),
  );

export async function show(root, { query, navigate, signal }) {
  document.title = "Class · Equilibrist";
  const store = classStore({ read: (question) => readClass(question, signal), query });
  const go = (changes) => navigate("/class", store.fields(changes));
  const tools = toolsPanel(store, go);
  const pupils = table({
    columns: pupilColumns(),
    key: (row) => row.name ?? "",
    sort: { key: "lost", descending: true },
    onOpen: (row) => row.name !== null && go({ pupil: row.name }),
    isSelected: (row) => row.name === store.state.filters.pupil,
    label: "Pupils",
    height: "38vh",
  });
  const choices = table({
    columns: choiceColumns(),
    key: (row) => `${row.table_id} ${row.number} ${row.step}`,
    onOpen: showHand,
    label: "Choices",
    height: "48vh",
  });
  const number = h("span", { class: "note" });
  const memory = h("p", { class: "note" });
  const order = choice("Order of choices", Object.entries(ORDERS), store.state.order, (value) =>
    go({ order: value === "played" ? null : value }),
  );
  const lists = [
    h("h2", {}, "Pupils"),
    pupils,
    h("div", { class: "toolbar" }, h("h2", {}, "Choices"), number, h("span", { class: "grow" }), order),
    choices,
  ];
  const nobody = nobodyYet();

  function draw() {
    const { read } = store.state;
    if (!read) return;
    const { sums, total, decisions, tables } = read;
    tools.show();
    number.textContent = total > decisions.length ? `${decisions.length} of ${total}` : `${total}`;
    memory.textContent = memoryInWords(tables);
    clear(
      root,
      h("div", { class: "toolbar" }, h("h1", {}, "Class"), h("span", { class: "grow" }), memory),
      tools.element,
      sums.length ? lists : nobody,
    );
    pupils.update(sums);
    choices.update(decisions);
  }

  store.subscribe(draw);
  await store.load();
  const again = setInterval(() => document.hidden || store.load().catch(() => {}), EVERY); // app.js says what is wrong
  signal.addEventListener("abort", () => clearInterval(again));
}
