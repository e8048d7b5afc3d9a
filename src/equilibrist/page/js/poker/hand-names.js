// Hands as ranges name them, without weights: AK, QQ+, A5s-A2s, Ax, AhKd, AK{hx}, top 20%. As poker/cards/ranges.py reads them.
import { RANKS } from "../cards/cards.js";
import { CLASSES, handsOf } from "../cards/grid.js";

const RANK = `[${RANKS}]`;
const SUITED = /^(.+?)\{([shdcx*])([shdcx*])\}$/i;
const ALL = ["random", "all", "any", "xx", "**"];
const TOP = /^(?:top\s*)?(\d+\.?\d*|\.\d+)\s*%$/i;
const BAND = /^(\d+\.?\d*|\.\d+)\s*%?\s*-\s*(\d+\.?\d*|\.\d+)\s*%$/;
const HAND = new RegExp(`^(${RANK})([shdc])(${RANK})([shdc])$`, "i");
const HOLDING = new RegExp(`^(${RANK})[x*]([so]?)(\\+?)$`, "i");
const CLASS = new RegExp(`^(${RANK})(${RANK})([so]?)(\\+?)$`, "i");
const BEST_FIRST = {
  full:
    "AA KK QQ JJ TT 99 88 77 AKs AQs AJs AKo AQo ATs 66 AJo KQs KJs ATo A9s A8s KQo KTs 55 A7s KJo QJs A9o A6s A8o K9s " +
    "A5s QTs KTo A7o A4s 44 K8s A3s QJo K7s Q9s JTs K9o A6o A2s A5o QTo K6s A4o K8o Q8s A3o K7o K5s J9s 33 JTo K4s Q9o " +
    "A2o Q7s K3s K6o J8s T9s K2s Q8o K5o Q6s J9o J7s K4o Q5s Q7o T8s K3o 22 Q4s J8o T7s T9o K2o Q3s J6s Q6o J7o J5s Q2s " +
    "98s Q5o J4s T8o Q4o J3s 97s T7o T6s Q3o 87s J6o J2s 98o J5o Q2o T5s 96s J4o T4s T3s J3o 97o 86s T6o 95s 87o 76s J2o " +
    "T2s 85s 75s 96o T5o 94s 93s T4o T3o 84s 65s 86o 74s 95o 92s 76o 54s T2o 83s 64s 85o 75o 73s 82s 94o 93o 53s 63s 65o " +
    "84o 74o 43s 92o 72s 54o 52s 64o 83o 73o 42s 62s 82o 32s 53o 63o 43o 72o 52o 42o 62o 32o",
  short:
    "AA KK QQ JJ TT AKs AQs AKo AJs KQs AQo ATs KJs AJo QJs KTs KQo JTs QTs 99 ATo KJo A9s QJo KTo JTo QTo A8s A9o K9s " +
    "T9s A8o Q9s J9s A7s K9o T9o Q9o J9o A7o 88 A6s K8s 98s T8s Q8s J8s K7s A6o K8o 98o T8o Q8o J8o K6s K7o 97s T7s Q7s " +
    "J7s 77 Q6s K6o 97o T7o 87s Q7o J7o 96s Q6o T6s J6s 87o 96o 86s T6o J6o 66 76s 86o 76o",
};
const CARDS_OF_DECK = { full: 52, short: 36 };

/** @typedef {(hand: string) => boolean} IsHand whether a hand, "AhKd", the higher card first, is one of them */

/**
 * Return whether hands are among those that a token of a range names; null where it is none.
 *
 * @param {string} text signs of suits are letters in it
 * @param {string} [deck] as a spot names it
 * @returns {IsHand | null}
 */
export function handsNamed(text, deck = "full") {
  const part = text.replace(/–/g, "-");
  const suited = SUITED.exec(part);
  if (suited) return ofSuits(suited, deck);
  if (ALL.includes(part.toLowerCase())) return () => true;
  const [, top] = TOP.exec(part) ?? [];
  if (top !== undefined) return among(bestClasses(Number(top), deck));
  const [, least, most] = BAND.exec(part) ?? [];
  if (least !== undefined) return between(Number(least), Number(most), deck);
  const plain = part.replaceAll("10", "T");
  const [, one, suit, two, other] = HAND.exec(plain) ?? [];
  if (one) {
    const cards = [one.toUpperCase() + suit.toLowerCase(), two.toUpperCase() + other.toLowerCase()];
    return cards[0] === cards[1] ? null : (hand) => cards.every((card) => cardsOf(hand).includes(card));
  }
  const [, rank, kind, plus] = HOLDING.exec(plain) ?? [];
  return rank ? withRank(rank, kind, plus) : ofClasses(plain);
}

