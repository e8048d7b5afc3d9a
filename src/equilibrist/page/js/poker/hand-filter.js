// Which hands of a range are shown: by made hand, draw, suit, weight, action, equity and EV, written as one text.
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { ev, evNumber } from "../base/units.js";
import { RANKS } from "../cards/cards.js";
import { mixColumn } from "../cards/line-columns.js";
import { MEANINGS } from "../parts/explain.js";

const SUITS = { clubs: "c", diamonds: "d", hearts: "h", spades: "s" };
const SHAPES = {
  suited: (hand) => hand[1] === hand[3],
  offsuit: (hand) => hand[1] !== hand[3] && hand[0] !== hand[2],
  "pocket pair": (hand) => hand[0] === hand[2],
};
const KEYWORD = /(\(|\)|\b(?:and|or|not)\b)/i;
const MOST_WORDS = 200; // of an expression
const LIMIT = /^(.+?) ?(>=|<=|≥|≤|>|<) ?([−-]?\d+(?:\.\d+)?) ?(%?)$/;
const NOISE = 1e-9; // what rounding leaves of a limit

/** Return the parts of a text: "top pair, equity > 50" → ["top pair", "equity > 50"]. */
export const partsOf = (text) =>
  (text ?? "")
    .replace(/\s+/g, " ") // or a pattern tries each of many blanks
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/**
 * Return {passes(row), wrong}: whether a row of hands is shown, and the first part of the text that cannot be read, or null.
 *
 * A hand is one of the made hands that are named, if any is; it has one of the draws, one of the suits, one of the shapes, and
 * is one of the hands, "AK", "QQ+", "A5s-A2s", "AhKd"; and it keeps to all limits: "equity > 50" and "weight > 50" and
 * "B50 > 20" are in %, "EV > 10" in the unit of the page. A part with and, or, not or parentheses is such a limit.
 *
 * @param {string} text
 * @param {{made: string[], draws: string[], actions: string[], pot?: number}} names
 */
export function readFilter(text, { made, draws, actions, pot = 1 }) {
  /** @type {{ [kind: string]: ((row: any) => boolean)[] }} */
  const groups = { made: [], draws: [], suits: [], shapes: [], hands: [] };
  /** @type {((row: any) => boolean)[]} */
  const limits = [];
  const read = (part) => atomOf(part, { made, draws, actions, pot });
  let wrong = null;
  for (const part of partsOf(text)) {
    const words = part.split(KEYWORD).map((word) => word.trim());
    const found = words.length === 1 ? read(part) : expressionOf(words.filter(Boolean), read);
    if (!found) wrong ??= part;
    else (groups[found.kind] ?? limits).push(found.passes);
  }
  const wanted = Object.values(groups).filter((group) => group.length);
  const passes = (row) => wanted.every((group) => group.some((is) => is(row))) && limits.every((keeps) => keeps(row));
  return { passes, wrong };
}

/** Return what one name or limit asks of a row, as {kind, passes}; null where it is none. */
function atomOf(part, { made, draws, actions, pot }) {
  const name = part.toLowerCase();
  if (made.includes(name)) return { kind: "made", passes: (row) => row.made === name };
  if (draws.includes(name)) return { kind: "draws", passes: (row) => row.draws.includes(name) };
  if (Object.hasOwn(SUITS, name))
    return { kind: "suits", passes: (row) => [row.hand[1], row.hand[3]].includes(SUITS[name]) };
  if (Object.hasOwn(SHAPES, name)) return { kind: "shapes", passes: (row) => SHAPES[name](row.hand) };
  const held = handsIn(part);
  if (held) return { kind: "hands", passes: held };
  const passes = limitOf(part, actions, pot);
  return passes && { kind: "limits", passes };
}

