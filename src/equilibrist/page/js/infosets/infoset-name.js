// What an infoset of a card game is called: the hand, the board and the line in its name, each by itself.
import { h } from "../base/dom.js";
import { lineInWords } from "../base/words.js";
import { cardName, cardRow, cardText, splitCards } from "../cards/cards.js";

const CARD = "[2-9TJQKA][shdc]";
const PUBLIC = new RegExp(`^((?:${CARD}){3,5})(?: (.+))?$`);
const WHOLE = new RegExp(`^((?:${CARD})+) (.+)$`);

/**
 * Return the board and the line of a history, "Kh9s4d7c2h X-B50"; null where it does not begin with a board.
 *
 * @param {string} history
 * @returns {{board: string, line: string} | null}
 */
export function boardAndLine(history) {
  const [, board, line = ""] = PUBLIC.exec(history) ?? [];
  return board ? { board, line } : null;
}

/** Return a line in words: "after Check, Bet 50". */
const afterLine = (line) => (line ? `after ${lineInWords(line)}` : "first to act");

/**
 * Return what stands over the hands of a decision: the board and the line in words; a history as it is without a board.
 *
 * @param {string} history
 */
export function historyInWords(history) {
  const place = boardAndLine(history);
  if (!place) return history === "" ? ["first move"] : [`after ${history}`];
  return [cardRow(place.board, { size: "small", board: true }), ` ${afterLine(place.line)}`];
}

/** Return the cards of a hand as short as can be: "K♦Q♦J♣3♣" in the colours of the suits; another holding as it is. */
export function holdingInWords(holding) {
  const cards = splitCards(holding);
  if (!cards.length || cards.join("") !== holding) return holding;
  const names = cards.map(cardName).join(", ");
  return h(
    "span",
    { role: "img", "aria-label": names },
    cards.map((card) => h("span", { class: "suited", dataset: { suit: card[1] } }, cardText(card))),
  );
}

/**
 * Return the name of an infoset for people: "8c7c Td9d6hQc X" as hand, board and what was done; another name as it is.
 *
 * @param {string} name
 */
export function infosetInWords(name) {
  const [, hand, history] = WHOLE.exec(name) ?? [];
  const place = history ? boardAndLine(history) : null;
  if (!place) return [h("code", {}, name)];
  return [
    cardRow(hand, { size: "small" }),
    " on ",
    cardRow(place.board, { size: "small", board: true }),
    `, ${afterLine(place.line)}`,
  ];
}
