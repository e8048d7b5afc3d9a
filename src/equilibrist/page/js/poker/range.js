// A range that is painted: 13 × 13 classes with a brush of any weight, each hand by itself, and the same as a text.
import { post } from "../base/api.js";
import { clear, h, later, newId } from "../base/dom.js";
import { percent } from "../base/format.js";
import { cardName, cardText, RANKS } from "../cards/cards.js";
import { CLASSES, handsOf, rangeGrid } from "../cards/grid.js";
import { free, rangeCells, weightOf } from "../cards/range-cells.js";
import { presetButtons } from "./presets.js";
import { missingCards } from "./spot-settings.js";

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
  let weights = new Map(); // hand → weight above 0
  let mode = 1; // of the stroke at work: what it paints
  let current = "AA";
  let asked = 0;
  let misfit = null; // what is left of a text that the deck does not fit
  let strokes = null; // painted since a text was changed whose weights are not here yet: they go on top of those

  const input = h("textarea", {
    rows: "3",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": `${label} as a text`,
    id: newId("range"),
    value: text,
    oninput: changed,
  });
  const problem = problemLine(input);
  const summary = h("span", { class: "note", role: "status" });
  const suits = h("div", { class: "suits" });
  const brush = brushBar({
    onAdd: (fits) => paint(CLASSES.filter(fits).flatMap(handsOf), brush.weight),
    onClear: () => paint([...weights.keys()], 0),
  });
  const grid = rangeGrid({
    label,
    onSelect: (name) => {
      current = name;
      drawSuits();
    },
    onPaint: (name, first) => {
      if (first) mode = weightOf(name, weights, board()) === brush.weight ? 0 : brush.weight;
      paint(handsOf(name), mode);
    },
  });
  const best = bestBar((share) => {
    input.value = share ? `top ${share}%${brush.weight < 1 ? `:${brush.weight}` : ""}` : "";
    changed();
  });

  /** Read the text once it is no longer changed. */
  function changed() {
    ++asked; // what is asked for by the brush comes too late
    strokes = [];
    typed();
  }

  function lay(hands, weight) {
    for (const hand of hands) {
      if (weight > 0) weights.set(hand, weight);
      else weights.delete(hand);
    }
  }

  function paint(hands, weight) {
    lay(hands, weight);
    strokes?.push([hands, weight]);
    draw();
    write();
  }

  function draw() {
    const { cells, combos, share } = rangeCells(weights, board());
    grid.update(cells);
    summary.textContent = `${Number(combos.toFixed(2))} combos, ${percent(share)}`;
    drawSuits();
  }

  function drawSuits() {
    const toggle = (hand) => paint([hand], (weights.get(hand) ?? 0) === brush.weight ? 0 : brush.weight);
    clear(suits, suitButtons({ name: current, weights, board: board(), toggle, box: suits }));
  }

  /** Ask for the text of what is painted. */
  async function writeNow() {
    if (strokes) return; // once the weights of the text are here
    const number = ++asked;
    try {
      const { text: written } = await post("/spots/range", { weights: Object.fromEntries(weights), deck: deck() });
      if (number !== asked) return;
      input.value = written;
      problem.show(null);
      onChange(written);
    } catch (error) {
      if (number === asked) element.fail(error);
    }
  }
  const write = later(writeNow, 120);

  /** Ask for the weights of what is written. */
  async function read() {
    const number = ++asked;
    const written = input.value;
    strokes ??= [];
    if (!written.trim()) {
      weights = new Map();
      draw();
    }
    let range = null;
    misfit = null;
    try {
      range = await post("/spots/range", { text: written, deck: deck() });
      if (number !== asked) return;
      problem.show(null, range.warnings);
    } catch (error) {
      if (number !== asked) return;
      misfit = await weightsInDeck(written, deck());
      if (number !== asked) return;
      element.fail(error);
    }
    const painted = strokes;
    strokes = null;
    if (range) weights = new Map(Object.entries(range.weights));
    for (const stroke of painted) lay(...stroke);
    draw();
    if (painted.length) write();
    onChange(written.trim()); // of a text that cannot be read, too: what was told of the former one is not of it
  }
  const typed = later(read, 250);

  const presets =
    saves &&
    presetButtons({
      kind: "range",
      content: () => ({ text: input.value.trim() }),
      load: (row) => element.set(row.text),
    });
  const element = h(
    "div",
    { class: "range-painter" },
    brush.bar,
    grid,
    h("div", { class: "toolbar best" }, best, h("span", { class: "grow" }), presets),
    summary,
    suits,
    input,
    problem,
  );
  element.fail = (error) => error.name !== "AbortError" && problem.show(error, [], misfit && (onFit ?? element.fit));
  /** Leave out the hands that the deck lacks, if that mends the text; settled once the text is written. */
  element.fit = async () => {
    if (!misfit) return;
    weights = misfit;
    misfit = null;
    draw();
    await writeNow();
  };
  element.set = (next) => {
    input.value = next;
    strokes = [];
    return read();
  };
  element.redraw = draw;
  Object.defineProperty(element, "text", { get: () => input.value.trim() });
  draw();
  if (text) read();
  return element;
}

/** Return the weights of a text without the hands that a deck lacks; null where none is left, or it is no range. */
async function weightsInDeck(text, deck) {
  if (deck === "full") return null;
  const range = await post("/spots/range", { text, deck: "full" }).catch(() => null);
  const missing = missingCards(deck);
  const kept = Object.entries(range?.weights ?? {}).filter(
    ([hand]) => !missing.includes(hand.slice(0, 2)) && !missing.includes(hand.slice(2)),
  );
  return kept.length ? new Map(kept) : null;
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
function problemLine(input) {
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
