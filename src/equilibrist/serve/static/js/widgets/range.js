// A range that is painted: 13 × 13 classes with a brush of any weight, each hand by itself, and the same as a text.
import { post } from "../api.js";
import { clear, h, later, newId } from "../dom.js";
import { percent } from "../format.js";
import { cardName, cardText } from "./cards.js";
import { CLASSES, handsOf, rangeGrid } from "./grid.js";

const BROADWAY = /^[AKQJT]{2}/;
const PRESETS = {
  "All hands": () => true,
  Pairs: (name) => name.length === 2,
  Suited: (name) => name[2] === "s",
  Offsuit: (name) => name[2] === "o",
  Broadways: (name) => BROADWAY.test(name),
  "Suited aces": (name) => name[0] === "A" && name[2] === "s",
  "Suited connectors": (name) =>
    name[2] === "s" && "AKQJT98765432".indexOf(name[1]) - "AKQJT98765432".indexOf(name[0]) === 1,
};

/**
 * Return a painter of a range. `text` is what it begins with, board() the cards that no hand can hold, and onChange(text)
 * is told of every change. The element has set(text), `text`, redraw() for another board, and
 * fail(error), which points at the token that is wrong.
 *
 * @param {{label: string, text?: string, board?: () => string[], onChange?: (text: string) => void}} options
 */
