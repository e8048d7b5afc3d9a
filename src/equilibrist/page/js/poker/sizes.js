// Bet sizes of a spot: of both players or of one, of all streets or of one.
import { clear, h } from "../base/dom.js";
import { PLAYER_OF_KEY } from "./players.js";
import { inherited, PARTS, partsOf, sizesOfTools, STREETS } from "./spot-settings.js";

const SCOPES = { both: "Both", ...PLAYER_OF_KEY };
const USUAL = {
  "One size": "50%; 3x",
  "Two sizes": "33%, 75%; 2.5x",
  "Three sizes": "33%, 75%, 150%; 2.5x, a",
  Geometric: "e; e",
  "All-in only": "a; a",
};

/**
 * Return the table of sizes. `cards()` is how many cards the board has, onChange() is told. It has `parts` for the page,
 * `sizes` (scope → "bets" or street → [bet, raise, donk]), set(sizes), draw(), fail(scope, row, sentence) and reset().
 */
export function sizesTable({ cards, onChange }) {
  let sizes = { both: {}, oop: {}, ip: {} };
  let scope = "both";
  const table = h("div", { class: "sizes" });
  const wrong = h("p", { class: "help wrong", role: "status" });
  const scopes = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Whose sizes" },
    Object.entries(SCOPES).map(([name, label]) =>
      h(
        "button",
        { type: "button", class: "button small", dataset: { name }, onclick: () => ((scope = name), draw()) },
        label,
      ),
    ),
  );
  const usual = h(
    "select",
    {
      "aria-label": "Usual sizes",
      onchange: () => {
        sizes[scope].bets = partsOf(USUAL[usual.value]);
        usual.value = "";
        draw();
        onChange();
      },
    },
    h("option", { value: "" }, "Usual sizes …"),
    Object.keys(USUAL).map((name) => h("option", { value: name }, name)),
  );

  function draw() {
    const live = STREETS.slice(Math.max(0, cards() - 3));
    for (const button of scopes.children) {
      button.setAttribute("aria-pressed", String(button.dataset.name === scope));
      const some = Object.values(sizes[button.dataset.name]).some((parts) => parts.some(Boolean));
      button.classList.toggle("own", some && button.dataset.name !== "both");
    }
    const parts = scope === "ip" ? PARTS.slice(0, 2) : PARTS;
    const gap = () => parts.length < 3 && h("span");
    const heads = ["Bet", "Raise", "Donk"].slice(0, parts.length).map((name) => h("span", { class: "note" }, name));
    const line = (row) => [
      h("span", { class: "street" }, row === "bets" ? "All streets" : row),
      parts.map((part, place) => cell(row, part, place, row === live[0])),
      gap(),
    ];
    clear(table, h("span"), heads, gap(), ["bets", ...live].map(line));
  }

  function cell(row, part, place, first) {
    const who = scope === "both" ? "" : `${SCOPES[scope]}, `;
    return h("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      value: sizes[scope][row]?.[place] ?? "",
      placeholder: inherited(sizes, scope, row, place),
      "aria-label": `${who}${row === "bets" ? "all streets" : row}, ${part}`,
      disabled: first && part === "donk" && cards() < 5,
      dataset: { sizes: `${scope}.${row}` },
      oninput: (event) => {
        (sizes[scope][row] ??= ["", "", ""])[place] = sizesOfTools(event.target.value.trim());
        onChange();
      },
      onchange: ({ target }) => (target.value = sizesOfTools(target.value.trim())),
    });
  }

  return {
    parts: { scopes, usual, table, wrong },
    get sizes() {
      return sizes;
    },
    set(next) {
      sizes = next;
      draw();
    },
    draw,
    fail(who, row, sentence) {
      scope = who;
      draw();
      wrong.textContent = sentence;
      for (const input of table.querySelectorAll(`[data-sizes="${who}.${row}"]`))
        input.toggleAttribute("aria-invalid", true);
    },
    reset() {
      wrong.textContent = "";
      for (const input of table.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    },
  };
}
