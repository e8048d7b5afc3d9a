// Run-outs: for each card that may come, how often each action is then played and who earns what.
import { get } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { chips, percent } from "../base/format.js";
import { ev, evNumber } from "../base/units.js";
import { card, cardLabel, cardText, RANKS, SUITS } from "../cards/cards.js";
import { gradient } from "../cards/grid.js";
import { mixColumn } from "../cards/line-columns.js";
import { MEANINGS } from "../parts/explain.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { heat } from "./hands.js";
import { texturePanel } from "./run-out-textures.js";

/** @import { RunOut } from "../base/answers.js" */

const AT_ONCE = 7;
/** Return what the map shows: its name, the number of a run-out, and how that is written. */
const measuresOf = (players) => ({
  mix: { text: "Actions", value: () => null, show: () => "" },
  ...Object.fromEntries(
    players.map((name, who) => [
      `ev${who}`,
      {
        text: `EV ${name}`,
        value: (row) => row.ev?.[who],
        show: (value, { pot }) => tenth(evNumber(value, pot)),
      },
    ]),
  ),
  eq0: { text: `Equity ${players[0]}`, value: (row) => row.equity?.[0], show: (value) => percent(value, 0) },
});
const tenth = (value) => chips(Math.round(value * 10) / 10);
const is = (value) => typeof value === "number";

/** Return the run-outs of a line as a map of the deck and a table; `to(card)` is the address of the node after a card. */
export function runOuts({ run, line, board, to, navigate, players, signal }) {
  const measures = measuresOf(players);
  let rows = [];
  let measure = "mix";
  let list = null;
  const status = h("span", { class: "note", role: "status" }, "Reading run-outs …");
  const map = deckMap({ to, players });
  const textures = texturePanel({ players });
  const place = h("div", { class: "runout-table" });
  const choose = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "What the map shows" },
    Object.entries(measures).map(([key, { text }]) =>
      h(
        "button",
        { class: "button small", type: "button", dataset: { key }, onclick: () => ((measure = key), draw()) },
        text,
      ),
    ),
  );

  function draw() {
    for (const button of choose.children) button.setAttribute("aria-pressed", String(button.dataset.key === measure));
    map.update(rows, measures[measure]);
    textures.update(rows);
    const flat = rows.flatMap((row) => row.alike.map((name) => ({ ...row, card: name })));
    if (!list && flat.length) clear(place, (list = runOutTable({ rows, players, to, navigate })));
    list?.update(flat);
  }

  async function read() {
    let total = Infinity;
    while (rows.length < total && !signal?.aborted) {
      const found = await get(
        "/runs/{run}/spot/runouts",
        { run, line, board, start: rows.length, count: AT_ONCE },
        { signal },
      );
      total = found.total;
      rows = [...rows, ...found.rows];
      status.textContent = rows.length < total ? `${rows.length} of ${total} …` : averages(rows, players);
      draw();
    }
  }

  read().catch((error) => signal?.aborted || failed(error));
  return h(
    "section",
    { class: "runouts" },
    h("div", { class: "toolbar" }, h("h2", {}, "Run-outs"), choose, h("span", { class: "grow" }), status),
    h("div", { class: "sides" }, map, place),
    textures,
  );
}

/**
 * Return what the players earn over all run-outs.
 *
 * @param {RunOut[]} rows
 */
function averages(rows, players) {
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  const pot = rows.find((row) => row.weight)?.pot;
  const mean = (who) => rows.reduce((sum, row) => sum + row.weight * (row.ev?.[who] ?? 0), 0) / total;
  return `On average EV ${players.map((name, who) => `${name} ${ev(mean(who), pot)}`).join(", ")}`;
}

/** Return the deck, each card coloured by what comes after it. The element has update(rows, measure). */
function deckMap({ to, players }) {
  const deck = h("div", { class: "deckmap" });
  const cells = new Map();
  for (const name of [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit))) {
    const cell = h(
      "a",
      { role: "link", "aria-disabled": "true", "aria-label": cardLabel(name) },
      h("span", { class: "fill" }),
      card(name, { size: "small" }),
      h("small"),
    );
    cells.set(name, cell);
    deck.append(cell);
  }

  deck.update = (rows, { value, show }) => {
    const values = rows.map(value).filter(is);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    for (const row of rows) {
      const actions = Object.keys(row.frequencies ?? {});
      const mix = actions.map((action) => ({ share: row.frequencies[action], colour: actionColour(action, actions) }));
      const number = value(row);
      const background = is(number) ? heat(high > low ? (number - low) / (high - low) : 0.5) : "none";
      const words = actions.map((action) => `${action} ${percent(row.frequencies[action], 0)}`).join(", ");
      const earned = `EV ${players.map((name, who) => `${name} ${ev(row.ev?.[who], row.pot)}`).join(", ")}`;
      for (const name of row.alike) {
        const cell = cells.get(name);
        const [fill, , label] = cell.children;
        cell.removeAttribute("aria-disabled");
        cell.setAttribute("href", to(name));
        cell.title = `${cardText(name)}: ${words}; ${earned}`;
        cell.setAttribute("aria-label", `${cardLabel(name)}: ${words}; ${earned}`);
        fill.style.setProperty("background", number === null ? gradient(mix) : background);
        label.textContent = is(number) ? show(number, row) : "";
      }
    }
  };
  return deck;
}

function runOutTable({ rows, players, to, navigate }) {
  const actions = [...new Set(rows.flatMap((row) => Object.keys(row.frequencies ?? {})))];
  const colours = actions.map((action) => actionColour(action, actions));
  const number = (key, title, value, show, meaning = /** @type {string | null} */ (null)) => ({
    meaning,
    key,
    title,
    numeric: true,
    descending: true,
    value,
    show: (row) => show(value(row), row.pot),
  });
  const byAction = (action, k) => {
    const title = h("span", {}, h("span", { class: "dot", css: { "--colour": colours[k] } }), ` ${action}`);
    return number(
      action,
      title,
      (row) => row.frequencies?.[action],
      (value) => percent(value),
      MEANINGS.Frequency,
    );
  };
  return table({
    columns: [
      {
        key: "card",
        title: "Card",
        value: (row) => 4 * RANKS.indexOf(row.card[0]) + SUITS.indexOf(row.card[1]),
        show: (row) => h("a", { href: to(row.card) }, card(row.card, { size: "small" })),
      },
      mixColumn((row) => actions.map((action) => row.frequencies?.[action] ?? 0), colours),
      ...actions.map(byAction),
      ...players.map((name, who) => number(`ev${who}`, `EV ${name}`, (row) => row.ev?.[who], ev)),
      number(
        "eq0",
        `Equity ${players[0]}`,
        (row) => row.equity?.[0],
        (value) => percent(value),
      ),
      number(
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