/** Return what an expression of names with and, or, not and parentheses asks of a row; null where it is none. */
function expressionOf(words, read) {
  if (words.length > MOST_WORDS) return null;
  let at = 0;
  const take = (word) => words[at]?.toLowerCase() === word && Boolean(++at);

  function joined(word, next, join) {
    let first = next();
    while (first && take(word)) {
      const [one, other] = [first, next()];
      first = other && ((row) => join(one(row), () => other(row)));
    }
    return first;
  }
  const either = () => joined("or", both, (one, other) => one || other());
  const both = () => joined("and", single, (one, other) => one && other());

  function single() {
    if (take("not")) {
      const inner = single();
      return inner && ((row) => !inner(row));
    }
    if (take("(")) {
      const inner = either();
      return inner && take(")") ? inner : null;
    }
    const word = words[at++];
    return word === undefined || KEYWORD.test(word) ? null : (read(word)?.passes ?? null);
  }

  const passes = either();
  return passes && at === words.length ? { kind: "limits", passes } : null;
}

const RANK = `[${RANKS}]`;
const HAND = new RegExp(`^(${RANK})([shdc])(${RANK})([shdc])$`, "i");
const CLASS = new RegExp(`^(${RANK})(${RANK})([so]?)(\\+?)(?:-(${RANK})(${RANK})([so]?))?$`, "i");

/** Return whether a row is one of the hands that a token of a range names: "AK", "QQ+", "A5s-A2s", "AhKd"; or null. */
function handsIn(part) {
  const [, one, suit, two, other] = HAND.exec(part) ?? [];
  if (one) {
    const cards = [one.toUpperCase() + suit.toLowerCase(), two.toUpperCase() + other.toLowerCase()];
    return cards[0] === cards[1]
      ? null
      : (row) => cards.every((card) => [row.hand.slice(0, 2), row.hand.slice(2)].includes(card));
  }
  const found = CLASS.exec(part);
  if (!found) return null;
  const [high, low, kind, plus, lastHigh, lastLow, lastKind] = found.slice(1).map((text) => text ?? "");
  const from = rankPair(high, low);
  const to = lastHigh ? rankPair(lastHigh, lastLow) : plus ? highest(from) : from;
  const kinds = kind.toLowerCase() || "so";
  if ((plus && lastHigh) || (lastHigh && lastKind.toLowerCase() !== kind.toLowerCase())) return null;
  const [gap, gapTo] = [from, to].map(([first, second]) => second - first);
  const sameHigh = from[0] === to[0];
  if ((gap === 0) !== (gapTo === 0) || (gap === 0 && kind) || (!sameHigh && gap !== gapTo)) return null;
  const within = (value, [begin, end]) => value >= Math.min(begin, end) && value <= Math.max(begin, end);
  return (row) => {
    const [first, second] = rankPair(row.hand[0], row.hand[2]);
    const fits = sameHigh ? first === from[0] : second - first === gap;
    if (!fits || !within(first, [from[0], to[0]]) || !within(second, [from[1], to[1]])) return false;
    return first === second || kinds.includes(row.hand[1] === row.hand[3] ? "s" : "o");
  };
}

/** Return the places of two ranks, that of the higher one first: 0 is the ace. */
const rankPair = (one, other) =>
  [one, other].map((rank) => RANKS.indexOf(rank.toUpperCase())).sort((first, second) => first - second);

/** Return the end of "+": the aces of pairs, the next lower kicker of others. */
/** @param {number[]} ranks */
const highest = ([high, low]) => (high === low ? [0, 0] : [high, high + 1]);

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
  const known = Object.hasOwn(values, name.toLowerCase()) ? values[name.toLowerCase()] : null;
  const valueOf = place < 0 ? known : (row) => (row.mix ? 100 * row.mix[place] : null);
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
  /** @type {string[]} */
  let parts = [];
  /** @type {{made: string[], draws: string[], actions: string[]}} */
  let names = { made: [], draws: [], actions: [] };
  const list = h("datalist", { id: "filters" });
  const input = h("input", {
    type: "search",
    class: "small",
    list: "filters",
    placeholder: "Only: top pair, AK, QQ+, equity > 50; Enter",
    "aria-label":
      "Show only some hands: add a made hand, a draw, hands such as QQ+, a suit, or a limit such as equity > 50; and, or, not",
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
      wrong !== null &&
        h("p", { class: "wrong", role: "alert" }, `No hand, draw, suit or limit is called “${wrong.slice(0, 80)}”.`),
    );
  };
  return box;
}
