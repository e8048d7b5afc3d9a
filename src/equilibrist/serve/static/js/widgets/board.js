// A picker of boards: 52 cards, of which up to five are chosen in order; the same as a text.
import { clear, h } from "../dom.js";
import { card, cardLabel, RANKS, splitCards, SUITS } from "./cards.js";

const STREETS = [
  { label: "Flop", first: 0, last: 3 },
  { label: "Turn", first: 3, last: 4 },
  { label: "River", first: 4, last: 5 },
];

/**
 * Return a picker. `cards` are those chosen, onChange(cards) is told; `most` is how many there may be. The element has
 * set(cards), and `cards`.
 *
 * @param {{cards?: string[], most?: number, onChange?: (cards: string[]) => void}} options
 */
export function boardPicker({ cards = [], most = 5, onChange = () => {} }) {
  let chosen = [...cards];
  const slots = h("div", { class: "slots" });
  const text = h("input", {
    type: "text",
    "aria-label": "The board as a text, such as Qs Jh 2h",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Qs Jh 2h",
  });
  const buttons = new Map();
  const deck = h("div", { class: "deck", role: "group", "aria-label": "Deck" });
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      const name = rank + suit;
      const button = h(
        "button",
        {
          type: "button",
          class: "pick-card",
          "aria-label": cardLabel(name),
          "aria-pressed": "false",
          tabindex: "-1",
          onclick: () => toggle(name),
        },
        card(name),
      );
      button.firstChild.setAttribute("aria-hidden", "true");
      buttons.set(name, button);
      deck.append(button);
    }
  }
  deck.firstChild.tabIndex = 0;
  deck.addEventListener("keydown", (event) => {
    const all = [...buttons.values()];
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
    const next = step && all[all.indexOf(document.activeElement) + step];
    if (!next) return;
    for (const one of all) one.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    event.preventDefault();
  });
  text.addEventListener("input", () => {
    const read = [...new Set(splitCards(text.value))].slice(0, most);
    chosen = read;
    draw({ keepText: true });
    onChange([...chosen]);
  });
  text.addEventListener("blur", () => draw());

  function toggle(name) {
    if (chosen.includes(name)) chosen = chosen.filter((one) => one !== name);
    else if (chosen.length < most) chosen = [...chosen, name];
    draw();
    onChange([...chosen]);
  }

  /** Deal a street anew; the streets before it stay as far as they are there. */
  function deal({ first, last }) {
    chosen = chosen.slice(0, first);
    const left = [...buttons.keys()].filter((name) => !chosen.includes(name));
    while (chosen.length < last) chosen.push(left.splice(Math.floor(Math.random() * left.length), 1)[0]);
    draw();
    onChange([...chosen]);
  }

  function draw({ keepText = false } = {}) {
    for (const [name, button] of buttons) {
      const on = chosen.includes(name);
      button.setAttribute("aria-pressed", String(on));
      button.disabled = !on && chosen.length >= most;
    }
    clear(
      slots,
      STREETS.filter(({ first }) => first < most).map(({ label, first, last }) =>
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
        ),
      ),
    );
    if (!keepText) text.value = chosen.join(" ");
  }

  function empty() {
    chosen = [];
    draw();
    onChange([]);
  }

  const dice = (street) =>
    h("button", { type: "button", class: "button small", onclick: () => deal(street) }, street.label);
  const element = h(
    "div",
    { class: "board-picker" },
    h("div", { class: "toolbar" }, slots, text),
    deck,
    h(
      "div",
      { class: "toolbar" },
      h("span", { class: "note" }, "At random"),
      STREETS.filter(({ last }) => last <= most).map(dice),
      h("span", { class: "grow" }),
      h("button", { type: "button", class: "button small quiet", onclick: empty }, "Clear"),
    ),
  );
  element.set = (next) => {
    chosen = [...next].slice(0, most);
    draw();
  };
  Object.defineProperty(element, "cards", { get: () => [...chosen] });
  draw();
  return element;
}
