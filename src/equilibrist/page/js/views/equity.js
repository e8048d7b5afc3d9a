// Two ranges on a board, nothing solved: equity of both, its distribution, made hands, and what a card takes from calls.
import { post } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { card, cardName, splitCards } from "../cards/cards.js";
import { lineChart } from "../parts/chart.js";
import { MEANINGS, meaningOf } from "../parts/explain.js";
import { rangeViews } from "../parts/range-tabs.js";
import { saveAnswer } from "../parts/save-file.js";
import { stat } from "../parts/stats.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { undoButtons } from "../parts/undo.js";
import { boardPicker } from "../poker/board.js";
import { equityCurve } from "../poker/hands.js";
import { PLAYERS } from "../poker/players.js";
import { equityFields, equityStore, GRAPHS } from "../poker/range-equity.js";
import { deckSelect, rangeTabs } from "../poker/spot-form.js";
import { DECKS, EXAMPLE, missingCards } from "../poker/spot-settings.js";

/** @import { RangeEquity } from "../base/answers.js" */
/** @typedef {import("../poker/range-equity.js").EquityStore} EquityStore */

const NOTHING = "Give a board and two ranges.";
const whole = (value) => value.toFixed(0);

/**
 * Return the form: board and deck in a card, both ranges in another. `fill(settings)` writes it.
 *
 * @param {EquityStore} store
 * @param {string | null} shown whose range is in sight
 */
function spotPanel(store, shown) {
  const missing = () => missingCards(deck.value);
  const changed = () =>
    store.change(equityFields({ board: picker.cards.join(""), ...ranges.texts(), deck: deck.value }));
  const deck = deckSelect(() => {
    picker.redraw();
    ranges.reread();
  });
  deck.setAttribute("aria-label", "Deck");
  const picker = boardPicker({
    missing,
    onChange: () => {
      ranges.redraw();
      changed();
    },
  });
  const ranges = rangeTabs({
    shown,
    board: () => [...missing(), ...picker.cards],
    deck: () => deck.value,
    onChange: changed,
  });

  async function fill(settings) {
    deck.value = settings.deck || Object.keys(DECKS)[0];
    picker.set(splitCards(settings.board ?? ""));
    await ranges.set({ oop: settings.oop ?? "", ip: settings.ip ?? "" });
    changed();
  }

  const board = h("div", { class: "card" }, h("h2", {}, "Board"), picker, h("p", {}, deck));
  return { ranges: ranges.card, board, fill };
}

/**
 * Return the equity of both players, and how many hands they have.
 *
 * @param {EquityStore} store
 */
function sidesPanel(store) {
  const element = h("div", { class: "sides" });
  const side = (name, who) => {
    const { result } = store.state;
    const equity = result ? percent(result.equity[who], 2) : "–";
    const hands = result ? result.hands[who].hand.length : "–";
    return h(
      "div",
      { class: "card side" },
      h("h2", {}, name),
      h("dl", { class: "stats" }, stat("Equity", equity), stat("Hands", hands)),
    );
  };
  const show = () => clear(element, PLAYERS.map(side));
  return { element, show };
}

/**
 * Return the distribution of the equity of both ranges, as a curve or a histogram.
 *
 * @param {EquityStore} store
 */
function distributionPanel(store) {
  const graphs = h("div", { class: "segmented", role: "group", "aria-label": "Graph" });
  const chart = lineChart({
    y: { label: "", format: whole },
    height: 230,
    title: "Equity of both ranges",
  });
  const button = ([name, text]) =>
    h(
      "button",
      {
        type: "button",
        class: "button small",
        "aria-pressed": String(name === store.state.graph),
        onclick: () => store.drawAs(name),
      },
      text,
    );

  /** Return the line of a player in an answer. */
  const lineOf = ({ distribution, hands }, name, who) => ({
    name,
    points: store.state.graph ? steps(distribution[who]) : equityCurve(handsOf(hands[who])),
    colour: `var(--cat-${who + 1})`,
  });

  function show() {
    const { graph, result } = store.state;
    const across = graph ? "equity, %" : "% of the range, best hands first";
    const up = graph ? "% of the range" : "equity, %";
    clear(graphs, Object.entries(GRAPHS).map(button));
    chart.update({
      x: { label: across, format: whole },
      y: { label: up, format: whole },
      series: result ? PLAYERS.map((name, who) => lineOf(result, name, who)) : [],
    });
  }

  const element = h(
    "div",
    { class: "card" },
    h("div", { class: "toolbar" }, h("h2", {}, "Distribution"), graphs),
    chart,
  );
  return { element, show };
}

/** Return a column of shares. */
const shares = (key, title, meaning) => ({
  key,
  title,
  meaning,
  numeric: true,
  descending: true,
  show: (row) => percent(row[key]),
});

/** Return the columns of both players: of their ranges, and of a share of those. */
function columnsOf(kind, meaningOfRange) {
  const ofPlayer = (name) => h("span", {}, h("span", { class: "sr" }, `${name} `), kind);
  return PLAYERS.flatMap((name, who) => [
    shares(`range${who}`, name, meaningOfRange),
    shares(`${kind}${who}`, ofPlayer(name), meaningOf(kind)),
  ]);
}

