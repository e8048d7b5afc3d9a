// History: what was played, summed up by game, line, action: where most is lost.
import { href } from "../base/address.js";
import { address, del, get, patch } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { ago, moment } from "../base/format.js";
import { liveUnitSwitch, settingsIn } from "../base/units.js";
import { gameInWords, lineInWords } from "../base/words.js";
import { table } from "../parts/table.js";
import { failed, toast } from "../parts/toast.js";
import { showHand } from "../play/hand-dialog.js";
import { GROUPS, historyStore } from "../play/history-store.js";
import { drill } from "../play/lost.js";
import { openTable } from "../play/new-table.js";
import { GRADES, amount, apart, scoreOf } from "../play/score.js";
import { costColumns } from "../play/sums.js";
import { tableInWords, tablePath } from "./play.js";

/** @import { TableRow } from "../base/answers.js" */
/** @typedef {import("../play/history-store.js").HistoryStore} HistoryStore */

const MOST_TABLES = 40; // that are listed
const ORDERS = {
  played: "latest first",
  cost: "costliest first",
  luck: "unluckiest first",
  payoff: "worst result first",
};

const lineName = (line) => lineInWords(line) || "the first decision";

/** Return what a row or a filter of a kind is called. */
function nameOf(kind, value) {
  if (kind === "pupil") return value ?? "no name";
  if (kind === "grade") return GRADES[value] ?? "unknown";
  if (kind === "game") return gameInWords(value);
  return kind === "line" ? lineName(value) : String(value ?? "–");
}

/** Return the columns of choices that are summed up by one of GROUPS. */
function sumColumns(by) {
  const game = {
    key: "game",
    title: "Game",
    show: (row) => h("span", { class: "place note", title: row.game }, gameInWords(row.game)),
    class: "hide-narrow",
  };
  return [
    {
      key: "name",
      title: GROUPS[by],
      value: (row) => nameOf(by, row.name),
      show: (row) => h("span", { class: "place", title: String(row.name) }, nameOf(by, row.name)),
    },
    by !== "game" && by !== "pupil" && game,
    ...costColumns(),
  ].filter(Boolean);
}

/** Return the columns of hands. */
function handColumns() {
  const orDash = (show) => (value, hand) => (value === null ? "–" : show(value, hand));
  const [signed, plain] = [orDash(amount), orDash(apart)];
  const [sort, numeric] = [false, true];
  const place = (title, text) => h("span", { class: "place", title }, text);
  return [
    { key: "played", title: "Played", sort, show: (hand) => ago(hand.played), tip: (hand) => moment(hand.played) },
    { key: "game", title: "Game", sort, show: ({ game }) => place(game, gameInWords(game)), class: "hide-narrow" },
    { key: "line", title: "Line", sort, show: ({ line }) => place(line, lineInWords(line)) },
    { key: "payoff", title: "Won", numeric, sort, show: (hand) => signed(hand.payoff, hand) },
    { key: "cost", title: "Cost", numeric, sort, show: (hand) => plain(hand.cost, hand) },
    { key: "luck", title: "Luck", numeric, sort, show: (hand) => signed(hand.luck, hand), class: "hide-narrow" },
  ];
}

/**
 * Return the tables, each of which can be deleted; `redraw` shows the page again.
 *
 * @param {TableRow[]} tables
 */
function tableLinks(tables, redraw) {
  async function remove(one) {
    const takeBack = () => patch("/tables/{table}", { table: one.id, deleted: false }).then(redraw).catch(failed);
    try {
      await del("/tables/{table}", { table: one.id });
      await redraw();
      const text = `Deleted a table of ${gameInWords(one.game)} with its hands.`;
      toast(text, { action: { label: "Undo", run: takeBack } });
    } catch (error) {
      failed(error);
    }
  }
  const line = (one) =>
    h(
      "li",
      {},
      h("a", { class: "grow place", href: href(...tablePath(one)), title: one.game }, tableInWords(one)),
      h("span", { class: "note nowrap" }, `${one.hands}`, one.payoff !== null && ` · ${amount(one.payoff, one)}`),
      h(
        "button",
        {
          class: "button quiet small",
          type: "button",
          "aria-label": `Delete this table of ${gameInWords(one.game)}`,
          onclick: () => remove(one),
        },
        "×",
      ),
    );
  return h("ul", { class: "plain-list ruled" }, tables.map(line));
}

/** Return what leads to a game: to play one, or to a run that can be played against. */
const startPanel = () =>
  h(
    "div",
    { class: "toolbar" },
    h("a", { class: "button primary", href: "/play/-" }, "Play a game"),
    h("a", { class: "button", href: "/class" }, "Class"),
    h("span", { class: "note" }, "or choose Play at a run of the ", h("a", { href: "/" }, "library"), "."),
  );

/** Return what is shown before anything was played. */
function nothingPlayed() {
  return [
    h("h1", {}, "Play"),
    h(
      "section",
      { class: "card notice" },
      h("h2", {}, "Nothing was played yet"),
      h(
        "p",
        {},
        "Play against a solved game: after each hand you see what your choices cost, and how much was luck. What you play is kept here, and summed up.",
      ),
      startPanel(),
    ),
  ];
}

