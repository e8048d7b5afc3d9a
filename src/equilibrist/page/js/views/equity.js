// Two ranges on a board, nothing solved: equity of both, its distribution, made hands, and what a card takes from calls.
import { href } from "../base/address.js";
import { post } from "../base/api.js";
import { clear, h, later } from "../base/dom.js";
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
import { deckSelect, rangeTabs } from "../poker/spot-form.js";
import { DECKS, EXAMPLE, missingCards } from "../poker/spot-settings.js";

/** @import { RangeEquity } from "../base/answers.js" */

const GRAPHS = { "": "Curve", tenths: "Histogram" };
const CALLS = 50; // %: the least equity of hands that call

export async function show(root, { query, signal }) {
  document.title = "Equity · Equilibrist";
  let graph = "";
  let result = null;
  const deck = deckSelect(() => {
    picker.redraw();
    ranges.reread();
  });
  deck.setAttribute("aria-label", "Deck");
  const missing = () => missingCards(deck.value);
  const picker = boardPicker({ missing, onChange: () => (ranges.redraw(), change()) });
  const ranges = rangeTabs({
    shown: query.get("range"),
    board: () => [...missing(), ...picker.cards],
    deck: () => deck.value,
    onChange: change,
  });
  const calls = h("input", {
    type: "number",
    min: 0,
    max: 100,
    step: "any",
    "aria-label": "The least equity of a hand that calls, in %",
    oninput: change,
  });
  const undo = undoButtons({ restore: (text) => fill(JSON.parse(text)), signal });
  const wrong = h("p", { class: "wrong", role: "status" });
  const sums = h("div", { class: "sides" });
  const graphs = h("div", { class: "segmented", role: "group", "aria-label": "Graph" });
  const chart = lineChart({
    y: { label: "", format: (value) => value.toFixed(0) },
    height: 230,
    title: "Equity of both ranges",
  });
  const percents = (key, title, meaning) => ({
    key,
    title,
    meaning,
    numeric: true,
    descending: true,
    show: (row) => percent(row[key]),
  });
  const of = (name, text) => h("span", {}, h("span", { class: "sr" }, `${name} `), text);
  const both = (kind) =>
    PLAYERS.flatMap((name, who) => [
      percents(`range${who}`, name, MEANINGS[kind === "calls" ? "Range with a card" : "Range"]),
      percents(`${kind}${who}`, of(name, kind), meaningOf(kind)),
    ]);
  const made = table({
    columns: [{ key: "name", title: "Made hand", sort: false }, ...both("equity")],
    key: (row) => row.name,
    label: "Made hands",
    height: "280px",
    empty: "Give a board and two ranges.",
  });
  const removal = table({
    columns: [
      {
        key: "card",
        title: "Card",
        show: (row) => card(row.card, { size: "small" }),
        tip: (row) => cardName(row.card),
      },
      ...both("calls"),
    ],
    key: (row) => row.card,
    sort: { key: "calls1", descending: true },
    label: "What a card takes from each range, and from the hands that call",
    height: "280px",
    empty: "Give a board and two ranges.",
  });

  const fields = () => ({
    board: picker.cards.join(""),
    ...ranges.texts(),
    deck: deck.value === Object.keys(DECKS)[0] ? "" : deck.value,
  });
  const asked = () => ({ ...fields(), deck: deck.value, calls: Number(calls.value || CALLS) / 100 });

  function change() {
    const text = JSON.stringify(fields());
    undo.note(text);
    const shown = { calls: calls.value === String(CALLS) ? "" : calls.value, graph };
    history.replaceState(null, "", href("/equity", { ...fields(), ...shown }));
    look();
  }

  let number = 0;
  const look = later(async () => {
    const mine = ++number;
    wrong.textContent = "";
    const { board, oop, ip } = fields();
    try {
      const complete = board.length >= 6 && oop && ip;
      const answer = complete ? await post("/spots/equity", asked(), { signal }) : null;
      if (mine !== number) return;
      result = answer;
      draw();
    } catch (error) {
      if (mine !== number || error.name === "AbortError") return;
      result = null;
      draw();
      wrong.textContent = error.message;
    }
  }, 120);

  function draw() {
    clear(
      graphs,
      Object.entries(GRAPHS).map(([key, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "button small",
            "aria-pressed": String(key === graph),
            onclick: () => ((graph = key), change(), draw()),
          },
          text,
        ),
      ),
    );
    clear(
      sums,
      PLAYERS.map((name, who) =>
        h(
          "div",
          { class: "card side" },
          h("h2", {}, name),
          h(
            "dl",
            { class: "stats" },
            stat("Equity", result ? percent(result.equity[who], 2) : "–"),
            stat("Hands", result ? result.hands[who].hand.length : "–"),
          ),
        ),
      ),
    );
    chart.update({
      x: graph
        ? { label: "equity, %", format: (value) => value.toFixed(0) }
        : { label: "% of the range, best hands first", format: (value) => value.toFixed(0) },
      y: { label: graph ? "% of the range" : "equity, %", format: (value) => value.toFixed(0) },
      series: result
        ? PLAYERS.map((name, who) => ({
            name,
            points: graph ? steps(result.distribution[who]) : equityCurve(handsOf(result.hands[who])),
            colour: `var(--cat-${who + 1})`,
          }))
        : [],
    });
    made.update(result ? madeRows(result) : []);
    removal.update(result ? removalRows(result) : []);
  }

  async function fill(settings) {
    deck.value = settings.deck || Object.keys(DECKS)[0];
    picker.set(splitCards(settings.board ?? ""));
    await ranges.set({ oop: settings.oop ?? "", ip: settings.ip ?? "" });
    change();
  }

  const csv = () => saveAnswer("/spots/equity", { ...asked(), format: "csv" }, `equity-${picker.cards.join("")}.csv`);
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Equity"),
      rangeViews("/equity"),
      h("span", { class: "grow" }),
      undo,
      h(
        "button",
        { type: "button", class: "button", title: "All hands of both ranges", onclick: () => csv().catch(failed) },
        "Save as CSV",
      ),
    ),
    h(
      "div",
      { class: "columns" },
      ranges.card,
      h(
        "div",
        { class: "stack" },
        h("div", { class: "card" }, h("h2", {}, "Board"), picker, h("p", {}, deck)),
        wrong,
        sums,
        h("div", { class: "card" }, h("div", { class: "toolbar" }, h("h2", {}, "Distribution"), graphs), chart),
      ),
      h(
        "div",
        { class: "stack" },
        h("div", { class: "card" }, h("h2", {}, "Made hands"), made),
        h(
          "div",
          { class: "card" },
          h("h2", {}, "Blockers"),
          h("p", { class: "note" }, "How much of a range holds the card: what a hand with it takes from the other's."),
          h("p", { class: "note" }, "Calls: hands with at least ", calls, " % equity"),
          removal,
        ),
      ),
    ),
  );
  graph = query.get("graph") in GRAPHS ? query.get("graph") : "";
  calls.value = query.get("calls") ?? String(CALLS);
  draw();
  const given = Object.fromEntries(["board", "oop", "ip", "deck"].map((name) => [name, query.get(name)]));
  await fill(query.get("board") || query.get("oop") || query.get("ip") ? given : EXAMPLE);
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
