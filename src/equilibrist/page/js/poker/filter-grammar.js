// Filters of hands: by hand, made hand, draw, suit, card held, weight, equity, EV and action, with and, or, not. The grammar
// is that of poker/cards/hand_filter.py, and both are tested with the cases of tests/data/hand_filters.json.
import { evNumber } from "../base/units.js";
import { handsNamed } from "./hand-names.js";

const SUITS = { clubs: "c", diamonds: "d", hearts: "h", spades: "s" };
const SHAPES = {
  suited: (hand) => hand[1] === hand[3],
  offsuit: (hand) => hand[1] !== hand[3] && hand[0] !== hand[2],
  "pocket pair": (hand) => hand[0] === hand[2],
};
const SIGN = /([(),!]|\b(?:and|or|not)\b)/i;
const MOST_WORDS = 200; // of a filter
const LONGEST = 60; // of a word in a sentence
const CARD = /^(10|[2-9tjqka])([shdc])$/i;
const LIMIT = /^(.+?) ?(>=|<=|≥|≤|>|<) ?([−-]?\d+(?:\.\d+)?) ?%?$/;
const NOISE = 1e-9; // what rounding leaves of a limit
const GRAMMAR =
  "write top pair, flush draw, QQ+, AhKd, Ah, hearts, suited, weight > 50, equity > 50, EV > 10 or an action such as B50 > 20, with commas, and, or, not and parentheses";

/** @typedef {(row: any) => boolean} Test whether a row of hands passes */
/** @typedef {{text: string, start: number, isSign: boolean}} Word */
/** @typedef {{made: string[], draws: string[], actions: string[], pot?: number, deck?: string}} Names */

/** Why a filter cannot be read, and where: from `start` on, so many letters. */
export class FilterError extends Error {
  /** @param {string} problem @param {Word | null} word @param {number} length of the text */
  constructor(problem, word, length) {
    super(`filter: ${problem}; ${GRAMMAR}.`);
    this.start = word ? word.start : 0;
    this.length = word ? word.text.length : length;
  }
}

/**
 * Return what names and signs a text has: signs stand between names.
 *
 * @param {string} text
 * @returns {Word[]}
 */
function wordsOf(text) {
  /** @type {Word[]} */
  const words = [];
  let start = 0;
  for (const [place, piece] of text.split(SIGN).entries()) {
    const name = piece.trim();
    const isSign = place % 2 === 1;
    const first = start + piece.length - piece.trimStart().length;
    if (name) words.push({ text: isSign ? name.toLowerCase() : name, start: first, isSign });
    start += piece.length;
  }
  return words;
}

const quoted = (text) => (text.length > LONGEST ? `'${text.slice(0, LONGEST)} …'` : `'${text}'`);
const at = (word) => `at character ${word.start + 1}`;
/** @param {Test[]} tests @returns {Test} */
const anyOf = (tests) => (row) => tests.some((passes) => passes(row));
/** @param {Test[]} tests @returns {Test} */
const allOf = (tests) => (row) => tests.every((passes) => passes(row));

/**
 * Return whether rows pass a filter; an empty one all of them pass.
 *
 * Parts stand between commas. A hand passes that is one of the made hands which are parts of their own, if there are any, has
 * one of the draws, one of the suits, one of the cards, one of the shapes, and is one of the hands; and that keeps to all
 * other parts: limits, and parts with and, or, not (or !) and parentheses. Between parentheses stands a filter again.
 *
 * @param {string} text @param {Names} names
 * @returns {Test}
 */