/**
 * Return the made hands of both ranges.
 *
 * @param {EquityStore} store
 */
function madePanel(store) {
  const made = table({
    columns: [{ key: "name", title: "Made hand", sort: false }, ...columnsOf("equity", MEANINGS.Range)],
    key: (row) => row.name,
    label: "Made hands",
    height: "280px",
    empty: NOTHING,
  });
  const show = () => made.update(store.state.result ? madeRows(store.state.result) : []);
  return { element: h("div", { class: "card" }, h("h2", {}, "Made hands"), made), show };
}

/**
 * Return what a card takes from both ranges, and from the hands that call.
 *
 * @param {EquityStore} store
 */
function blockerPanel(store) {
  const calls = h("input", {
    type: "number",
    min: 0,
    max: 100,
    step: "any",
    "aria-label": "The least equity of a hand that calls, in %",
    oninput: () => store.callFrom(calls.value),
  });
  calls.value = store.state.calls;
  const removal = table({
    columns: [
      {
        key: "card",
        title: "Card",
        show: (row) => card(row.card, { size: "small" }),
        tip: (row) => cardName(row.card),
      },
      ...columnsOf("calls", MEANINGS["Range with a card"]),
    ],
    key: (row) => row.card,
    sort: { key: "calls1", descending: true },
    label: "What a card takes from each range, and from the hands that call",
    height: "280px",
    empty: NOTHING,
  });
  const show = () => removal.update(store.state.result ? removalRows(store.state.result) : []);
  const element = h(
    "div",
    { class: "card" },
    h("h2", {}, "Blockers"),
    h("p", { class: "note" }, "How much of a range holds the card: what a hand with it takes from the other's."),
    h("p", { class: "note" }, "Calls: hands with at least ", calls, " % equity"),
    removal,
  );
  return { element, show };
}

/** Return the button that saves all hands of both ranges as a file. */
function csvButton(store) {
  const save = () => {
    const { board } = store.state.fields;
    return saveAnswer("/spots/equity", { ...store.request(), format: "csv" }, `equity-${board}.csv`);
  };
  const attributes = { type: "button", class: "button", title: "All hands of both ranges" };
  return h("button", { ...attributes, onclick: () => save().catch(failed) }, "Save as CSV");
}

export async function show(root, { query, signal }) {
  document.title = "Equity · Equilibrist";
  const store = equityStore({ ask: (request) => post("/spots/equity", request, { signal }), query });
  const spot = spotPanel(store, query.get("range"));
  const undo = undoButtons({ restore: (text) => spot.fill(JSON.parse(text)), signal });
  const wrong = h("p", { class: "wrong", role: "status" });
  const sides = sidesPanel(store);
  const distribution = distributionPanel(store);
  const made = madePanel(store);
  const blockers = blockerPanel(store);

  function draw() {
    for (const panel of [sides, distribution, made, blockers]) panel.show();
  }

  store.subscribe((what) => {
    if (what === "problem") wrong.textContent = store.state.problem;
    else if (what === "asked") {
      undo.note(JSON.stringify(store.state.fields));
      history.replaceState(null, "", store.address());
    } else draw();
  });
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Equity"),
      rangeViews("/equity"),
      h("span", { class: "grow" }),
      undo,
      csvButton(store),
    ),
    h(
      "div",
      { class: "columns" },
      spot.ranges,
      h("div", { class: "stack" }, spot.board, wrong, sides.element, distribution.element),
      h("div", { class: "stack" }, made.element, blockers.element),
    ),
  );
  draw();
  const given = Object.fromEntries(["board", "oop", "ip", "deck"].map((name) => [name, query.get(name)]));
  await spot.fill(given.board || given.oop || given.ip ? given : EXAMPLE);
}

/** Return the hands of a range as rows of an equity curve. */
const handsOf = ({ probability, equity }) => probability.map((share, k) => ({ probability: share, equity: equity[k] }));

/** Return a histogram as the points of a line. */
const steps = (shares) =>
  shares.flatMap((share, k) => [
    [(100 * k) / shares.length, 100 * share],
    [(100 * (k + 1)) / shares.length, 100 * share],
  ]);

/**
 * Return the made hands of both players as rows, the strongest first.
 *
 * @param {RangeEquity} answer
 */
function madeRows({ made }) {
  const [few, many] = [...made].sort((one, other) => Object.keys(one).length - Object.keys(other).length);
  const names = Object.keys(many);
  for (const name of Object.keys(few)) if (!names.includes(name)) names.push(name);
  return names.map((name) => {
    const row = { name };
    made.forEach((one, who) => {
      row[`range${who}`] = one[name]?.[0] ?? 0;
      row[`equity${who}`] = one[name]?.[1][0] ?? null;
    });
    return row;
  });
}

/**
 * Return what each card takes from both ranges as rows.
 *
 * @param {RangeEquity} answer
 */
function removalRows({ removal }) {
  const names = new Set(removal.flatMap(({ range }) => Object.keys(range)));
  return [...names].map((name) => {
    const row = { card: name };
    removal.forEach(({ range, calls }, who) => {
      row[`range${who}`] = range[name] ?? 0;
      row[`calls${who}`] = calls[name] ?? 0;
    });
    return row;
  });
}
