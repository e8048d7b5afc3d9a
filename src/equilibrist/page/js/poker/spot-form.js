// The form of a spot of hold'em: board, ranges, chips and bet sizes, and where what is wrong with them is shown.
import { chosenName } from "../base/choices.js";
import { field, h } from "../base/dom.js";
import { carriedList } from "../runs/carried-list.js";
import { boardPicker } from "./board.js";
import { fourCardRange } from "./four-card-range.js";
import { PLAYER_OF_KEY } from "./players.js";
import { rangePainter } from "./range.js";
import { sizesTable } from "./sizes.js";
import { spotLocks } from "./spot-locks.js";
import {
  carriedInWords,
  DECKS,
  FIELDS,
  formOf,
  isOmaha,
  KINDS,
  missingCards,
  OMAHA_RANGES,
  settingsOf,
  STREETS,
} from "./spot-settings.js";

const POSITIONS = { oop: "out of position: acts first", ip: "in position" };
const DECIMAL = { type: "text", autocomplete: "off", spellcheck: "false", inputmode: "decimal" };
/** Label, help and attributes of each field; those after the second are seldom needed. */
const LABELS = {
  pot: ["Pot", "", DECIMAL],
  stack: ["Stack", "", DECIMAL],
  add_all_in: ["Add all-in up to, %", "of the pot: 150 is usual", { ...DECIMAL, placeholder: "never" }],
  force_all_in: ["Force all-in below, %", "of the pot, left after a call: 15", { ...DECIMAL, placeholder: "never" }],
  merge: ["Merge sizes within, %", "10 is usual", { ...DECIMAL, placeholder: "never" }],
  max_raises: ["Raises on a street", "", { ...DECIMAL, inputmode: "numeric", placeholder: "no limit" }],
  min_bet: ["Least bet", "", { ...DECIMAL, placeholder: "one chip" }],
  chip: ["Round to", "", { ...DECIMAL, placeholder: "auto" }],
  rake: ["Rake, %", "", { ...DECIMAL, placeholder: "0" }],
  rake_cap: ["Rake cap", "", { ...DECIMAL, placeholder: "no cap" }],
  prizes: ["Prizes", "of a tournament: 50, 30, 20", { ...DECIMAL, placeholder: "none" }],
  others: ["Stacks of others", "not in the hand: 30, 25", { ...DECIMAL, placeholder: "none" }],
  surplus: ["Beyond the stack", "chips of OOP, IP: 0, 50", { ...DECIMAL, placeholder: "none" }],
  add_lines: ["Lines to add", "one a row", { placeholder: "X-B120-R500" }],
  remove_lines: ["Lines to cut off", "", { placeholder: "B50-C | X-B90" }],
};

const RARE = FIELDS.slice(2); // folded up: all but pot and stack
const LEAST_USED = RARE.slice(3); // that are in sight where something is given
const SIZES_IN_WORDS =
  "50% of the pot, 2.5x the bet, 100c chips, e or 2e geometric, a all-in; none. 33 75 and g2 are read as in PioSOLVER and GTO+.";

const rowsOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Return the control of each field; onChange() is told of a change. */
function makeInputs({ onChange }) {
  const control = (name) => {
    const attributes = { ...LABELS[name][2], oninput: () => onChange() };
    if (name.endsWith("lines")) return h("textarea", { rows: "2", spellcheck: "false", ...attributes });
    return h("input", attributes);
  };
  return Object.fromEntries(FIELDS.map((name) => [name, control(name)]));
}

/** Return the fields by name, each around its control. */
function makeFields(inputs) {
  const entries = FIELDS.map((name) => {
    const [label, help] = LABELS[name];
    return [name, field(label, inputs[name], { name, help })];
  });
  return Object.fromEntries(entries);
}

/** Return the fields that are seldom needed, folded up. */
const rareFields = (fields) =>
  h(
    "details",
    { class: "more" },
    h("summary", {}, "Thresholds, rake, prizes, lines"),
    h(
      "div",
      { class: "fields" },
      RARE.map((name) => fields[name]),
    ),
  );