export function parseFilter(text, names) {
  const words = wordsOf(text);
  const failed = (problem, word) => new FilterError(problem, word, text.length);
  if (words.length > MOST_WORDS)
    throw failed(`a filter has at most ${MOST_WORDS} names, limits and signs; this one has ${words.length}`, null);
  let place = 0;

  const next = () => words[place]?.text ?? "";
  const take = (sign) => Boolean(words[place]?.isSign) && words[place].text === sign && Boolean(++place);
  const missing = () =>
    words[place]
      ? failed(`a hand or a limit is missing before ${quoted(words[place].text)} ${at(words[place])}`, words[place])
      : failed("a hand or a limit is missing at the end", words.at(-1) ?? null);

  /** Return what all parts up to a closing parenthesis, or to the end, ask of a row. */
  function parts(isOpened) {
    /** @type {Map<string, Test[]>} */
    const groups = new Map();
    /** @type {Test[]} */
    const limits = [];
    for (;;) {
      while (take(","));
      if (["", ")"].includes(next())) break;
      const first = place;
      const { kind, passes } = either();
      if (place === first + 1 && kind !== "limit") groups.set(kind, [...(groups.get(kind) ?? []), passes]);
      else limits.push(passes);
      if (!["", ",", ")"].includes(next()))
        throw failed(`${quoted(next())} ${at(words[place])} needs and, or, or a comma before it`, words[place]);
    }
    const alternatives = [...groups.values()].map(anyOf);
    if (isOpened && !alternatives.length && !limits.length) throw missing();
    return allOf([...alternatives, ...limits]);
  }

  function either() {
    let found = both();
    while (take("or")) found = { kind: found.kind, passes: anyOf([found.passes, both().passes]) };
    return found;
  }

  function both() {
    let found = single();
    while (take("and")) found = { kind: found.kind, passes: allOf([found.passes, single().passes]) };
    return found;
  }

  /** @returns {{kind: string, passes: Test}} */
  function single() {
    if (take("not") || take("!")) {
      const { passes } = single();
      return { kind: "limit", passes: (row) => !passes(row) };
    }
    if (take("(")) {
      const opened = words[place - 1];
      const passes = parts(true);
      if (!take(")")) throw failed(`the parenthesis ${at(opened)} is not closed`, opened);
      return { kind: "limit", passes };
    }
    if (!words[place] || words[place].isSign) throw missing();
    return readName(words[place++], names, failed);
  }

  const passes = parts(false);
  if (place < words.length) throw failed(`the parenthesis ${at(words[place])} closes nothing`, words[place]);
  return passes;
}

/**
 * Return the kind of a name or a limit, and what it asks of a row.
 *
 * @param {Word} word @param {Names} names @param {(problem: string, word: Word) => FilterError} failed
 * @returns {{kind: string, passes: Test}}
 */
function readName(word, names, failed) {
  const name = word.text.replace(/\s+/g, " ");
  const lower = name.toLowerCase();
  if (names.made.includes(lower)) return { kind: "made", passes: (row) => row.made === lower };
  if (names.draws.includes(lower)) return { kind: "draw", passes: (row) => row.draws.includes(lower) };
  if (Object.hasOwn(SUITS, lower))
    return { kind: "suit", passes: (row) => [row.hand[1], row.hand[3]].includes(SUITS[lower]) };
  if (Object.hasOwn(SHAPES, lower)) return { kind: "shape", passes: (row) => SHAPES[lower](row.hand) };
  const plain = plainSuits(name);
  const [, rank, suit] = CARD.exec(plain) ?? [];
  if (rank) {
    const card = rank.replace("10", "T").toUpperCase() + suit.toLowerCase();
    return { kind: "card", passes: (row) => [row.hand.slice(0, 2), row.hand.slice(2)].includes(card) };
  }
  const limit = LIMIT.exec(name);
  if (limit) return { kind: "limit", passes: limitOf([...limit], word, names, failed) };
  const passes = handsNamed(plain, names.deck);
  if (!passes) throw failed(`${quoted(name)} ${at(word)} is no hand, made hand, draw, suit, card or limit`, word);
  return { kind: "hand", passes: (row) => passes(row.hand) };
}

const LETTERS = {
  "♣": "c",
  "♧": "c",
  "♦": "d",
  "♢": "d",
  "♥": "h",
  "♡": "h",
  "♠": "s",
  "♤": "s",
  "\ufe0e": "",
  "\ufe0f": "",
};

/** Return a text with letters for the signs of suits. */
const plainSuits = (text) => text.replace(/[♣♧♦♢♥♡♠♤\ufe0e\ufe0f]/g, (sign) => LETTERS[sign]);

/** @param {string[]} found @param {Word} word @param {Names} names @returns {Test} */
function limitOf([, name, sign, number], word, { actions, pot = 1 }, failed) {
  const place = actions.findIndex((action) => action.toLowerCase() === name.toLowerCase());
  const limit = Number(number.replace("−", "-"));
  const values = {
    ev: (row) => evNumber(row.ev, pot),
    equity: (row) => (row.equity === null ? null : 100 * row.equity),
    weight: (row) => 100 * row.range,
  };
  const known = Object.hasOwn(values, name.toLowerCase()) ? values[name.toLowerCase()] : null;
  const share = (row) => row.mix?.[place] ?? null;
  const valueOf = place < 0 ? known : (row) => (share(row) === null ? null : 100 * share(row));
  if (!valueOf) {
    const listed = ["weight", "equity", "EV", ...actions].join(", ");
    throw failed(`${quoted(name)} ${at(word)} is none of ${listed}, which have limits`, word);
  }
  const fits = {
    ">": (value) => value > limit + NOISE,
    "<": (value) => value < limit - NOISE,
    "≥": (value) => value >= limit - NOISE,
    "≤": (value) => value <= limit + NOISE,
  }[sign.replace(">=", "≥").replace("<=", "≤")];
  return (row) => valueOf(row) !== null && fits(valueOf(row));
}
