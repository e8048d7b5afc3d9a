// The panel of the Leduc lab that solves a part after the public card again, by three methods beside each other.
import { clear, h } from "../../page/js/base/dom.js";
import { iterationsInWords } from "./fraction.js";
import { CARDS, nameOf, PARTS, STATES } from "./leduc-game.js";
import { METHODS } from "./leduc-part.js";
import { choice, panel } from "./regret-controls.js";
import { fixed, signed, small } from "./regret-numbers.js";

/** @typedef {import("./leduc-store.js").LeducStore} LeducStore */

const WORDS = { cc: "check, check", crc: "check, bet, call", crrc: "check, bet, raise, call" };
const LINES = { ...WORDS, rc: "bet, call", rrc: "bet, raise, call" };
const SAME = 1e-4; // payoffs that differ by less are told as the same

const four = (value) => fixed(value, 4);

/** Return by how much a number is above another, worse where it is more. */
function changeCell(value, before) {
  const change = value - before;
  if (Math.abs(change) < SAME) return h("td", { class: "same" }, "±0");
  return h("td", { class: change > 0 ? "worse" : "better" }, signed(change, four));
}

/** Return a table with headings. */
const tableOf = (label, headings, rows) =>
  h(
    "table",
    { class: "part-table", "aria-label": label },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        headings.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    h("tbody", {}, rows),
  );

/** Return what the opponent's best response earns, before and with each method. */
function methodTable({ before, methods, player }) {
  const opponent = 1 - player;
  const row = (name, { best, excess, gap }) =>
    h(
      "tr",
      { "data-method": name },
      h("th", { scope: "row" }, name, h("small", {}, METHODS[name].minimises)),
      h("td", { "data-number": "best" }, four(best)),
      changeCell(best, before),
      h("td", {}, small(excess)),
      h("td", {}, small(gap)),
    );
  const first = h(
    "tr",
    {},
    h("th", { scope: "row" }, "before"),
    h("td", { "data-number": "before" }, four(before)),
    [1, 2, 3].map(() => h("td", {}, "–")),
  );
  const rows = Object.entries(methods).filter(([, { solved }]) => solved > 0);
  return tableOf(
    "The opponent's best response against the whole strategy",
    ["method", `best response of player ${opponent}`, "change", "excess at most", "gap"],
    [first, ...rows.map(([name, method]) => row(name, method))],
  );
}

/** Return how much of what is solved again is done. */
function progressOf({ parts, left }) {
  const answers = parts.length * Object.keys(METHODS).length;
  return h("progress", { max: answers, value: answers - left, "aria-label": "Solved so far" });
}

/** Return what each hand of the opponent earns in the part, for a time that it is there. */
function handTable({ part, answers, player }) {
  const { weights, allowed, comes } = part;
  const names = Object.keys(METHODS).filter((name) => answers[name]);
  const cell = (name, hand) => {
    const value = answers[name].values[hand];
    const style = value > allowed[hand] + SAME * weights[hand] ? "worse" : "";
    return h("td", { class: style }, weights[hand] > 0 ? four(value / weights[hand]) : "–");
  };
  return tableOf(
    "What each hand of the opponent earns in the part",
    [`player ${1 - player} has`, "comes with", "may earn", ...names],
    CARDS.map((card, hand) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, card),
        h("td", {}, fixed(comes[hand], 2)),
        h("td", {}, weights[hand] > 0 ? four(allowed[hand] / weights[hand]) : "–"),
        names.map((name) => cell(name, hand)),
      ),
    ),
  );
}

/**
 * Return the panel.
 *
 * @param {LeducStore} store
 */
export function partPanel(store) {
  const stateOf = () => STATES[store.state.part.index];
  const pick = (first, board) => {
    const { index } = PARTS.find((part) => part.first === first && part.board === board) ?? PARTS[0];
    store.pick({ index });
  };
  const line = h(
    "select",
    { "aria-label": "First round", onchange: () => pick(line.value, stateOf().board) },
    Object.entries(LINES).map(([value, text]) => h("option", { value }, text)),
  );
  const cards = Object.fromEntries(CARDS.map((card) => [card, card]));
  const board = choice("Public card", cards, (card) => pick(stateOf().first, card));
  const players = choice("Who is solved again", { 0: "player 0", 1: "player 1" }, (player) =>
    store.pick({ player: Number(player) }),
  );
  const one = h("button", { type: "button", class: "main", onclick: () => begin({ all: false }) }, "Solve it again");
  const all = h("button", { type: "button", onclick: () => begin({ all: true }) }, "All 15 parts");
  const status = h("p", { class: "note", role: "status" });
  const found = h("div", { class: "found" });

  /** Solve answer by answer, so that the page stays awake. */
  function begin(options) {
    const next = store.resolve(options);
    const goOn = () => found.isConnected && next() && setTimeout(goOn);
    goOn();
  }

  /** Say something, once for who hears it: not again in each picture. */
  function say(text) {
    if (status.textContent !== text) clear(status, text);
  }

  /** Return what was solved, in words. */
  function wordsOf({ t, parts, left, player }) {
    if (left > 0) return parts.length > 1 ? "Solving all 15 parts …" : "Solving …";
    const what = parts.length > 1 ? "All 15 parts" : `The part ${nameOf(STATES[parts[0]])}`;
    const stale = t === store.state.cfr.t ? "" : ` The run has gone on since.`;
    return `${what} for player ${player}, of the average after ${iterationsInWords(t)}.${stale}`;
  }

  function show() {
    const { resolved, part } = store.state;
    line.value = stateOf().first;
    board.show(stateOf().board);
    players.show(String(part.player));
    if (!resolved) {
      say("The average strategy is the blueprint: run a few iterations, then solve a part of it again.");
      clear(found);
      return;
    }
    say(wordsOf(resolved));
    clear(
      found,
      resolved.left > 0 && progressOf(resolved),
      methodTable(resolved),
      Object.keys(resolved.answers).length > 0 && [
        h("h4", {}, `Hands in ${nameOf(stateOf())}: chips for each time that they are there`),
        handTable(resolved),
      ],
    );
  }
  const tools = [line, board.box, players.box, one, all];
  return {
    element: panel("Solve again after the public card", null, h("div", { class: "tools" }, tools), status, found),
    show,
  };
}
