// Which hands of a range are shown: by made hand, draw, suit, weight, action, equity and EV, written as one text.
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { ev } from "../base/units.js";
import { mixColumn } from "../cards/line-columns.js";
import { MEANINGS } from "../parts/explain.js";
import { FilterError, parseFilter } from "./filter-grammar.js";

/** Names of suits, and of shapes, by the number of cards of a hand, that a filter may have. */
const SUITS = ["clubs", "diamonds", "hearts", "spades"];
const SHAPES = { 2: ["suited", "offsuit", "pocket pair"], 4: ["double-suited", "single-suited", "rainbow"] };
const EXAMPLES = {
  2: "Only: top pair, AK, QQ+, equity > 50; Enter",
  4: "Only: set, wrap, AAxxds, KK+, equity > 50; Enter",
};

/** Return the parts of a text: "top pair, (AK, QQ)" → ["top pair", "(AK, QQ)"]: commas between parentheses do not part. */
export function partsOf(text) {
  const parts = [""];
  let depth = 0;
  for (const piece of (text ?? "").replace(/\s+/g, " ").split(/([(),])/)) {
    if (piece === "(") depth += 1;
    if (piece === ")") depth = Math.max(0, depth - 1);
    if (piece === "," && !depth) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/**
 * Return {passes(row), wrong, problem}: whether a row of hands is shown, and of the first part of the text that cannot be
 * read, which is left out, the text and why; both null where all can be read.
 *
 * @param {string} text
 * @param {import("./filter-grammar.js").Names} names
 * @returns {{passes: (row: any) => boolean, wrong: string | null, problem: string | null}}
 */
export function readFilter(text, names) {
  const parts = partsOf(text);
  const whole = parts.join(", ");
  try {
    return { passes: parseFilter(whole, names), wrong: null, problem: null };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    let end = -1;
    const wrong = parts.find((part) => (end += part.length + 2) > error.start) ?? parts.at(-1) ?? "";
    const others = parts.filter((part) => part !== wrong);
    const { passes } = others.length < parts.length ? readFilter(others.join(", "), names) : { passes: () => true };
    return { passes, wrong, problem: error.message.replace(/^filter: /, "") };
  }
}

/** Return the rows of a range by made hand, then by draw, in the order of the names: share, EV, equity and mix of each. */
export function byKind(rows, { made, draws }) {
  const whole = rows.reduce((sum, row) => sum + row.probability, 0);
  const groups = [
    ...made.map((name) => ["made hand", name, rows.filter((row) => row.made === name)]),
    ...draws.map((name) => ["draw", name, rows.filter((row) => row.draws.includes(name))]),
  ];
  return groups
    .map(([kind, name, hands]) => {
      const held = hands.filter((row) => row.probability > 0 && row.ev !== null);
      const weight = held.reduce((sum, row) => sum + row.probability, 0);
      const mean = (value) => held.reduce((sum, row) => sum + row.probability * (value(row) ?? 0), 0) / weight;
      return {
        kind,
        name,
        share: whole ? weight / whole : 0,
        ev: mean((row) => row.ev),
        equity: mean((row) => row.equity),
        mix: rows[0]?.mix?.map((_, place) => mean((row) => row.mix[place])) ?? null,
      };
    })
    .filter((row) => row.share > 0);
}

/** Return the columns of the table of made hands and draws at a node; `meanings` says in words what each is. */
export function kindColumns({ actions, pot }, own, meanings) {
  const colours = actions.map((action) => actionColour(action, actions));
  const number = (key, title, show) => ({ key, title, numeric: true, descending: true, show: (row) => show(row[key]) });
  return [
    {
      key: "name",
      title: "Hand",
      meaning: MEANINGS["Made hand"],
      sort: false,
      tip: (row) => `${row.name}, a ${row.kind}: ${meanings[row.name]}`,
    },
    number("share", "Range", percent),
    own && mixColumn((row) => row.mix, colours),
    ...(own ? actions : []).map((action, place) => ({
      key: action,
      meaning: MEANINGS.Frequency,
      title: h("span", {}, h("span", { class: "dot", css: { "--colour": colours[place] } }), ` ${action}`),
      numeric: true,
      descending: true,
      value: (row) => row.mix[place],
      show: (row) => percent(row.mix[place]),
    })),
    number("ev", "EV", (value) => ev(value, pot)),
    number("equity", "Equity", percent),
  ].filter(Boolean);
}

/**
 * Return the field of a filter. It has update({text, names, cards, problem}): what is shown alone now, as buttons that take
 * a part away. Where the server reads it, `problem` is what is wrong, or null; else it is left out, and the page reads.
 *
 * @param {(text: string) => void} onFilter
 */
export function filterField(onFilter) {
  /** @type {string[]} */
  let parts = [];
  /** @type {import("./filter-grammar.js").Names} */
  let names = { made: [], draws: [], actions: [] };
  let cards = 2; // of a hand
  const list = h("datalist", { id: "filters" });
  const input = h("input", {
    type: "search",
    class: "small",
    list: "filters",
    "aria-label":
      "Show only some hands: add a made hand, a draw, hands such as QQ+, a suit, a card, or a limit such as equity > 50; and, or, not",
    onfocus: () => {
      const limits = ["equity > 50", "weight > 50", ...names.actions.map((action) => `${action} > 50`)];
      const known = [...names.made, ...names.draws, ...SUITS, ...SHAPES[cards], ...limits];
      clear(
        list,
        known.filter((name) => !parts.includes(name)).map((value) => h("option", { value })),
      );
    },
    onchange: () => {
      const added = partsOf(input.value);
      input.value = "";
      if (added.length) onFilter([...new Set([...parts, ...added])].join(", "));
    },
  });
  const chip = (part, wrong) =>
    h(
      "button",
      {
        class: part === wrong ? "button small wrong" : "button small",
        type: "button",
        "aria-label": `Remove the filter ${part}`,
        onclick: () => onFilter(parts.filter((other) => other !== part).join(", ")),
      },
      `${part} ×`,
    );
  const box = h("div", { class: "toolbar filter" }, input, list);
  box.update = (next) => {
    [parts, names, cards] = [partsOf(next.text), next.names, next.cards];
    input.placeholder = EXAMPLES[cards];
    const isReadHere = next.problem === undefined;
    const { wrong, problem } = isReadHere ? readFilter(next.text, names) : { wrong: null, problem: next.problem };
    clear(
      box,
      input,
      list,
      parts.map((part) => chip(part, wrong)),
      problem !== null && h("p", { class: "wrong", role: "alert" }, problem),
    );
  };
  return box;
}