/** Return the card of chips and bet sizes. */
function betsCard({ fields, amounts, sizes, rare }) {
  const { scopes, usual, table, wrong } = sizes.parts;
  return h(
    "div",
    { class: "card bets" },
    h("div", { class: "fields two" }, fields.pot, fields.stack),
    amounts,
    h("div", { class: "toolbar" }, h("h2", {}, "Bet sizes"), scopes, h("span", { class: "grow" }), usual),
    table,
    wrong,
    h("p", { class: "note" }, SIZES_IN_WORDS),
    rare,
  );
}

/**
 * Return a form. onChange() is told of every change; `shown` is whose range is in sight. It has `parts` for the page,
 * settings(), fill(settings), editLines(edit), place(error, {focus}), which shows an error at its field and returns what else is to be said
 * of it, or false where it is of no field of these, and reset(), after which no error is shown.
 */
export function spotForm({ onChange, shown }) {
  const inputs = makeInputs({ onChange });
  const kind = selectOf(KINDS, changeKind);
  const kindField = field("Game", kind, { name: "deck" });
  const fields = makeFields(inputs);
  const rare = rareFields(fields);
  const amounts = h("p", { class: "note" });
  const boardWrong = h("p", { class: "help wrong", role: "status" });
  const picker = boardPicker({
    missing: () => missingCards(kind.value),
    onChange: () => {
      ranges.redraw();
      sizes.draw();
      onChange();
    },
  });
  const sizes = sizesTable({ cards: () => picker.cards.length, onChange });
  const ranges = rangeTabs({
    shown,
    board: () => [...missingCards(kind.value), ...picker.cards],
    deck: () => (isOmaha(kind.value) ? "full" : kind.value),
    isOmaha: () => isOmaha(kind.value),
    onChange,
  });
  const others = carriedList({
    title: "Also in this spot",
    words: carriedInWords,
    onChange: () => {
      locks.set(others.settings.locks);
      onChange();
    },
    kind: "card carried",
  });
  const locks = spotLocks((next) => {
    const { locks: _, ...rest } = others.settings;
    others.set(next.length ? { ...rest, locks: next } : rest);
    onChange();
  });

  /** Take over another kind of game: its deck, and ranges of hands of two or of four cards. */
  async function changeKind() {
    picker.redraw();
    const areEmpty = Object.values(ranges.texts()).every((text) => !text);
    await (isOmaha(kind.value) && areEmpty ? ranges.set(OMAHA_RANGES) : ranges.reread());
    onChange();
  }

  function settings() {
    const texts = Object.fromEntries(FIELDS.map((name) => [name, inputs[name].value]));
    const { cards: board } = picker;
    const parts = { sizes: sizes.sizes, ranges: ranges.texts(), carried: others.settings };
    return settingsOf({ kind: kind.value, board, texts, ...parts });
  }

  async function fill(next) {
    const form = formOf(next);
    kind.value = form.kind;
    for (const name of FIELDS) inputs[name].value = form.texts[name];
    picker.set(form.board);
    rare.open = LEAST_USED.some((name) => form.texts[name]);
    sizes.set(form.sizes);
    others.set(form.carried);
    locks.set(form.carried.locks);
    await ranges.set(form.ranges);
  }

  /** Change the lines that are added and removed by a function of both. */
  function editLines(edit) {
    const { add_lines: added, remove_lines: removed } = inputs;
    const { add, remove } = edit({ add: rowsOf(added.value), remove: rowsOf(removed.value) });
    added.value = add.join("\n");
    removed.value = remove.join("\n");
    rare.open = true;
    onChange();
  }

  function place(error, { focus }) {
    const name = error.field ?? "";
    const [who, street] = name.split(".");
    const isOfPlayer = who in PLAYER_OF_KEY;
    if (who in others.settings) return others.fail(error.message);
    if (["deck", "game", "pot_limit"].includes(name)) kindField.fail(error.message);
    else if (name === "board") boardWrong.textContent = error.message.replace(/^board: /, "");
    else if (isOfPlayer && !street) return ranges.fail(who, error, { focus });
    else if (fields[name]) fields[name].fail(error.message);
    else if (name === "bets" || STREETS.includes(name) || street)
      sizes.fail(isOfPlayer ? who : "both", street ?? who, error.message);
    else return false;
    return true;
  }

  function reset() {
    boardWrong.textContent = "";
    others.fail("");
    kindField.fail("");
    sizes.reset();
    for (const one of Object.values(fields)) one.fail("");
  }

  const parts = {
    kind: kindField,
    ranges: ranges.card,
    carried: others,
    locks: locks.element,
    board: h("div", { class: "card" }, h("h2", {}, "Board"), picker, boardWrong),
    bets: betsCard({ fields, amounts, sizes, rare }),
  };
  const tellAmounts = (text) => (amounts.textContent = text);
  return { parts, settings, fill, editLines, place, reset, tellAmounts };
}

