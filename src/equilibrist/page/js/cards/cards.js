// Playing cards: four colours and the sign of the suit; to screen readers, their names.
import { h } from "../base/dom.js";

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

/** Return the cards that a text begins with: "QsJh2h", "Qs Jh 2h" → ["Qs", "Jh", "2h"]; what is no card ends them. */
export function splitCards(text) {
  const found = [];
  for (const part of text.replace(/[\s,]+/g, "").match(/../g) ?? []) {
    const card = part[0].toUpperCase() + part[1].toLowerCase();
    if (!RANKS.includes(card[0]) || !SUITS.includes(card[1])) break;
    found.push(card);
  }
  return found;
}

/** "Qs" → "queen of spades" */
export const cardName = (card) => `${RANK_NAMES[card[0]] ?? card[0]} of ${NAMES[card[1]] ?? card[1]}`;

/** "Qs" → "Q♠" */
export const cardText = (card) => card[0] + (SIGNS[card[1]] ?? card.slice(1));

/** "Qs" → "Q♠, queen of spades": a label has the text that is seen, for those who speak to their machine. */
export const cardLabel = (card) => `${cardText(card)}, ${cardName(card)}`;

/** Return a card as an element; "" is a card face down. `size` is "small" (in text), "" or "large". */
export function card(name, { size = "" } = {}) {
  if (!name) return h("span", { class: `pc down ${size}`, role: "img", "aria-label": "a card face down" });
  const suit = name[1] ?? "";
  return h(
    "span",
    { class: `pc ${size}`, role: "img", "aria-label": cardName(name), dataset: { suit } },
    name[0] + (SIGNS[suit] ?? suit),
  );
}

/** Return the cards of a text such as "Qs Jh 2h" in a row; the last two of a board stand a little apart. */
export function cardRow(text, { size = "", board = false } = {}) {
  const names = Array.isArray(text) ? text : splitCards(text);
  return h(
    "span",
    { class: `pcs ${board ? "board" : ""}` },
    names.map((name) => card(name, { size })),
  );
}
