// A range that is painted: the classes of a deck with a brush of any weight, each hand by itself, and the same as a text.
import { post } from "../base/api.js";
import { clear, h, newId } from "../base/dom.js";
import { percent } from "../base/format.js";
import { cardName, cardText, RANKS } from "../cards/cards.js";
import { classesOf, handsOf, rangeGrid } from "../cards/grid.js";
import { free, rangeCells, weightOf } from "../cards/range-cells.js";
import { paintedRangeStore } from "./painted-range.js";
import { presetButtons } from "./presets.js";
import { ranksOf } from "./spot-settings.js";

/** @typedef {import("./painted-range.js").PaintedRangeStore} PaintedRangeStore */

const PRESETS = {
  "All hands": () => true,
  Pairs: (name) => name.length === 2,
  Suited: (name) => name[2] === "s",
  Offsuit: (name) => name[2] === "o",
  Broadways: (name) => /^[AKQJT]{2}/.test(name),
  "Suited aces": (name) => name[0] === "A" && name[2] === "s",
  "Suited connectors": (name) => name[2] === "s" && RANKS.indexOf(name[1]) - RANKS.indexOf(name[0]) === 1,
};

/**
 * Return the grid that a brush paints, how much of all hands it is, and the hands of the class in sight.
 *
 * @param {PaintedRangeStore} store
 * @param {{label: string, board: () => string[], deck: () => string, brush: {readonly weight: number}}} options
 */
function paintPanel(store, { label, board, deck, brush }) {
  const summary = h("span", { class: "note", role: "status" });
  const suits = h("div", { class: "suits" });
  let current = "AA";
  let stroke = 1; // weight that the stroke at work paints
  const grid = rangeGrid({
    label,
    onSelect: (name) => {
      current = name;
      showSuits();
    },
    onPaint: (name, isFirst) => {
      if (isFirst) stroke = turned(weightOf(name, store.state.weights, board()));
      store.paint(handsOf(name), stroke);
    },
  });

  /** Return what the brush makes of a weight: its own, or 0 where that is there already. */
  const turned = (weight) => (weight === brush.weight ? 0 : brush.weight);
  const toggle = (hand) => store.paint([hand], turned(store.state.weights.get(hand) ?? 0));

  function showSuits() {
    clear(suits, suitButtons({ name: current, weights: store.state.weights, board: board(), toggle, box: suits }));
  }

  function show() {
    const ranks = ranksOf(deck());
    grid.setRanks(ranks);
    if (!classesOf(ranks).includes(current)) current = "AA";
    const { cells, combos, share } = rangeCells(store.state.weights, board());
    grid.update(cells);
    summary.textContent = `${Number(combos.toFixed(2))} combos, ${percent(share)}`;
    showSuits();
  }
  return { grid, summary, suits, show };
}

/**
 * Return the field of the text and what is wrong with it; fit() leaves out what the deck lacks.
 *
 * @param {PaintedRangeStore} store
 * @param {string} label
 * @param {() => void} fit
 */
function textPanel(store, label, fit) {
  const input = h("textarea", {
    rows: "3",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": `${label} as a text`,
    id: newId("range"),
    value: store.state.text,
    oninput: () => store.type(input.value),
  });
  const problem = problemLine(input);
  const showText = () => (input.value = store.state.text);
  const showProblem = () => problem.show(store.state.error, store.state.warnings, store.state.misfit && fit);
  return { input, problem, showText, showProblem };
}

/**
 * Return a painter of a range. `text` is what it begins with, board() the cards that no hand can hold, deck() the name of
 * the deck, and onChange(text) is told of every change. The element has set(text), `text`, redraw() for another board, and fail(error), which points at
 * the token that is wrong. With `saves` it has buttons that load a saved range and save this one.
 *
 * @param {{label: string, text?: string, board?: () => string[], deck?: () => string, onChange?: (text: string) => void,
 *   saves?: boolean, onFit?: (() => void) | null}} options
 */
export function rangePainter({
  label,
  text = "",
  board = () => [],
  deck = () => "full",
  onChange = () => {},
  saves = true,
  onFit = null,
}) {
  const store = paintedRangeStore({ ask: (request) => post("/spots/range", request), deck, text });
  const brush = brushBar({
    onAdd: (fits) => store.paint(classesOf(ranksOf(deck())).filter(fits).flatMap(handsOf), brush.weight),
    onClear: () => store.paint([...store.state.weights.keys()], 0),
  });
  const paint = paintPanel(store, { label, board, deck, brush });
  const words = textPanel(store, label, () => (onFit ?? store.fit)());
  const best = bestBar((share) => {
    const weight = brush.weight < 1 ? `:${brush.weight}` : "";
    store.type(share ? `top ${share}%${weight}` : "");
    words.showText();
  });
  const presets =
    saves &&
    presetButtons({ kind: "range", content: () => ({ text: store.text() }), load: (row) => store.set(row.text) });

  store.subscribe((what) => {
    if (what === "weights") paint.show();
    else if (what === "text") words.showText();
    else if (what === "problem") words.showProblem();
    else onChange(store.text());
  });
  const element = h(
    "div",
    { class: "range-painter" },
    brush.bar,
    paint.grid,
    h("div", { class: "toolbar best" }, best, h("span", { class: "grow" }), presets),
    paint.summary,
    paint.suits,
    words.input,
    words.problem,
  );
  Object.assign(element, { fail: store.fail, fit: store.fit, set: store.set, redraw: paint.show });
  Object.defineProperty(element, "text", { get: store.text });
  paint.show();
  if (text) store.read();
  return element;
}