const cardsOf = (hand) => [hand.slice(0, 2), hand.slice(2)];
/** Return the places of two ranks, that of the higher one first: 0 is the ace. */
const placesOf = (one, other) => [one, other].map((rank) => RANKS.indexOf(rank.toUpperCase())).sort((a, b) => a - b);
/** Return the class of a hand: "AKs". */
const classOf = (hand) => hand[0] + hand[2] + (hand[0] === hand[2] ? "" : hand[1] === hand[3] ? "s" : "o");

/**
 * Return the hands of a token whose higher card has one suit, and whose lower card another: "AK{hx}".
 *
 * @param {string[]} found @param {string} deck @returns {IsHand | null}
 */
function ofSuits([, text, high, low], deck) {
  const isNamed = handsNamed(text, deck);
  if (!isNamed) return null;
  const fits = (letter, suit) => "xX*".includes(letter) || letter.toLowerCase() === suit;
  const isOfSuits = (one, other) => fits(high, one) && fits(low, other);
  const isOne = (hand) =>
    isNamed(hand) && (isOfSuits(hand[1], hand[3]) || (hand[0] === hand[2] && isOfSuits(hand[3], hand[1])));
  return CLASSES.flatMap(handsOf).some(isOne) ? isOne : null;
}

/** @param {string[] | null} classes @returns {IsHand | null} */
function among(classes) {
  if (!classes) return null;
  const names = new Set(classes);
  return (hand) => names.has(classOf(hand));
}

/** Return the best classes, a share of all hands of a deck in percent, each of which at least half belongs to it. */
function bestClasses(percent, deck) {
  if (!(percent > 0 && percent <= 100)) return null;
  const of = deck === "full" ? "full" : "short";
  const cards = CARDS_OF_DECK[of];
  let left = (percent / 100) * ((cards * (cards - 1)) / 2);
  const classes = [];
  for (const name of BEST_FIRST[of].split(" ")) {
    const hands = { s: 4, o: 12 }[name[2]] ?? 6;
    if (left < hands / 2) break;
    left -= hands;
    classes.push(name);
  }
  return classes;
}

/** @returns {IsHand | null} */
function between(least, most, deck) {
  const best = least < most ? bestClasses(most, deck) : null;
  const without = least ? (bestClasses(least, deck) ?? []) : [];
  const classes = best?.slice(without.length) ?? [];
  return among(classes.length ? classes : null);
}

/** Return the hands with a card of a rank, or with a plus of one not below it: "Ax", "Jxs+". @returns {IsHand} */
function withRank(rank, kind, plus) {
  const place = RANKS.indexOf(rank.toUpperCase());
  return (hand) => {
    const places = placesOf(hand[0], hand[2]);
    const holds = plus ? places[0] <= place : places.includes(place);
    return holds && (!kind || classOf(hand)[2] === kind.toLowerCase());
  };
}

/** Return the hands of classes such as "QQ+" or "98o-65o"; null where the text names none. @returns {IsHand | null} */
function ofClasses(text) {
  const [first, last, ...more] = text.split("-").map((piece) => piece.trim());
  if (more.length) return null;
  if (last !== undefined && !(first && last)) return toTheEnd(first || last);
  const start = readClass(first);
  if (!start) return null;
  const { high, low, gap } = start;
  if (last === undefined && !start.plus) return inside(start, [high, high], [low, low]);
  if (last === undefined && gap > 1) return inside(start, [high, high], [high + 1, low]);
  if (last === undefined) return inside(start, [0, high], [gap, low]);
  const end = readClass(last);
  if (!end || start.plus || end.plus || start.suits !== end.suits || (gap === 0) !== (end.gap === 0)) return null;
  if (gap !== end.gap && high !== end.high) return null;
  return inside(start, sorted(high, end.high), sorted(low, end.low));
}

const sorted = (one, other) => [Math.min(one, other), Math.max(one, other)];

/** Return all hands from a class down: "-55" and "55-", "A9s-". @returns {IsHand | null} */
function toTheEnd(text) {
  const start = readClass(text);
  if (!start || start.plus) return null;
  const { high, low, gap } = start;
  const end = RANKS.length - 1;
  return gap ? inside(start, [high, high], [low, end]) : inside(start, [high, end], [low, end]);
}

function readClass(text) {
  const [, one, other, suits, plus] = CLASS.exec(text) ?? [];
  if (!one) return null;
  const [high, low] = placesOf(one, other);
  if (high === low && suits) return null;
  return { high, low, gap: low - high, suits: suits.toLowerCase(), plus: Boolean(plus) };
}

/** Return the hands with both ranks in spans, those with one high card or one distance of ranks. @returns {IsHand} */
function inside({ gap, suits }, highs, lows) {
  const within = (value, [least, most]) => value >= least && value <= most;
  return (hand) => {
    const [high, low] = placesOf(hand[0], hand[2]);
    if (highs[0] !== highs[1] && low - high !== gap) return false;
    return (
      within(high, highs) && within(low, lows) && (!suits || classOf(hand)[2] === suits) && (high === low) === !gap
    );
  };
}
