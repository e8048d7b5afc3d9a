// Run-outs: for each card that may come, how often each action is then played and who earns what; of all hands, or of some.
import { address, get } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { chips, percent } from "../base/format.js";
import { ev, evNumber, unitNow } from "../base/units.js";
import { card, cardLabel, cardText, RANKS, SUITS } from "../cards/cards.js";
import { gradient } from "../cards/grid.js";
import { mixColumn } from "../cards/line-columns.js";
import { choice } from "../parts/choice.js";
import { MEANINGS } from "../parts/explain.js";
import { table } from "../parts/table.js";
import { failed } from "../parts/toast.js";
import { filterField } from "./hand-filter.js";
import { heat } from "./hands.js";
import { meanOver, texturePanel } from "./run-out-textures.js";

const AT_ONCE = 7;
/** Return what the map shows: its name, the number of a run-out, and how that is written. */
const measuresOf = (players, seats, hasActions) => ({
  ...(hasActions && { mix: { text: "Actions", value: () => null, show: () => "" } }),
  ...Object.fromEntries(
    seats.map((who) => [
      `ev${who}`,
      {
        text: `EV ${players[who]}`,
        value: (row) => row.ev?.[who],
        show: (value, { pot }) => tenth(evNumber(value, pot)),
      },
    ]),
  ),
  equity: {
    text: `Equity ${players[seats[0]]}`,
    value: (row) => row.equity?.[seats[0]],
    show: (value) => percent(value, 0),
  },
});
const tenth = (value) => chips(Math.round(value * 10) / 10);
const is = (value) => typeof value === "number";

/**
 * Return the run-outs of a line as a map of the deck and a table; `to(card)` is the address of the node after a card. The
 * element has update({only, player, unit, iterations}): the filter, whose hands it is of (null: of who decides then) and
 * the unit in which it writes EVs, all of the address; and how far the run is.
 */
export function runOuts({ run, node, about, board, to, go, navigate, signal }) {
  const { players } = about;
  const here = { run, line: node.line, board };
  let rows = [];
  let measure = "mix";
  let list = null;
  let asked = /** @type {{only: string, player: string, unit: string} | null} */ (null);
  let known = ""; // the question that the rows answer
  let reading = 0;
  let problem = /** @type {string | null} */ (null);
  const status = h("span", { class: "note", role: "status" });
  const map = deckMap({ to });
  const textures = texturePanel({ players });
  const place = h("div", { class: "runout-table" });
  const choose = h("div", { class: "segmented", role: "group", "aria-label": "What the map shows" });
  const whose = choice(
    players.map((name, who) => [String(who), name]),
    String(node.next_player),
  );
  whose.setAttribute("aria-label", "Whose hands are counted");
  whose.addEventListener("change", () =>
    go({ player: Number(whose.value) === node.next_player ? "" : whose.value }, { replace: true }),
  );
  const filter = filterField((only) => go({ only, unit: unitNow() }, { replace: true })); // EV > 10 is in it
  const file = h("a", { class: "button small", download: "" }, "CSV");

  /** Return the players whose numbers are told: all, where the address names none that there is. */
  function seats() {
    const all = [...players.keys()];
    const own = all.filter((who) => String(who) === asked?.player);
    return own.length ? own : all;
  }

  function draw() {
    const measures = measuresOf(players, seats(), seats().includes(node.next_player));
    const shown = measures[measure] ? measure : Object.keys(measures)[0];
    const button = ([key, { text }]) =>
      h(
        "button",
        {
          class: "button small",
          type: "button",
          "aria-pressed": String(key === shown),
          onclick: () => ((measure = key), draw()),
        },
        text,
      );
    clear(choose, Object.entries(measures).map(button));
    map.update(rows, measures[shown], sayEarned);
    textures.update(rows, seats());
    const flat = rows.flatMap((row) => row.alike.map((name) => ({ ...row, card: name })));
    if (!list && flat.some((row) => row.player !== null))
      clear(place, (list = runOutTable({ rows, players, seats: seats(), to, navigate })));
    list?.update(flat);
  }

  /** Return what the players earn after a card, or that none has a hand. */
  const sayEarned = (row) =>
    row.player === null
      ? noHand()
      : `EV ${seats()
          .map((who) => `${players[who]} ${ev(row.ev[who], row.pot)}`)
          .join(", ")}`;

  const noHand = () => (asked ? `no hand of ${players[seats()[0]]} passes` : "no hands are left");

  /** Return what the players earn over all run-outs, or that no hand passes. */
  function average() {
    const pot = rows.find((row) => row.weight)?.pot;
    if (pot === undefined) return `On all cards ${noHand()}.`;
    const earned = seats().map(
      (who) =>
        `${players[who]} ${ev(
          meanOver(rows, (row) => row.ev?.[who]),
          pot,
        )}`,
    );
    return `On average EV ${earned.join(", ")}`;
  }

  async function read() {
    const mine = ++reading;
    const isOld = () => signal?.aborted || mine !== reading;
    [rows, list, problem] = [[], null, null];
    clear(place);
    status.textContent = "Reading run-outs …";
    draw();
    let total = Infinity;
    while (rows.length < total && !isOld()) {
      const question = { ...here, ...asked, start: rows.length, count: AT_ONCE };
      const found = await get("/runs/{run}/spot/runouts", question, { signal });
      if (isOld()) return;
      total = found.total;
      rows = [...rows, ...found.rows];
      status.textContent = rows.length < total ? `${rows.length} of ${total} …` : average();
      draw();
    }
  }

  /** Say at the field of the filter what is wrong with it, and elsewhere what else is. */
  function refuse(error, question) {
    if (signal?.aborted || question !== known) return;
    status.textContent = "";
    if (!asked || error.status !== 400) {
      known = ""; // the next update reads again
      return failed(error);
    }
    problem = error.message.replace(/^filter: /, "");
    drawFilter();
  }

  function drawFilter() {
    file.setAttribute("href", address("/runs/{run}/spot/runouts", { ...here, ...asked, format: "csv" }));
    file.hidden = problem !== null;
    const names = { made: Object.keys(about.made_hands), draws: Object.keys(about.draws), actions: [] };
    filter.update({ text: asked?.only ?? "", names, cards: about.hole_cards, problem });
  }

  const element = h(
    "section",
    { class: "runouts" },
    h("div", { class: "toolbar" }, h("h2", {}, "Run-outs"), choose, h("span", { class: "grow" }), status),
    h("div", { class: "toolbar" }, h("span", {}, "Only hands of"), whose, filter, h("span", { class: "grow" }), file),
    h("div", { class: "sides" }, map, place),
    textures,
  );

  element.update = ({ only, player, unit, iterations }) => {
    whose.value = player ?? String(node.next_player);
    asked = only ? { only, unit, player: player ?? String(node.next_player) } : null;
    const question = JSON.stringify([asked, iterations]);
    if (question !== known) {
      known = question;
      read().catch((error) => refuse(error, question));
    } else {
      draw();
    }
    drawFilter();
  };
  return element;
}

