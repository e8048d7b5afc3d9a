// The betting tree of a spot before it is solved: how large it is, what was changed, and its lines, unfolded on demand.
import { post } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { amount } from "../base/units.js";
import { heading } from "../parts/explain.js";
import { failed } from "../parts/toast.js";
import { PLAYERS } from "./players.js";
import { plain } from "./tree-edit.js";
import { treeStore, withParents } from "./tree-store.js";

/** @import { BettingRow } from "../base/answers.js" */
/** @typedef {import("./tree-store.js").TreeStore} TreeStore */

const MOST_CHANGES = 100;
const REASONS = {
  rounded: "rounded to chips",
  minimum: "raised to the least bet",
  "all-in": "turned into all-in",
  merged: "merged with a size of about the same",
};

/**
 * Return a form that asks for a size after a line.
 *
 * @param {TreeStore} store
 * @param {{row: any, line: string, instead?: string | null, value?: string}} place
 */
function sizeForm(store, { row, line, instead = null, value = "" }) {
  const input = h("input", {
    type: "text",
    value,
    placeholder: "75%, 120, 2.5x, a",
    "aria-label": `Size after ${line || "the start"}`,
    onkeydown: (event) => {
      if (event.key === "Enter") add();
      else if (event.key === "Escape") form.remove();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  const wrong = h("span", { class: "wrong", role: "alert" });
  const button = h("button", { type: "button", class: "button small", onclick: add }, "Set");
  const form = h("div", { class: "ask toolbar" }, input, button, wrong);

  function add() {
    if (store.add(input.value, { row, line, instead })) return;
    wrong.textContent = "A size is 75% of the pot, 120 chips, 2.5x a bet, or a: all-in.";
    input.focus();
  }
  return { form, input };
}

/**
 * Return the buttons that change the tree at a row; ask(button, place) asks for a size there.
 *
 * @param {TreeStore} store
 */
function editButtons(store, row, ask) {
  const button = (text, label, onclick) =>
    h("button", { type: "button", class: "button small quiet edit", "aria-label": label, title: label, onclick }, text);
  const { line, parent, action } = row;
  const add = ({ target }) => ask(target, { row, line });
  const change = ({ target }) => ask(target, { row: row.above, line: parent, instead: line, value: action.slice(1) });
  return [
    row.player >= 0 && button("+", `Add a size after ${line || "the start"}`, add),
    action && /^[BRA]/.test(action) && button("✎", `Change ${action} after ${parent || "the start"}`, change),
    action && button("×", `Remove ${plain(line)}`, () => store.remove(row)),
  ];
}

/**
 * Return the button that unfolds a street below a row, and the rows there; rowsBelow(rows) draws those.
 *
 * @param {TreeStore} store
 */
function streetPart(store, row, rowsBelow) {
  const below = h("div", { role: "group" });
  const button = h(
    "button",
    {
      type: "button",
      class: "button small quiet",
      "aria-expanded": "false",
      "aria-label": `Show the ${row.street} after ${row.line}`,
      onclick: turn,
    },
    "+",
  );

  async function turn() {
    const isClosed = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(isClosed));
    button.textContent = isClosed ? "−" : "+";
    if (!isClosed) {
      store.fold(row);
      clear(below);
      return;
    }
    try {
      clear(below, rowsBelow(await store.unfold(row)));
    } catch (error) {
      failed(error);
    }
  }

  if (store.isOpen(row)) turn();
  return { button, below };
}

/** Return in words how many nodes more or fewer there are than before, if any. */
const changeInWords = (change) =>
  Boolean(change) && `${count(Math.abs(change))} nodes ${change > 0 ? "more" : "fewer"} than before.`;

/**
 * Return the tree of the spot that `spot()` describes; `edit(change)` changes the lines that are added and removed, and
 * `line` is a decision that is in sight at first. The element has update(facts of a preview, or null).
 *
 * @param {{spot: () => any, edit: (change: (lines: any) => any) => void, line?: string, signal: AbortSignal}} options
 */
export function bettingTree({ spot, edit, line: aim = "", signal }) {
  const read = (line) => post("/spots/estimate", { spot: spot(), sizes: false, line }, { signal });
  const store = treeStore({ ask: read, edit, aim });
  const box = h("div", { class: "tree" });

  /** Ask for a size below the row of a button. */
  function ask(button, place) {
    box.querySelector(".ask")?.remove();
    const { form, input } = sizeForm(store, place);
    button.closest(".row").after(form);
    input.focus();
  }

  /** Return a row and what is below it. */
  function treeRow(row, shift = 0) {
    const isPart = Boolean(spot().after); // lines that are added and cut off are those of the whole spot
    const line = rowLine(row, shift, isPart ? [] : editButtons(store, row, ask));
    if (store.find(row)) {
      line.classList.add("aim");
      requestAnimationFrame(() => line.scrollIntoView({ block: "nearest" }));
    }
    if (!row.more) return line;
    const street = streetPart(store, row, (rows) => rows.map((next) => treeRow(next, row.depth + shift)));
    line.prepend(street.button);
    return [line, street.below];
  }

  box.update = (facts) => {
    if (!facts) return clear(box);
    const rows = withParents(facts.rows).map((row) => treeRow(row));
    return clear(
      box,
      counts(facts.counts),
      h("p", { class: "note", role: "status" }, changeInWords(store.grow(facts.nodes))),
      changes(facts.changes),
      h("div", { class: "rows", role: "group", "aria-label": "Betting tree" }, rows),
    );
  };
  return box;
}

/** @param {BettingRow} row */
function rowLine(row, shift, buttons) {
  const who = row.player >= 0 ? PLAYERS[row.player] : row.folded >= 0 ? `${PLAYERS[1 - row.folded]} wins` : "showdown";
  return h(
    "div",
    {
      class: "row",
      css: { "--depth": row.depth + shift },
    },
    h("b", {}, row.action || row.street),
    h("span", { class: "note" }, row.more ? `${row.street}: ${who}` : who),
    h("span", { class: "grow" }),
    h("span", { class: "note", title: "Pot" }, amount(row.pot)),
    buttons,
  );
}

/** Return how many nodes of each kind there are on each street. */
const counts = (streets) =>
  h(
    "table",
    { class: "plain counts" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["street", "decisions", "ends", "deals"].map((name) => heading(name, { numeric: true })),
      ),
    ),
    h(
      "tbody",
      {},
      Object.entries(streets).map(([street, { decision, terminal, chance }]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, street),
          [decision, terminal, chance].map((value) => h("td", { class: "num" }, count(value))),
        ),
      ),
    ),
  );

/** Return which sizes were rounded, merged or turned into all-in. */
function changes(all) {
  if (!all.length) return null;
  const numbers = new Map();
  for (const { reason } of all) numbers.set(reason, (numbers.get(reason) ?? 0) + 1);
  const told = ([reason, number]) => `${number} ${number === 1 ? "size" : "sizes"} ${REASONS[reason] ?? reason}`;
  return h(
    "details",
    { class: "changes" },
    h("summary", {}, [...numbers].map(told).join(", ")),
    h(
      "ul",
      {},
      all
        .slice(0, MOST_CHANGES)
        .map(({ line, asked, became, reason }) =>
          h(
            "li",
            {},
            h("code", {}, line || "start"),
            ` ${amount(asked)} → ${amount(became)}, ${REASONS[reason] ?? reason}`,
          ),
        ),
    ),
  );
}