/** Return the filters in force, each with a button that drops it, and the buttons by which choices are summed up. */
function filterBar(by, filters, go) {
  const chips = Object.entries(filters).map(([name, value]) => {
    const drop = { class: "button quiet small", type: "button", onclick: () => go({ [name]: null }) };
    const button = h("button", { ...drop, "aria-label": `Without ${name}` }, "×");
    return h("span", { class: "tag" }, `${name}: ${nameOf(name, value)} `, button);
  });
  const pick = (name) => ({
    class: "button small",
    type: "button",
    "aria-pressed": String(name === by),
    onclick: () => go({ by: name === "game" ? null : name }),
  });
  const groups = Object.entries(GROUPS).map(([name, title]) => h("button", pick(name), title));
  return h(
    "div",
    { class: "toolbar" },
    h("div", { class: "segmented", role: "group", "aria-label": "Sum up by" }, groups),
    chips,
  );
}

/**
 * Return the choices, summed up by what the address says.
 *
 * @param {HistoryStore} store
 */
function sumTable(store, go) {
  const { by } = store.state;
  return table({
    columns: sumColumns(by),
    key: (row) => `${row.game} ${row.unit} ${row.name}`,
    sort: { key: "lost", descending: true },
    onOpen: (row) => go(store.within(row)),
    empty: "No choice fits.",
    label: `Choices by ${GROUPS[by].toLowerCase()}`,
    height: "44vh",
  });
}

const handTable = () =>
  table({
    columns: handColumns(),
    key: (hand) => `${hand.table_id} ${hand.number}`,
    onOpen: showHand,
    empty: "No hand fits.",
    label: "Hands",
    height: "44vh",
  });

/** Return the choice of the order of hands. */
function orderChoice(ordered, go) {
  const order = h(
    "select",
    { "aria-label": "Order of hands", onchange: () => go({ order: order.value }) },
    Object.entries(ORDERS).map(([value, text]) => h("option", { value, selected: value === ordered }, text)),
  );
  return order;
}

/**
 * Return the filters, and what can be done with what fits them: train its mistakes, save it.
 *
 * @param {HistoryStore} store
 */
function toolsPanel(store, { go, train }) {
  const { by, filters } = store.state;
  const again = h("button", { class: "button small", type: "button", onclick: train }, "Train these mistakes");
  const file = address("/history", { by, ...filters, format: "csv" });
  const csv = h("a", { class: "button small", download: "", href: file }, "CSV");
  const element = h("div", { class: "toolbar" }, filterBar(by, filters, go), h("span", { class: "grow" }), again, csv);
  const show = () => (again.hidden = !store.trained());
  return { element, show };
}

/**
 * Return the score of the choices that fit, and the tables.
 *
 * @param {HistoryStore} store
 */
function sidePanel(store) {
  const element = h("aside", { class: "side" });
  const card = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), children);

  function show() {
    const { filters, sums, tables } = store.state;
    const title = Object.keys(filters).length ? "These choices" : "All choices";
    const links = tableLinks(tables.slice(0, MOST_TABLES), store.load);
    const score = card(title, scoreOf(sums.total));
    clear(element, score, card("Tables", h("p", { class: "note" }, "hands · won"), links));
  }
  return { element, show };
}

/** Ask the server for what was played. */
async function readHistory({ by, order, filters }, signal) {
  const [sums, { hands }, { tables }] = await Promise.all([
    get("/history", { by, ...filters }, { signal }),
    get("/history/hands", { order, most: 100, ...filters }, { signal }),
    get("/tables", { most: 200 }, { signal }),
  ]);
  return { sums, hands, tables };
}

export async function show(root, { query, navigate, signal }) {
  document.title = "Play · Equilibrist";
  const store = historyStore({ read: (question) => readHistory(question, signal), query });
  await store.load();
  const go = (changes) => navigate("/history", store.fields(changes));
  const spot = store.spot();
  const units =
    spot &&
    liveUnitSwitch(
      query,
      () => settingsIn(spot),
      () => draw(),
    );
  const summed = sumTable(store, go);
  const list = handTable();
  const tools = toolsPanel(store, { go, train });
  const side = sidePanel(store);
  const hands = h("div", { class: "toolbar" }, h("h2", {}, "Hands"), orderChoice(store.state.order, go));
  const whole = [
    h("div", { class: "toolbar" }, h("h1", {}, "Play"), h("span", { class: "grow" }), startPanel(), units),
    tools.element,
    h("div", { class: "at-table" }, h("section", { class: "side" }, summed, hands, list), side.element),
  ];

  /** Train the mistakes that fit, at their run. */
  async function train() {
    const settings = { ...drill(store.trained(), store.mistakes()), answers: 1 };
    try {
      navigate(...tablePath(await openTable(settings, { signal })));
    } catch (error) {
      failed(error);
    }
  }

  function draw() {
    const { sums, hands: rows, tables } = store.state;
    if (!tables.length) return clear(root, nothingPlayed());
    clear(root, whole);
    tools.show();
    side.show();
    summed.update(sums.rows);
    return list.update(rows);
  }
  store.subscribe(draw);
  draw();
}