/** Return the deck, each card coloured by what comes after it. The element has update(rows, measure, say): say(row) is who earns what. */
function deckMap({ to }) {
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

  function empty(cell) {
    const [fill, , label] = cell.children;
    cell.setAttribute("aria-disabled", "true");
    for (const name of ["href", "title"]) cell.removeAttribute(name);
    fill.style.setProperty("background", "none");
    label.textContent = "";
  }

  deck.update = (rows, { value, show }, say) => {
    const told = new Set(rows.flatMap((row) => row.alike));
    for (const [name, cell] of cells) {
      if (told.has(name)) continue;
      empty(cell);
      cell.setAttribute("aria-label", cardLabel(name));
    }
    const values = rows.map(value).filter(is);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    for (const row of rows) {
      const actions = Object.keys(row.frequencies ?? {});
      const mix = actions.map((action) => ({ share: row.frequencies[action], colour: actionColour(action, actions) }));
      const number = value(row);
      const background = is(number) ? heat(high > low ? (number - low) / (high - low) : 0.5) : "none";
      const played = actions.map((action) => `${action} ${percent(row.frequencies[action], 0)}`).join(", ");
      const words = [played, say(row)].filter(Boolean).join("; ");
      for (const name of row.alike) {
        const cell = cells.get(name);
        const [fill, , label] = cell.children;
        cell.removeAttribute("aria-disabled");
        cell.setAttribute("href", to(name));
        cell.title = `${cardText(name)}: ${words}`;
        cell.setAttribute("aria-label", `${cardLabel(name)}: ${words}`);
        fill.style.setProperty("background", number === null ? gradient(mix) : background);
        label.textContent = is(number) ? show(number, row) : "";
      }
    }
  };
  return deck;
}

function runOutTable({ rows, players, seats, to, navigate }) {
  const [first] = seats;
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
      ...(actions.length ? [mixColumn((row) => actions.map((action) => row.frequencies?.[action] ?? 0), colours)] : []),
      ...actions.map(byAction),
      ...seats.map((who) => number(`ev${who}`, `EV ${players[who]}`, (row) => row.ev?.[who], ev)),
      number(
        "equity",
        `Equity ${players[first]}`,
        (row) => row.equity?.[first],
        (value) => percent(value),
      ),
      number(
        "eqr",
        `EQR ${players[first]}`,
        (row) => row.eqr?.[first],
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
