// A range of Omaha: a text with its shorthands, how many hands it has on the board, and what is wrong with it.
import { post } from "../base/api.js";
import { h, newId, termList } from "../base/dom.js";
import { chips, count, percent } from "../base/format.js";
import { fourCardStore } from "./four-card-store.js";
import { presetButtons } from "./presets.js";
import { problemLine } from "./range.js";

const SHORTHANDS = [
  ["AAxx, AKQ, KQJT", "ranks; x and what is left out are any card"],
  ["KK+", "this pair or a higher one"],
  ["AA:xxyy, KQJTds", "double-suited; xxyz or ss single-suited, xyzw or r of four suits"],
  ["AsAhKdQc", "one hand"],
  ["random", "all hands"],
  ["AAxx:0.5", "with half of the weight; commas stand between"],
];

/**
 * Return an editor of a range of hands of four cards. It has set(text), `text`, redraw() for another board, and
 * fail(error), which points at the token that is wrong. With `saves` it has buttons that load a saved range and save this
 * one.
 *
 * @param {{label: string, board: () => string[], onChange: (text: string) => void, saves?: boolean}} options
 */
export function fourCardRange({ label, board, onChange, saves = true }) {
  const store = fourCardStore({ ask: (request) => post("/spots/range", request), board });
  const input = h("textarea", {
    rows: "8",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "AA:xxyy, KKQJ, JT98ds",
    "aria-label": `${label} as a text`,
    id: newId("range"),
    oninput: () => store.type(input.value),
  });
  const counted = h("p", { class: "note", role: "status" });
  const problem = problemLine(input);
  const presets =
    saves &&
    presetButtons({
      kind: "range",
      content: () => ({ text: store.text(), hole_cards: 4 }),
      load: (row) => store.set(row.text),
    });

  function showFacts() {
    const { facts, error } = store.state;
    problem.show(error);
    counted.textContent = facts ? inWords(facts) : "";
  }

  store.subscribe((what) => {
    if (what === "text") input.value = store.state.text;
    else if (what === "facts") showFacts();
    else onChange(store.text());
  });
  const element = h(
    "div",
    { class: "four-cards stack" },
    input,
    problem,
    counted,
    h("div", { class: "toolbar" }, h("span", { class: "grow" }), presets),
    h("details", { class: "more", open: true }, h("summary", {}, "How ranges are written"), termList(SHORTHANDS)),
  );
  Object.assign(element, { set: store.set, fail: store.fail, fit: async () => {}, redraw: store.recount });
  Object.defineProperty(element, "text", { get: store.text });
  return element;
}

/** Return how many hands a range has. */
function inWords({ hands, combos, share }) {
  if (!hands) return "No hands yet.";
  const weighted = Math.abs(combos - hands) > 1e-9 ? `, ${chips(Math.round(10 * combos) / 10)} by weight` : "";
  return `${count(hands)} hands on this board${weighted}: ${percent(share, 2)} of all`;
}
