// The numbers of a regret matcher, an action a line: each is a button that says how it comes about.

import { clear, h } from "../../page/js/base/dom.js";
import { fraction, signed } from "./regret-numbers.js";
import { FEW, makeTableStore } from "./regret-table-store.js";
import { inWords } from "./regret-words.js";

/** @typedef {import("./regret-table-store.js").Row} Row */
/** @typedef {import("./regret-table-store.js").TableStore} TableStore */

const KINDS = {
  instant: "regret, this round",
  sum: "regret sum",
  next: "plays next",
  average: "average",
};
const ROUNDING = 1e-12;

/** Return the first line of the table. */
const headRow = () =>
  h(
    "tr",
    {},
    h("th", { scope: "col" }, "action"),
    Object.entries(KINDS).map(([kind, label]) => h("th", { scope: "col", class: kind }, label)),
  );

/**
 * Return a number with a bar below it, which unfolds when it is pressed.
 *
 * @param {TableStore} store
 * @param {{kind: string, action: number, value: number, text: string, share: number, press: () => void}} cell
 */
function numberCell(store, { kind, action, value, text, share, press }) {
  const properties = {
    type: "button",
    class: `cell-value ${value < -ROUNDING ? "below" : ""}`,
    "aria-expanded": String(store.isOpen(kind, action)),
    "data-cell": `${kind}-${action}`,
    css: { "--share": `${(100 * share).toFixed(1)}%` },
    onclick: press,
  };
  return h("td", { class: kind }, h("button", properties, text));
}

/** Return the field of a next probability that is asked for. */
function askedCell(action, name) {
  const properties = {
    type: "text",
    inputmode: "text",
    "data-action": action,
    autocomplete: "off",
    "aria-label": `next probability of ${name}`,
    placeholder: "?",
  };
  return h("td", { class: "next" }, h("input", properties));
}

/**
 * Return a line of the table.
 *
 * @param {TableStore} store
 * @param {Row} row
 * @param {{name: string, press: (kind: string, action: number) => void}} options of the action's name, and what a number does
 */
function rowOf(store, row, { name, press }) {
  const { action, instant, sum, next, average, share, isPlayed, isAsked } = row;
  const cell = (kind, value, text, width) =>
    numberCell(store, { kind, action, value, text, share: width, press: () => press(kind, action) });
  let nextCell = cell("next", next, fraction(next), next);
  if (store.state.hidden) nextCell = h("td", { class: "next" }, h("span", { class: "cell-value" }, "?"));
  if (isAsked) nextCell = askedCell(action, name);
  return h(
    "tr",
    { class: isPlayed ? "played" : null },
    h("th", { scope: "row" }, name),
    cell("instant", instant, signed(instant), 0),
    cell("sum", sum, fraction(sum), share),
    nextCell,
    cell("average", average, fraction(average), average),
  );
}

/** Return how the unfolded number comes about, or that one can be pressed. @param {TableStore} store */
function wordsOf(store, game) {
  const { round } = store.state;
  const told = store.told();
  if (told) return inWords(told.kind, game, told.action, round).map((line) => h("p", {}, line));
  const text = round.before
    ? "Press a number to see how it comes about."
    : "After a round, press a number to see how it comes about.";
  return h("p", { class: "note" }, text);
}

/**
 * Return the table, with `show(view)`.
 *
 * @param {any} game
 * @param {{answered: (right: boolean) => void}} events
 */
export function regretTable(game, { answered }) {
  const store = makeTableStore(game);
  const body = h("tbody");
  const words = h("div", { class: "made-of", "aria-live": "polite" });
  const more = h("button", { type: "button", class: "quiet", onclick: showMore });
  const check = h("button", { type: "button", class: "main", onclick: answer }, "Check");
  const reveal = h("button", { type: "button", onclick: () => answered(false) }, "Show it");
  const verdict = h("span", { class: "note", role: "status" });
  const asking = h("div", { class: "asking" }, check, reveal, verdict);
  const table = h("table", { class: "numbers-of" }, h("thead", {}, headRow()), body);
  const box = h("div", { class: "regrets" }, table, asking, words, more);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) answer();
  });

  function showMore() {
    store.toggleAll();
    draw();
  }

  function press(kind, action) {
    store.toggle(kind, action);
    draw();
    box.querySelector(`[data-cell="${kind}-${action}"]`)?.focus();
  }

  /** Say what is wrong with the predictions, or go on. */
  function answer() {
    const inputs = new Map([...body.querySelectorAll("input")].map((input) => [Number(input.dataset.action), input]));
    const { wrong, remark } = store.judge(new Map([...inputs].map(([action, { value }]) => [action, value])));
    for (const [action, input] of inputs) input.setAttribute("aria-invalid", String(wrong.includes(action)));
    if (wrong.length === 0) {
      answered(true);
      return;
    }
    verdict.textContent = remark;
    inputs.get(wrong[0])?.focus();
  }

  function draw() {
    const { all, hidden, round } = store.state;
    clear(
      body,
      store.rows().map((row) => rowOf(store, row, { name: game.actions[row.action], press })),
    );
    asking.hidden = !hidden;
    verdict.textContent = "";
    more.hidden = !store.hasMany();
    more.textContent = all ? `Show the ${FEW} largest regret sums` : `Show all ${round.after.regretSums.length}`;
    clear(words, wordsOf(store, game));
  }

  function show(view) {
    store.take(view);
    draw();
    if (store.state.hidden) body.querySelector("input")?.focus({ preventScroll: true });
  }

  return { box, show };
}