export function rangePainter({ label, text = "", board = () => [], onChange = () => {} }) {
  let weights = new Map(); // hand → weight above 0
  let brush = 1;
  let mode = 1; // of the stroke at work: what it paints
  let current = "AA";
  let asked = 0;

  const input = h("textarea", {
    rows: "3",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": `${label} as a text`,
    id: newId("range"),
    value: text,
  });
  const wrong = h("div", { class: "help", role: "status" });
  const summary = h("span", { class: "note", role: "status" });
  const grid = rangeGrid({
    label,
    onSelect: (name) => {
      current = name;
      drawSuits();
    },
    onPaint: (name, first) => {
      if (first) mode = weightOf(name) === brush ? 0 : brush;
      paint(handsOf(name), mode);
    },
  });
  const suits = h("div", { class: "suits" });
  const brushes = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Weight of the brush" },
    [1, 0.75, 0.5, 0.25].map((weight) =>
      h(
        "button",
        { type: "button", class: "button small", dataset: { weight }, onclick: () => setBrush(weight) },
        `${100 * weight}`,
      ),
    ),
  );
  const exact = h("input", {
    type: "text",
    inputmode: "decimal",
    class: "exact",
    "aria-label": "Weight of the brush in per cent",
    value: "100",
    onchange: () => setBrush(Math.min(1, Math.max(0.01, Number(exact.value.replace("%", "")) / 100 || 1))),
  });
  const add = h(
    "select",
    {
      "aria-label": "Add hands",
      onchange: () => {
        const chosen = PRESETS[add.value];
        add.value = "";
        paint(CLASSES.filter(chosen).flatMap(handsOf), brush);
      },
    },
    h("option", { value: "" }, "Add …"),
    Object.keys(PRESETS).map((name) => h("option", { value: name }, name)),
  );
  const best = h("input", {
    type: "range",
    min: "0",
    max: "100",
    step: "0.5",
    value: "0",
    "aria-label": "The best hands, per cent of all",
    oninput: () => takeBest(Number(best.value)),
  });
  const bestText = h("span", { class: "note nowrap" }, "Best");
  const element = h(
    "div",
    { class: "range-painter" },
    h(
      "div",
      { class: "toolbar" },
      h("span", { class: "note" }, "Brush"),
      brushes,
      exact,
      h("span", { class: "note" }, "%"),
      h("span", { class: "grow" }),
      add,
      h(
        "button",
        { type: "button", class: "button small quiet", onclick: () => paint([...weights.keys()], 0) },
        "Clear",
      ),
    ),
    grid,
    h("div", { class: "toolbar best" }, bestText, best, h("span", { class: "grow" }), summary),
    suits,
    input,
    wrong,
  );

  const possible = (hand) => !board().some((card) => hand.includes(card));
  const weightOf = (name) => {
    const hands = handsOf(name).filter(possible);
    const own = new Set((hands.length ? hands : handsOf(name)).map((hand) => weights.get(hand) ?? 0));
    return own.size === 1 ? [...own][0] : null; // null: they differ
  };

  function setBrush(weight) {
    brush = weight;
    exact.value = String(Number((100 * weight).toFixed(2)));
    for (const button of brushes.children)
      button.setAttribute("aria-pressed", String(Number(button.dataset.weight) === weight));
  }

  function paint(hands, weight) {
    for (const hand of hands) {
      if (weight > 0) weights.set(hand, weight);
      else weights.delete(hand);
    }
    draw();
    write();
  }

  /** Take the best hands, a share of all in percent, with the weight of the brush. */
  function takeBest(share) {
    input.value = share ? `top ${share}%${brush < 1 ? `:${brush}` : ""}` : "";
    bestText.textContent = `Best ${share} %`;
    ++asked;
    typed();
  }

  function draw() {
    const cells = new Map();
    let [sum, all] = [0, 0];
    for (const name of CLASSES) {
      const hands = handsOf(name);
      const there = hands.filter(possible);
      const own = there.map((hand) => weights.get(hand) ?? 0);
      const total = own.reduce((a, b) => a + b, 0);
      sum += total;
      all += there.length;
      const mean = there.length ? total / there.length : 0;
      const mixed = own.some((weight) => weight !== own[0]);
      const many = `${Number(total.toFixed(2))} of ${there.length} ${there.length === 1 ? "hand" : "hands"}`;
      cells.set(name, {
        weight: mean,
        segments: [{ colour: mixed ? "var(--range-mixed)" : "var(--range)", share: 1 }],
        muted: !there.length,
        title: there.length ? `${name}: ${percent(mean, 0)}, ${many}` : `${name}: none is possible on this board`,
      });
    }
    grid.update(cells);
    summary.textContent = `${Number(sum.toFixed(2))} combos, ${percent(sum / all)}`;
    drawSuits();
  }

  function drawSuits() {
    const hands = handsOf(current);
    clear(
      suits,
      h("b", {}, current),
      hands.map((hand) => {
        const weight = weights.get(hand) ?? 0;
        const [one, other] = [hand.slice(0, 2), hand.slice(2)];
        const button = h(
          "button",
          {
            type: "button",
            class: "hand",
            disabled: !possible(hand),
            "aria-pressed": String(weight > 0),
            title: `${cardName(one)}, ${cardName(other)}: ${percent(weight, 0)}`,
            onclick: () => {
              paint([hand], weight === brush ? 0 : brush);
              suits.querySelectorAll(".hand")[hands.indexOf(hand)].focus();
            },
          },
          h("span", { class: "fill", css: { height: `${100 * weight}%` } }),
          h(
            "span",
            { class: "pcs" },
            [one, other].map((name) => h("span", { class: "suited", dataset: { suit: name[1] } }, cardText(name))),
          ),
        );
        return button;
      }),
    );
  }

  /** Ask for the text of what is painted. */
  const write = later(async () => {
    const number = ++asked;
    try {
      const told = await post("/spots/range", { weights: Object.fromEntries(weights) });
      if (number !== asked) return;
      input.value = told.text;
      tell(null);
      onChange(told.text);
    } catch (error) {
      if (number === asked) element.fail(error);
    }
  }, 120);

  /** Ask for the weights of what is written. */
  async function read() {
    const number = ++asked;
    const written = input.value;
    try {
      const told = await post("/spots/range", { text: written });
      if (number !== asked) return;
      weights = new Map(Object.entries(told.weights));
      draw();
      tell(null, told.warnings);
      onChange(written.trim());
    } catch (error) {
      if (number !== asked) return;
      element.fail(error);
      onChange(written.trim()); // what was told of the former text is not of this one
    }
  }
  const typed = later(read, 250);
  input.addEventListener("input", () => {
    ++asked; // what is asked for by the brush comes too late
    typed();
  });

  function tell(error, warnings = []) {
    input.toggleAttribute("aria-invalid", Boolean(error));
    wrong.classList.toggle("wrong", Boolean(error));
    const [first, length] = error?.span ?? [0, 0];
    const token = input.value.slice(first, first + length);
    clear(
      wrong,
      token &&
        h(
          "button",
          {
            type: "button",
            class: "token",
            title: "Show it in the text",
            onclick: () => (input.focus(), input.setSelectionRange(first, first + length)),
          },
          input.value.slice(Math.max(0, first - 12), first),
          h("mark", {}, token),
          input.value.slice(first + length, first + length + 12),
        ),
      error && h("span", {}, error.message.replace(/^\w+: /, "")),
      warnings.map((sentence) => h("span", { class: "warn" }, sentence.replace(/^\w+: /, ""))),
    );
  }

  element.fail = (error) => {
    if (error.name !== "AbortError") tell(error);
  };
  element.set = (next) => {
    input.value = next;
    return read();
  };
  element.redraw = draw;
  Object.defineProperty(element, "text", { get: () => input.value.trim() });
  setBrush(1);
  draw();
  if (text) read();
  return element;
}
