// What lies on a table of play: cards and dice, chips, the seats and the middle, from the rows of the rules.
import { h } from "../base/dom.js";
import { amount } from "../base/units.js";
import { card, splitCards } from "../cards/cards.js";

/** @typedef {[string, string][]} Rows label and text, as the rules write them */

const OWN = /^your (?:cards?|hand|dice)$/;
const BOARD = /^(?:board|public cards?)$/;
const SHOWN = /^(?:pot|to call)$/;

/** @type {(rows: Rows, pattern: RegExp) => [string, string] | undefined} */
const rowOf = (rows, pattern) => rows.find(([label]) => pattern.test(label));

/** Return the row of a player's own cards or dice. */
export const ownRow = (rows) => rowOf(rows, OWN);

/** Return what everybody sees at the end: the board and the pot. */
export const publicRows = (rows) => rows.filter(([label]) => BOARD.test(label) || label === "pot");

/** Return the cards or dice that a text names, or null: "AsKd", "Q", "1 2 3". */
export function pieces(label, text) {
  if (/dice$/.test(label))
    return [...text.replace(/[\s,]+/g, "")].map((face) =>
      h("span", { class: "die", role: "img", "aria-label": `die ${face}` }, face),
    );
  const compact = text.replace(/[\s,]+/g, "");
  const suited = splitCards(text);
  if (suited.length && suited.join("").toLowerCase() === compact.toLowerCase())
    return suited.map((name) => card(name, { size: "large" }));
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (!words.length || words.some((word) => word.length > 3)) return null;
  return words.map((word) =>
    h("span", { class: "pc large", role: "img", "aria-label": `card ${word}` }, h("b", {}, word)),
  );
}

/** Return the backs of as many cards as a player holds; none where hands are no cards. */
export function backs(rows) {
  const hidden = rowOf(rows, /^your (?:card|hand)$/);
  return (hidden && pieces(hidden[0], hidden[1])?.map(() => card("", { size: "" }))) ?? null;
}

/** Return what the rules say of each seat, from a row such as "you 1, player 1 2"; null if they do not. */
function bySeat(text, own, players) {
  const found = new Map();
  for (const part of text.split(", ")) {
    const [, who, number] = /^(.*) ([\d.]+)$/.exec(part) ?? [];
    if (number === undefined) return null;
    const other = /^player (\d+)$/.exec(who);
    found.set(who.startsWith("you") ? own : other ? Number(other[1]) : 1 - own, number);
  }
  return players === found.size ? found : null;
}

/** Return what each player has paid or has left, and the labels of these rows. */
export function chipsOf(rows, own, players) {
  const found = ["paid", "stacks"].flatMap((label) => {
    const row = rowOf(rows, new RegExp(`^${label}$`));
    const seats = row && bySeat(row[1], own, players);
    return seats ? [{ label, seats }] : [];
  });
  const text = (player) =>
    found
      .map(({ label, seats }) => `${label === "paid" ? "paid" : "stack"} ${amount(Number(seats.get(player)))}`)
      .join(", ");
  return { text: (player) => (found.length ? text(player) : null), labels: found.map((one) => one.label) };
}

const stack = (text) => h("span", { class: "stack" }, h("i", { "aria-hidden": "true" }), h("b", {}, text));
const inUnit = (text) => (Number.isNaN(Number(text)) ? text : amount(Number(text)));

/**
 * Return the middle of the table: board, pot, and what else the rules tell.
 *
 * @param {Rows} rows
 * @param {{later?: string[], without?: string[]}} options cards that came afterwards; labels that stand elsewhere
 */
export function middle(rows, { later = [], without = [] } = {}) {
  const board = rowOf(rows, BOARD);
  const known = board ? (pieces(board[0], board[1]) ?? []) : [];
  const cards = [...known, ...later.flatMap((text) => pieces("card", text) ?? [])];
  const [pot, call] = [rowOf(rows, /^pot$/), rowOf(rows, /^to call$/)];
  const isElsewhere = (label) => [OWN, BOARD, SHOWN].some((one) => one.test(label)) || without.includes(label);
  const rest = rows.filter(([label]) => !isElsewhere(label));
  return h(
    "div",
    { class: "middle" },
    board &&
      h(
        "div",
        { class: "board", role: "group", "aria-label": board[0] },
        cards.length ? cards : card("", { size: "large" }),
      ),
    pot &&
      h(
        "div",
        { class: "pot" },
        h("span", { class: "note" }, "pot"),
        stack(inUnit(pot[1])),
        call && Number(call[1]) > 0 && h("span", { class: "call" }, `${inUnit(call[1])} to call`),
      ),
    rest.length > 0 &&
      h(
        "dl",
        { class: "rows" },
        rest.map(([label, text]) => [h("dt", {}, label), h("dd", {}, text)]),
      ),
  );
}

/**
 * Return a seat.
 *
 * @param {string} name
 * @param {string | null} tag
 * @param {any} face what its player holds
 */
export const seat = (name, tag, face) =>
  h(
    "div",
    { class: "seat" },
    h("span", { class: "who" }, name, tag && h("span", { class: "note" }, tag)),
    face && h("div", { class: "holding" }, face),
  );

/** Return what a player holds as cards, dice or words; nothing where it is not known. */
export const faceOf = (row) => row && (pieces(row[0], row[1]) ?? h("span", { class: "words" }, row[1]));
