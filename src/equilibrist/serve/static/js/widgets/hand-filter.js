// Which hands of a range are shown: by made hand, draw, suit, weight, action, equity and EV, written as one text.
import { actionColour } from "../colours.js";
import { clear, h } from "../dom.js";
import { MEANINGS } from "./explain.js";
import { percent } from "../format.js";
import { mixColumn } from "./line-columns.js";
import { ev, evNumber } from "./units.js";

const SUITS = { clubs: "c", diamonds: "d", hearts: "h", spades: "s" };
const SHAPES = {
  suited: (hand) => hand[1] === hand[3],
  offsuit: (hand) => hand[1] !== hand[3] && hand[0] !== hand[2],
  "pocket pair": (hand) => hand[0] === hand[2],
};
const LIMIT = /^(.+?)\s*(>=|<=|≥|≤|>|<)\s*([−-]?\d+(?:\.\d+)?)\s*(%?)$/;
const NOISE = 1e-9; // what rounding leaves of a limit

/** Return the parts of a text: "top pair, equity > 50" → ["top pair", "equity > 50"]. */
export const partsOf = (text) =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Return {passes(row), wrong}: whether a row of hands is shown, and the first part of the text that cannot be read, or null.
 *
 * A hand is one of the made hands that are named, if any is; it has one of the draws, one of the suits, one of the shapes; and
 * it keeps to all limits: "equity > 50" and "weight > 50" and "B50 > 20" are in %, "EV > 10" in the unit of the page.
 *
 * @param {string} text
 * @param {{made: string[], draws: string[], actions: string[], pot?: number}} names
 */
export function readFilter(text, { made, draws, actions, pot = 1 }) {
  const groups = { made: [], draws: [], suits: [], shapes: [] };
  const limits = [];
  let wrong = null;
  for (const part of partsOf(text)) {
    const name = part.toLowerCase();
    const limit = limitOf(part, actions, pot);
    if (made.includes(name)) groups.made.push((row) => row.made === name);
    else if (draws.includes(name)) groups.draws.push((row) => row.draws.includes(name));
    else if (Object.hasOwn(SUITS, name)) groups.suits.push((row) => [row.hand[1], row.hand[3]].includes(SUITS[name]));
    else if (Object.hasOwn(SHAPES, name)) groups.shapes.push((row) => SHAPES[name](row.hand));
    else if (limit) limits.push(limit);
    else wrong ??= part;
  }
  const wanted = Object.values(groups).filter((group) => group.length);
  const passes = (row) => wanted.every((group) => group.some((is) => is(row))) && limits.every((keeps) => keeps(row));
  return { passes, wrong };
}

/** Return whether a row keeps to a limit, as a function; null where the text is none. */
function limitOf(part, actions, pot) {
  const [, name, sign, number] = LIMIT.exec(part) ?? [];
  if (!name) return null;
  const place = actions.findIndex((action) => action.toLowerCase() === name.toLowerCase());
  const limit = Number(number.replace("−", "-"));
  const values = {
    ev: (row) => evNumber(row.ev, pot),
    equity: (row) => (row.equity === null ? null : 100 * row.equity),
    weight: (row) => 100 * row.range,
  };
  const valueOf = place < 0 ? values[name.toLowerCase()] : (row) => (row.mix ? 100 * row.mix[place] : null);
  if (!valueOf) return null;
  const fits = {
    ">": (value) => value > limit + NOISE,
    "<": (value) => value < limit - NOISE,
    ">=": (value) => value >= limit - NOISE,
    "<=": (value) => value <= limit + NOISE,
  }[sign.replace("≥", ">=").replace("≤", "<=")];
  return (row) => valueOf(row) !== null && fits(valueOf(row));
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
 * Return the field of a filter. It has update({text, names}): what is shown alone now, as buttons that take a part away.
 *
 * @param {(text: string) => void} onFilter
 */
export function filterField(onFilter) {
  let [parts, names] = [[], { made: [], draws: [], actions: [] }];
  const list = h("datalist", { id: "filters" });
  const input = h("input", {
    type: "search",
    class: "small",
    list: "filters",
    placeholder: "Only: top pair, hearts, equity > 50",
    "aria-label": "Show only some hands: add a made hand, a draw, a suit, or a limit such as equity > 50",
    onfocus: () => {
      const limits = ["equity > 50", "weight > 50", ...names.actions.map((action) => `${action} > 50`)];
      const known = [...names.made, ...names.draws, ...Object.keys(SUITS), ...Object.keys(SHAPES), ...limits];
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
    [parts, names] = [partsOf(next.text), next.names];
    const { wrong } = readFilter(next.text, names);
    clear(
      box,
      input,
      list,
      parts.map((part) => chip(part, wrong)),
      wrong !== null && h("p", { class: "wrong", role: "alert" }, `No hand, draw, suit or limit is called “${wrong}”.`),
    );
  };
  return box;
}