/** Return the choice of what has names and texts. */
const selectOf = (texts, onchange) =>
  h(
    "select",
    { onchange },
    Object.entries(texts).map(([value, text]) => h("option", { value }, text)),
  );

/** Return the choice of a deck. */
export const deckSelect = (onchange) => selectOf(DECKS, onchange);

/**
 * Return the ranges of both players, one of them in sight: painted, or of Omaha as texts.
 *
 * @param {{shown: string | null, board: () => string[], deck: () => string, isOmaha?: () => boolean, onChange: () => void}} options
 */
export function rangeTabs({ shown, board, deck, isOmaha = () => false, onChange }) {
  let current = chosenName(PLAYER_OF_KEY, "player", shown, "oop");
  let fitting = false; // what both painters tell is one change
  const changed = () => fitting || onChange();
  const forBoth = (make) => Object.fromEntries(Object.entries(PLAYER_OF_KEY).map(([who, name]) => [who, make(name)]));
  const ofTwo = forBoth((name) =>
    rangePainter({ label: `Range of ${name}`, board, deck, onChange: changed, onFit: fit }),
  );
  /** @type {any} */
  let ofFour = null; // made when Omaha is chosen
  const all = () => [...Object.entries(ofTwo), ...Object.entries(ofFour ?? {})];

  /** Return the editors of the kind of game, by player. */
  function editors() {
    if (!isOmaha()) return ofTwo;
    if (!ofFour) {
      ofFour = forBoth((name) => fourCardRange({ label: `Range of ${name}`, board, onChange: changed }));
      card.append(...Object.values(ofFour));
    }
    return ofFour;
  }

  /** Leave out what the deck lacks, of both ranges: one change, which one step takes back. */
  async function fit() {
    fitting = true;
    await Promise.all(Object.values(ofTwo).map((painter) => painter.fit()));
    fitting = false;
    onChange();
  }
  const position = h("span", { class: "note" });
  const tabs = h(
    "div",
    { class: "segmented", role: "tablist", "aria-label": "Ranges" },
    Object.entries(PLAYER_OF_KEY).map(([who, label]) =>
      h("button", { type: "button", role: "tab", class: "button", dataset: { who }, onclick: () => show(who) }, label),
    ),
  );
  const card = h("div", { class: "card ranges" }, h("div", { class: "toolbar" }, tabs, position), Object.values(ofTwo));

  function show(who) {
    current = who;
    for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.dataset.who === who));
    const inSight = editors()[who];
    for (const [, editor] of all()) editor.hidden = editor !== inSight;
    position.textContent = POSITIONS[who];
  }

  show(current);
  return {
    card,
    texts: () => ({ oop: editors().oop.text, ip: editors().ip.text }),
    set(texts) {
      show(current);
      return Promise.all(Object.entries(editors()).map(([who, editor]) => editor.set(texts[who])));
    },
    reread() {
      show(current);
      return Promise.all(Object.values(editors()).map((editor) => editor.set(editor.text)));
    },
    redraw() {
      for (const editor of Object.values(editors())) editor.redraw();
    },
    fail(who, error, { focus }) {
      editors()[who].fail(error);
      if (focus) show(who);
      return `${PLAYER_OF_KEY[who]}: ${error.message.replace(/^\w+: /, "")}`;
    },
  };
}
