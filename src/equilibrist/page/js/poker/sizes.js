// Bet sizes of a spot: of both players or of one, of all streets or of one.
import { clear, h } from "../base/dom.js";
import { PLAYER_OF_KEY } from "./players.js";
import { sizesStore, USUAL } from "./sizes-store.js";
import { sizesOfTools } from "./spot-settings.js";

/** @typedef {import("./sizes-store.js").SizesStore} SizesStore */

const SCOPES = { both: "Both", ...PLAYER_OF_KEY };
const HEADS = { bet: "Bet", raise: "Raise", donk: "Donk" };

/**
 * Return the choice whose sizes are seen.
 *
 * @param {SizesStore} store
 * @param {(scope: string) => void} onPick
 */
function scopesPanel(store, onPick) {
  const button = ([name, label]) =>
    h("button", { type: "button", class: "button small", dataset: { name }, onclick: () => onPick(name) }, label);
  const attributes = { class: "segmented", role: "group", "aria-label": "Whose sizes" };
  const element = h("div", attributes, Object.entries(SCOPES).map(button));

  function show() {
    for (const one of element.children) {
      const { name } = one.dataset;
      one.setAttribute("aria-pressed", String(name === store.state.scope));
      one.classList.toggle("own", store.hasOwn(name));
    }
  }
  return { element, show };
}

/** Return the choice of sizes that many use; onPick(name) is told. */
function usualSelect(onPick) {
  const select = h(
    "select",
    {
      "aria-label": "Usual sizes",
      onchange: () => {
        onPick(select.value);
        select.value = "";
      },
    },
    h("option", { value: "" }, "Usual sizes …"),
    Object.keys(USUAL).map((name) => h("option", { value: name }, name)),
  );
  return select;
}

/**
 * Return the sizes by street; onChange() is told of what is typed.
 *
 * @param {SizesStore} store
 * @param {() => void} onChange
 */
function rowsPanel(store, onChange) {
  const element = h("div", { class: "sizes" });

  function cell(row, part, place) {
    const { scope } = store.state;
    const who = scope === "both" ? "" : `${SCOPES[scope]}, `;
    return h("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      ...store.cell(row, place),
      "aria-label": `${who}${row === "bets" ? "all streets" : row}, ${part}`,
      dataset: { sizes: `${scope}.${row}` },
      oninput: ({ target }) => {
        store.type(row, place, target.value);
        onChange();
      },
      onchange: ({ target }) => (target.value = sizesOfTools(target.value.trim())),
    });
  }

  function show() {
    const parts = store.parts();
    const gap = () => parts.length < 3 && h("span");
    const heads = parts.map((part) => h("span", { class: "note" }, HEADS[part]));
    const line = (row) => [
      h("span", { class: "street" }, row === "bets" ? "All streets" : row),
      parts.map((part, place) => cell(row, part, place)),
      gap(),
    ];
    clear(element, h("span"), heads, gap(), store.rows().map(line));
  }
  return { element, show };
}

/**
 * Return the table of sizes. `cards()` is how many cards the board has, onChange() is told. It has `parts` for the page,
 * `sizes` (scope → "bets" or street → [bet, raise, donk]), set(sizes), draw(), fail(scope, row, sentence) and reset().
 */
export function sizesTable({ cards, onChange }) {
  const store = sizesStore({ cards });
  const wrong = h("p", { class: "help wrong", role: "status" });
  const rows = rowsPanel(store, onChange);
  const scopes = scopesPanel(store, show);
  const usual = usualSelect((name) => {
    store.use(name);
    draw();
    onChange();
  });

  function draw() {
    scopes.show();
    rows.show();
  }

  function show(scope) {
    store.show(scope);
    draw();
  }

  function reset() {
    wrong.textContent = "";
    for (const input of rows.element.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
  }

  return {
    parts: { scopes: scopes.element, usual, table: rows.element, wrong },
    get sizes() {
      return store.state.sizes;
    },
    set(sizes) {
      store.set(sizes);
      draw();
    },
    draw,
    reset,
    fail(scope, row, sentence) {
      reset();
      if (scope !== store.state.scope) show(scope); // else who types goes on typing
      wrong.textContent = sentence;
      for (const input of rows.element.querySelectorAll(`[data-sizes="${scope}.${row}"]`))
        input.toggleAttribute("aria-invalid", true);
    },
  };
}