/** Return a button for each hand of a class; toggle(hand) is told, and the button keeps the focus. */
function suitButtons({ name, weights, board, toggle, box }) {
  const hands = handsOf(name);
  const button = (hand, k) => {
    const weight = weights.get(hand) ?? 0;
    const cards = [hand.slice(0, 2), hand.slice(2)];
    return h(
      "button",
      {
        type: "button",
        class: "hand",
        disabled: !free(hand, board),
        "aria-pressed": String(weight > 0),
        title: `${cards.map(cardName).join(", ")}: ${percent(weight, 0)}`,
        onclick: () => {
          toggle(hand);
          box.querySelectorAll(".hand")[k].focus();
        },
      },
      h("span", { class: "fill", css: { height: `${100 * weight}%` } }),
      h(
        "span",
        { class: "pcs" },
        cards.map((card) => h("span", { class: "suited", dataset: { suit: card[1] } }, cardText(card))),
      ),
    );
  };
  return [h("b", {}, name), hands.map(button)];
}

/** Return the bar with the weight of the brush, `weight`; onAdd(which classes) and onClear() are told. */
function brushBar({ onAdd, onClear }) {
  let weight = 1;
  const brushes = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Weight of the brush" },
    [1, 0.75, 0.5, 0.25].map((one) =>
      h(
        "button",
        { type: "button", class: "button small", dataset: { weight: one }, onclick: () => set(one) },
        `${100 * one}`,
      ),
    ),
  );
  const exact = h("input", {
    type: "text",
    inputmode: "decimal",
    class: "exact",
    "aria-label": "Weight of the brush in per cent",
    onchange: () => set(Math.min(1, Math.max(0.01, Number(exact.value.replace("%", "")) / 100 || 1))),
  });
  const add = h(
    "select",
    {
      "aria-label": "Add hands",
      onchange: () => {
        onAdd(PRESETS[add.value]);
        add.value = "";
      },
    },
    h("option", { value: "" }, "Add …"),
    Object.keys(PRESETS).map((name) => h("option", { value: name }, name)),
  );

  function set(next) {
    weight = next;
    exact.value = String(Number((100 * weight).toFixed(2)));
    for (const button of brushes.children)
      button.setAttribute("aria-pressed", String(Number(button.dataset.weight) === weight));
  }

  set(1);
  return {
    get weight() {
      return weight;
    },
    bar: h(
      "div",
      { class: "toolbar" },
      h("span", { class: "note" }, "Brush"),
      brushes,
      exact,
      h("span", { class: "note" }, "%"),
      h("span", { class: "grow" }),
      add,
      h("button", { type: "button", class: "button small quiet", onclick: onClear }, "Clear"),
    ),
  };
}

/** Return the slider of the best hands; onChange(per cent of all) is told. */
function bestBar(onChange) {
  const text = h("span", { class: "note nowrap" }, "Best");
  const slider = h("input", {
    type: "range",
    min: "0",
    max: "100",
    step: "0.5",
    value: "0",
    "aria-label": "The best hands, per cent of all",
    oninput: () => {
      text.textContent = `Best ${slider.value} %`;
      onChange(Number(slider.value));
    },
  });
  return [text, slider];
}

/** Return the line that says what is wrong with a text, and where; the element has show(error or null, warnings). */
export function problemLine(input) {
  const line = h("div", { class: "help", role: "status" });
  const plain = (sentence) => sentence.replace(/^\w+: /, "");
  line.show = (error, warnings = [], fit = /** @type {(() => void) | null} */ (null)) => {
    const [first, length] = error?.span ?? [0, 0];
    const end = first + length;
    const token = input.value.slice(first, end);
    input.toggleAttribute("aria-invalid", Boolean(error));
    line.classList.toggle("wrong", Boolean(error));
    clear(
      line,
      token &&
        h(
          "button",
          {
            type: "button",
            class: "token",
            title: "Show it in the text",
            onclick: () => (input.focus(), input.setSelectionRange(first, end)),
          },
          input.value.slice(Math.max(0, first - 12), first),
          h("mark", {}, token),
          input.value.slice(end, end + 12),
        ),
      error && h("span", {}, plain(error.message)),
      error &&
        fit &&
        h("button", { type: "button", class: "button small", onclick: () => fit() }, "Leave out what the deck lacks"),
      warnings.map((sentence) => h("span", { class: "warn" }, plain(sentence))),
    );
  };
  return line;
}
