// The betting tree of a spot before it is solved: how large it is, what was changed, and its lines, unfolded on demand.
import { post } from "../base/api.js";
import { clear, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { amount } from "../base/units.js";
import { heading } from "../parts/explain.js";
import { failed } from "../parts/toast.js";
import { PLAYERS } from "./players.js";
import { actionOf, cut, extended, grown, plain } from "./tree-edit.js";

/** @import { BettingRow } from "../base/answers.js" */

const MOST_CHANGES = 100;
const REASONS = {
  rounded: "rounded to chips",
  minimum: "raised to the least bet",
  "all-in": "turned into all-in",
  merged: "merged with a size of about the same",
};

/** Return the lines on the way to a line at which a street begins. */
const streetsBefore = (line) => {
  const parts = line.split("|");
  return parts.slice(0, -1).map(
    (_, k) =>
      `${parts
        .slice(0, k + 1)
        .join("|")
        .trim()} |`,
  );
};

/**
 * Return the tree of the spot that `spot()` describes; `edit(change)` changes the lines that are added and removed, and
 * `line` is a decision that is in sight at first. The element has update(facts of a preview, or null).
 *
 * @param {{spot: () => any, edit: (change: (lines: any) => any) => void, line?: string, signal: AbortSignal}} options
 */
export function bettingTree({ spot, edit, line: aim = "", signal }) {
  const open = new Set(streetsBefore(aim).map(plain)); // lines of later streets that are unfolded
  const box = h("div", { class: "tree" });
  let before = null; // how many nodes there were
  let sought = aim;

  /** Return the buttons that change the tree at a row. */
  function editButtons(row) {
    const button = (text, label, onclick) =>
      h(
        "button",
        { type: "button", class: "button small quiet edit", "aria-label": label, title: label, onclick },
        text,
      );
    if (spot().after) return []; // lines that are added and cut off are those of the whole spot, not of this part
    const [parent, after] = [row.parent ?? "", row.line || "the start"];
    return [
      row.player >= 0 && button("+", `Add a size after ${after}`, ({ target }) => ask(target, row, row.line, "")),
      row.action &&
        /^[BRA]/.test(row.action) &&
        button("✎", `Change ${row.action} after ${parent || "the start"}`, ({ target }) =>
          ask(target, row.above, parent, row.action.slice(1), row.line),
        ),
      row.action && button("×", `Remove ${plain(row.line)}`, () => edit((lines) => cut(lines, row.line))),
    ];
  }

  /** Ask for a size below a row, which takes the place of another where there is one. */
  function ask(target, row, line, value, instead = null) {
    box.querySelector(".ask")?.remove();
    const input = h("input", {
      type: "text",
      value,
      placeholder: "75%, 120, 2.5x, a",
      "aria-label": `Size after ${line || "the start"}`,
    });
    const wrong = h("span", { class: "wrong", role: "alert" });
    const form = h(
      "div",
      { class: "ask toolbar" },
      input,
      h("button", { type: "button", class: "button small", onclick: done }, "Set"),
      wrong,
    );
    function done() {
      const action = actionOf(input.value, { ...row, line });
      if (!action) {
        wrong.textContent = "A size is 75% of the pot, 120 chips, 2.5x a bet, or a: all-in.";
        return input.focus();
      }
      edit((lines) => grown(instead ? cut(lines, instead) : lines, extended(line, action)));
    }
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") done();
      else if (event.key === "Escape") form.remove();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    target.closest(".row").after(form);
    input.focus();
  }

  /** Return rows of a preview, each with the row above it. */
  function withParents(rows) {
    const path = [];
    for (const row of rows) {
      path.length = row.depth;
      row.above = path.at(-1) ?? null;
      row.parent = row.above?.line ?? "";
      path.push(row);
    }
    return rows;
  }

  /** Return a row and what is below it. */
  function treeRow(row, shift = 0) {
    const line = rowLine(row, shift, editButtons(row));
    if (sought && plain(row.line) === plain(sought)) {
      sought = "";
      line.classList.add("aim");
      requestAnimationFrame(() => line.scrollIntoView({ block: "nearest" }));
    }
    if (!row.more) return line;
    const below = h("div", { role: "group" });
    const button = h(
      "button",
      {
        type: "button",
        class: "button small quiet",
        "aria-expanded": "false",
        "aria-label": `Show the ${row.street} after ${row.line}`,
        onclick: unfold,
      },
      "+",
    );
    line.prepend(button);

    async function unfold() {
      const closed = button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", String(closed));
      button.textContent = closed ? "−" : "+";
      if (!closed) return (open.delete(plain(row.line)), clear(below));
      open.add(plain(row.line));
      try {
        const { rows } = await post("/spots/estimate", { spot: spot(), sizes: false, line: row.line }, { signal });
        clear(
          below,
          withParents(rows)
            .slice(1)
            .map((next) => treeRow(next, row.depth + shift)),
        );
      } catch (error) {
        failed(error);
      }
    }

    if (open.has(plain(row.line))) unfold();
    return [line, below];
  }

  box.update = (facts) => {
    const change = facts && before !== null && facts.nodes - before;
    before = facts?.nodes ?? before;
    return facts
      ? clear(
          box,
          counts(facts.counts),
          h(
            "p",
            { class: "note", role: "status" },
            Boolean(change) && `${count(Math.abs(change))} nodes ${change > 0 ? "more" : "fewer"} than before.`,
          ),
          changes(facts.changes),
          h(
            "div",
            { class: "rows", role: "group", "aria-label": "Betting tree" },
            withParents(facts.rows).map((row) => treeRow(row)),
          ),
        )
      : clear(box);
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
