// History: what was played, summed up by game, line, action: where most is lost.
import { href } from "../base/address.js";
import { address, del, get, patch, post } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { ago, moment, percent } from "../base/format.js";
import { isSpot, liveUnitSwitch, settingsIn } from "../base/units.js";
import { gameInWords, lineInWords } from "../base/words.js";
import { dialog } from "../parts/dialog.js";
import { table } from "../parts/table.js";
import { failed, toast } from "../parts/toast.js";
import { drill } from "../play/lost.js";
import { reviewOf, verdict } from "../play/review.js";
import { GRADES, OF_UNIT, amount, apart, gradeBar, scoreOf } from "../play/score.js";
import { tableInWords, tablePath } from "./play.js";

/** @import { HandRow, TableRow } from "../base/answers.js" */

const GROUPS = {
  game: "Game",
  line: "Line",
  street: "Street",
  class: "Class",
  infoset: "Infoset",
  action: "Action",
  grade: "Grade",
};
const FILTERS = ["game", "run", "kind", "table", "line", "street", "class", "infoset", "action", "seat", "grade"];
const ORDERS = {
  played: "latest first",
  cost: "costliest first",
  luck: "unluckiest first",
  payoff: "worst result first",
};

const lineName = (line) => lineInWords(line) || "the first decision";

/** Return what a row or a filter of a kind is called. */
function nameOf(kind, value) {
  if (kind === "grade") return GRADES[value] ?? "unknown";
  if (kind === "game") return gameInWords(value);
  return kind === "line" ? lineName(value) : String(value ?? "–");
}

/** Return the columns of choices that are summed up by one of GROUPS. */
function sumColumns(by) {
  const numeric = { numeric: true, descending: true };
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
    by !== "game" && game,
    { key: "decisions", title: "Choices", ...numeric },
    {
      key: "lost",
      title: "Lost",
      ...numeric,
      show: (row) => (row.cost === null ? "–" : apart(row.cost, row)),
      tip: (row) => `${percent(row.lost)} ${OF_UNIT}`,
    },
    {
      key: "each",
      title: "per choice",
      ...numeric,
      value: (row) => (row.known ? row.lost / row.known : null),
      show: (row) => percent(row.known ? row.lost / row.known : null),
      tip: () => OF_UNIT,
    },
    { key: "score", title: "Score", numeric: true, show: (row) => percent(row.score, 0), class: "hide-narrow" },
    {
      key: "grades",
      title: "Grades",
      sort: false,
      class: "wide hide-narrow",
      show: (row) => gradeBar(row.grades).firstChild,
    },
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
 * Show a hand with all its choices.
 *
 * @param {HandRow} row
 */
async function showHand(row) {
  try {
    const hand = await get("/tables/{table}/hands/{hand}", { table: row.table_id, hand: row.number });
    const state = { players: hand.payoffs.length || 2, ...hand.table };
    await dialog({
      title: `Hand ${row.number} of ${gameInWords(row.game)}`,
      wide: true,
      action: "Close",
      body: [
        hand.payoff !== null && verdict({ reason: "it was not computed.", ...state }, hand),
        h("div", { class: "review" }, reviewOf(state, hand)),
      ],
    });
  } catch (error) {
    failed(error);
  }
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

/** Return what is shown before anything was played. */
function nothingPlayed(start) {
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
      start,
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

export async function show(root, { query, navigate, signal }) {
  document.title = "Play · Equilibrist";
  const by = query.get("by") in GROUPS ? query.get("by") : "game";
  const ordered = query.get("order") ?? "played";
  const filters = Object.fromEntries(FILTERS.filter((name) => query.has(name)).map((name) => [name, query.get(name)]));
  const [sums, { hands }, { tables }] = await Promise.all([
    get("/history", { by, ...filters }, { signal }),
    get("/history/hands", { order: ordered, most: 100, ...filters }, { signal }),
    get("/tables", { most: 200 }, { signal }),
  ]);
  const go = (changed) => navigate("/history", { by, order: query.get("order"), ...filters, ...changed });
  const start = h(
    "div",
    { class: "toolbar" },
    h("a", { class: "button primary", href: "/play/-" }, "Play a game"),
    h("span", { class: "note" }, "or choose Play at a run of the ", h("a", { href: "/" }, "library"), "."),
  );
  if (!tables.length) return root.append(...nothingPlayed(start));

  const games = new Map(sums.rows.map((row) => [row.game, row]));
  const spot = [...games.keys(), ...tables.map((one) => one.game)].find(isSpot);
  const units =
    spot &&
    liveUnitSwitch(
      query,
      () => settingsIn(spot),
      () => draw(),
    );
  const within = (row) =>
    by === "game"
      ? { game: row.name, by: "line" }
      : { [by]: row.name, game: row.game, by: by === "line" ? "infoset" : by };
  const summed = table({
    columns: sumColumns(by),
    key: (row) => `${row.game} ${row.unit} ${row.name}`,
    sort: { key: "lost", descending: true },
    onOpen: (row) => go(within(row)),
    empty: "No choice fits.",
    label: `Choices by ${GROUPS[by].toLowerCase()}`,
    height: "44vh",
  });
  const order = h(
    "select",
    { "aria-label": "Order of hands", onchange: () => go({ order: order.value }) },
    Object.entries(ORDERS).map(([value, text]) => h("option", { value, selected: value === ordered }, text)),
  );
  const list = table({
    columns: handColumns(),
    key: (hand) => `${hand.table_id} ${hand.number}`,
    onOpen: showHand,
    empty: "No hand fits.",
    label: "Hands",
    height: "44vh",
  });
  const runs = [...new Set(hands.map(({ run }) => run))].filter(Boolean);
  const mistakes = Object.fromEntries(Object.entries(filters).filter(([name]) => name !== "run"));
  const train = async () => {
    try {
      navigate(...tablePath(await post("/tables", { ...drill(runs[0], mistakes), answers: 1 }, { signal })));
    } catch (error) {
      failed(error);
    }
  };
  const again = h("button", { class: "button small", type: "button", onclick: train }, "Train these mistakes");
  const all = () => tableLinks(tables.slice(0, 40), () => show(clear(root), { query, navigate, signal }));
  const side = h("aside", { class: "side" });
  const card = (title, ...children) => h("section", { class: "card" }, h("h2", {}, title), children);
  function draw() {
    const title = Object.keys(filters).length ? "These choices" : "All choices";
    const score = scoreOf(sums.total);
    clear(side, card(title, score), card("Tables", h("p", { class: "note" }, "hands · won"), all()));
    summed.update(sums.rows);
    list.update(hands);
  }
  draw();
  return root.append(
    h("div", { class: "toolbar" }, h("h1", {}, "Play"), h("span", { class: "grow" }), start, units),
    h(
      "div",
      { class: "toolbar" },
      filterBar(by, filters, go),
      h("span", { class: "grow" }),
      runs.length === 1 && sums.total.grades.best < sums.total.known && again,
      h(
        "a",
        { class: "button small", download: "", href: address("/history", { by, ...filters, format: "csv" }) },
        "CSV",
      ),
    ),
    h(
      "div",
      { class: "at-table" },
      h("section", { class: "side" }, summed, h("div", { class: "toolbar" }, h("h2", {}, "Hands"), order), list),
      side,
    ),
  );
}
