// The betting tree of a spot before it is solved: how large it is, what was changed, and its lines, unfolded on demand.
import { post } from "../api.js";
import { clear, h } from "../dom.js";
import { chips, count } from "../format.js";
import { failed } from "./toast.js";

const MOST_CHANGES = 100;
const REASONS = {
  rounded: "rounded to chips",
  minimum: "raised to the least bet",
  "all-in": "turned into all-in",
  merged: "merged with a size of about the same",
};

/** Return the tree of the spot that `spot()` describes. The element has update(facts of a preview, or null). */
export function bettingTree({ spot, signal }) {
  const open = new Set(); // lines of later streets that are unfolded
  const box = h("div", { class: "tree" });

  /** Return a row and what is below it. */
  function treeRow(row, shift = 0) {
    const line = rowLine(row, shift);
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
      if (!closed) return (open.delete(row.line), clear(below));
      open.add(row.line);
      try {
        const { rows } = await post("/spots/estimate", { spot: spot(), sizes: false, line: row.line }, { signal });
        clear(
          below,
          rows.slice(1).map((next) => treeRow(next, row.depth + shift)),
        );
      } catch (error) {
        failed(error);
      }
    }

    if (open.has(row.line)) unfold();
    return [line, below];
  }

  box.update = (facts) =>
    facts
      ? clear(
          box,
          counts(facts.counts),
          changes(facts.changes),
          h(
            "div",
            { class: "rows", role: "tree", "aria-label": "Betting tree" },
            facts.rows.map((row) => treeRow(row)),
          ),
        )
      : clear(box);
  return box;
}

function rowLine(row, shift) {
  const who =
    row.player >= 0 ? ["OOP", "IP"][row.player] : row.folded >= 0 ? `${["IP", "OOP"][row.folded]} wins` : "showdown";
  return h(
    "div",
    {
      class: "row",
      role: "treeitem",
      "aria-level": String(row.depth + shift + 1),
      css: { "--depth": row.depth + shift },
    },
    h("b", {}, row.action || row.street),
    h("span", { class: "note" }, row.more ? `${row.street}: ${who}` : who),
    h("span", { class: "grow" }),
    h("span", { class: "note", title: "Pot" }, chips(row.pot)),
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
        ["", "decisions", "ends", "deals"].map((name) => h("th", { class: "num", scope: "col" }, name)),
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
            ` ${chips(asked)} → ${chips(became)}, ${REASONS[reason] ?? reason}`,
          ),
        ),
    ),
  );
}
