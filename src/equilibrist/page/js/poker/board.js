// A picker of boards: 52 cards, of which up to five are chosen in order; the same as a text.
import { clear, h } from "../base/dom.js";
import { card, cardLabel, RANKS, splitCards, SUITS } from "../cards/cards.js";

const STREETS = [
  { label: "Flop", first: 0, last: 3 },
  { label: "Turn", first: 3, last: 4 },
  { label: "River", first: 4, last: 5 },
];
const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** Return a board with a street dealt at random from a deck without some cards; the streets before it stay as they are. */
export function deal(board, { first, last }, random = Math.random, missing = []) {
  const dealt = board.slice(0, first);
  const left = DECK.filter((name) => !dealt.includes(name) && !missing.includes(name));
  while (dealt.length < last) dealt.push(left.splice(Math.floor(random() * left.length), 1)[0]);
  return dealt;
}

/**
 * Return a picker. `cards` are those chosen, onChange(cards) is told; `most` is how many there may be, missing() the cards
 * that the deck lacks. The element has set(cards), redraw() for another deck, and `cards`.
 *
 * @param {{cards?: string[], most?: number, missing?: () => string[], onChange?: (cards: string[]) => void}} options
 */
export function boardPicker({ cards = [], most = 5, missing = () => [], onChange = () => {} }) {
  let chosen = [...cards];
  const slots = h("div", { class: "slots" });
  const text = h("input", {
    type: "text",
    "aria-label": "The board as a text, such as Qs Jh 2h",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Qs Jh 2h",
    oninput: () => choose([...new Set(splitCards(text.value))].slice(0, most), { keepText: true }),
    onblur: () => draw(),
  });
  const deck = deckOf(toggle);
  const streets = STREETS.filter(({ last }) => last <= most);

  function toggle(name) {
    if (chosen.includes(name)) choose(chosen.filter((one) => one !== name));
    else if (chosen.length < most) choose([...chosen, name]);
  }

  function choose(next, { keepText = false } = {}) {
    chosen = next;
    draw({ keepText });
    onChange([...chosen]);
  }

  function draw({ keepText = false } = {}) {
    deck.update(chosen, chosen.length >= most, missing());
    clear(
      slots,
      streets.map((street) => slot(street, chosen, toggle)),
    );
    if (!keepText) text.value = chosen.join(" ");
  }

  const button = (label, onclick, kind = "") =>
    h("button", { type: "button", class: `button small ${kind}`, onclick }, label);
  const element = h(
    "div",
    { class: "board-picker" },
    h("div", { class: "toolbar" }, slots, text),
    deck,
    h(
      "div",
      { class: "toolbar" },
      h("span", { class: "note" }, "At random"),
      streets.map((street) => button(street.label, () => choose(deal(chosen, street, Math.random, missing())))),
      h("span", { class: "grow" }),
      button("Clear", () => choose([]), "quiet"),
    ),
  );
  element.set = (next) => {
    chosen = [...next].slice(0, most);
    draw();
  };
  element.redraw = () => choose(chosen.filter((name) => !missing().includes(name)));
  Object.defineProperty(element, "cards", { get: () => [...chosen] });
  draw();
  return element;
}

/** Return a street of the board, its cards as buttons that take them away. */
const slot = ({ label, first, last }, chosen, toggle) =>
  h(
    "span",
    { class: "slot" },
    h("span", { class: "note" }, label),
    h(
      "span",
      { class: "pcs" },
      Array.from({ length: last - first }, (_, place) => {
        const name = chosen[first + place];
        if (!name) return h("span", { class: "pc empty", "aria-hidden": "true" });
        return h(
          "button",
          {
            type: "button",
            class: "bare",
            title: "Take it away",
            "aria-label": `Take ${cardLabel(name)} away`,
            onclick: () => toggle(name),
          },
          card(name),
        );
      }),
    ),
  );

/** Return the deck, walked by the arrow keys; toggle(card) is told. The element has update(chosen cards, full). */
function deckOf(toggle) {
  const buttons = new Map(
    DECK.map((name, place) => {
      const face = card(name);
      face.setAttribute("aria-hidden", "true");
      const button = h(
        "button",
        {
          type: "button",
          class: "pick-card",
          "aria-label": cardLabel(name),
          tabindex: place ? "-1" : "0",
          onclick: () => toggle(name),
        },
        face,
      );
      return [name, button];
    }),
  );
  const deck = h("div", { class: "deck", role: "group", "aria-label": "Deck" }, [...buttons.values()]);
  deck.addEventListener("keydown", (event) => {
    const all = [...buttons.values()].filter((button) => !button.hidden);
    const width = all.length / SUITS.length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
    const next = step && all[all.indexOf(document.activeElement) + step];
    if (!next) return;
    for (const one of all) one.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  });
  deck.update = (chosen, full, missing) => {
    deck.style.setProperty("--ranks", String(RANKS.length - missing.length / SUITS.length));
    for (const [name, button] of buttons) {
      button.hidden = missing.includes(name);
      const on = chosen.includes(name);
      button.setAttribute("aria-pressed", String(on));
      button.disabled = full && !on;
    }
  };
  return deck;
}
