// Run-outs: for each card that may come, how often each action is then played and who earns what.
import { get, pathOf } from "../api.js";
import { actionColour } from "../colours.js";
import { clear, h } from "../dom.js";
import { chips, percent } from "../format.js";
import { card, cardLabel, cardText, RANKS, SUITS } from "./cards.js";
import { heat } from "./hands.js";
import { mixBar } from "./strip.js";
import { table } from "./table.js";
import { failed } from "./toast.js";

const AT_ONCE = 7;
const MEASURES = { mix: "Actions", ev0: "EV OOP", ev1: "EV IP", eq0: "Equity OOP" };

/** Return the run-outs of a line as a map of the deck and a table; `to(card)` is the address of the node after a card. */
export function runOuts({ run, line, board, to, navigate, players, signal }) {
  let rows = [];
  let measure = "mix";
  const status = h("span", { class: "note", role: "status" }, "Reading run-outs …");
  const deck = h("div", { class: "deckmap" });
  const cells = new Map();
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const name = rank + suit;
      const cell = h(
        "a",
        { class: "none", "aria-label": cardLabel(name) },
        h("span", { class: "fill" }),
        card(name, { size: "small" }),
        h("small"),
      );
      cells.set(name, cell);
      deck.append(cell);
    }
  }
  const choose = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "What the map shows" },
    Object.entries(MEASURES).map(([key, text]) =>
      h(
        "button",
        {
          class: "button small",
          type: "button",
          "aria-pressed": String(key === measure),
          dataset: { key },
          onclick: () => ((measure = key), draw()),
        },
        text,
      ),
    ),
  );
  const place = h("div", { class: "runout-table" });
  let list = null;

  const valueOf = (row, key) => ({ ev0: row.ev?.[0], ev1: row.ev?.[1], eq0: row.equity?.[0] })[key];

  function draw() {
    for (const button of choose.children) button.setAttribute("aria-pressed", String(button.dataset.key === measure));
    const values = rows.map((row) => valueOf(row, measure)).filter((value) => typeof value === "number");
    const [low, high] = [Math.min(...values), Math.max(...values)];
    for (const row of rows) {
      const actions = Object.keys(row.frequencies ?? {});
      const shares = Object.values(row.frequencies ?? {});
      const colours = actions.map((action) => actionColour(action, actions));
      for (const name of row.alike) {
        const cell = cells.get(name);
        cell.classList.remove("none");
        cell.setAttribute("href", to(name));
        const mix = actions.map((action, k) => `${action} ${percent(shares[k], 0)}`).join(", ");
        cell.title = `${cardText(name)}: ${mix}; EV ${players[0]} ${chips(row.ev?.[0])}, ${players[1]} ${chips(row.ev?.[1])}`;
        cell.setAttribute("aria-label", `${cardLabel(name)}: ${cell.title}`);
        const [fill, , label] = cell.children;
        if (measure === "mix") {
          let at = 0;
          const stops = colours.map((colour, k) => `${colour} ${100 * at}% ${100 * (at += shares[k])}%`);
          fill.style.setProperty(
            "background",
            stops.length > 1 ? `linear-gradient(to right, ${stops.join(", ")})` : (colours[0] ?? "none"),
          );
          label.textContent = "";
        } else {
          const value = valueOf(row, measure);
          fill.style.setProperty(
            "background",
            typeof value === "number" ? heat(high > low ? (value - low) / (high - low) : 0.5) : "none",
          );
          label.textContent =
            typeof value !== "number" ? "" : measure === "eq0" ? percent(value, 0) : chips(Math.round(value * 10) / 10);
        }
      }
    }
    const flat = rows.flatMap((row) => row.alike.map((name) => ({ ...row, card: name })));
    if (!list && flat.length) clear(place, (list = makeTable()));
    list?.update(flat);
  }

  function makeTable() {
    const actions = [...new Set(rows.flatMap((row) => Object.keys(row.frequencies ?? {})))];
    const colours = actions.map((action) => actionColour(action, actions));
    const numbers = (key, title, value, show) => ({
      key,
      title,
      numeric: true,
      descending: true,
      value,
      show: (row) => show(value(row)),
    });
    const order = (name) => 4 * RANKS.indexOf(name[0]) + SUITS.indexOf(name[1]);
    return table({
      columns: [
        {
          key: "card",
          title: "Card",
          value: (row) => order(row.card),
          show: (row) => h("a", { href: to(row.card) }, card(row.card, { size: "small" })),
        },
        {
          key: "mix",
          title: "Mix",
          sort: false,
          class: "mix",
          show: (row) =>
            mixBar(
              actions.map((action) => row.frequencies?.[action] ?? 0),
              colours,
            ),
        },
        ...actions.map((action, k) =>
          numbers(
            action,
            h("span", {}, h("span", { class: "dot", css: { "--colour": colours[k] } }), ` ${action}`),
            (row) => row.frequencies?.[action],
            percent,
          ),
        ),
        numbers("ev0", `EV ${players[0]}`, (row) => row.ev?.[0], chips),
        numbers("ev1", `EV ${players[1]}`, (row) => row.ev?.[1], chips),
        numbers("eq0", `Equity ${players[0]}`, (row) => row.equity?.[0], percent),
        numbers(
          "eqr0",
          `EQR ${players[0]}`,
          (row) => row.eqr?.[0],
          (value) => percent(value, 0),
        ),
      ],
      key: (row) => row.card,
      sort: { key: "card" },
      onOpen: (row) => {
        const url = new URL(to(row.card), location.href);
        navigate(url.pathname, Object.fromEntries(url.searchParams));
      },
      label: "Run-outs",
      height: "calc(100vh - 330px)",
    });
  }

  async function read() {
    let total = Infinity;
    while (rows.length < total && !signal?.aborted) {
      const found = await get(
        pathOf(run, "spot", "runouts"),
        { line, board, start: rows.length, count: AT_ONCE },
        { signal },
      );
      total = found.total;
      rows = [...rows, ...found.rows];
      status.textContent = rows.length < total ? `${rows.length} of ${total} …` : averages();
      draw();
    }
  }

  function averages() {
    const total = rows.reduce((sum, row) => sum + row.weight, 0);
    const mean = (value) => rows.reduce((sum, row) => sum + (row.weight ? row.weight * value(row) : 0), 0) / total;
    return `On average EV ${players[0]} ${chips(mean((row) => row.ev[0]))}, ${players[1]} ${chips(mean((row) => row.ev[1]))}`;
  }

  read().catch((error) => signal?.aborted || failed(error));
  return h(
    "section",
    { class: "runouts" },
    h("div", { class: "toolbar" }, h("h2", {}, "Run-outs"), choose, h("span", { class: "grow" }), status),
    h("div", { class: "sides" }, deck, place),
  );
}
