// A report over boards: a map of its numbers by texture, and the boards one by one, filtered and sorted.
import { clear, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { liveUnitSwitch, settingsIn } from "../base/units.js";
import { inWords, lineInWords } from "../base/words.js";
import { choice } from "../parts/choice.js";
import { saveMenu } from "../parts/save-view.js";
import { hintScroll } from "../parts/scroll-hint.js";
import { table } from "../parts/table.js";
import { boardBars } from "./board-bars.js";
import { boardColumns, coloursOf, dotted, measuresOf } from "./board-columns.js";
import { boardHands } from "./board-hands.js";
import { actionsOf, TEXTURES, textureName, valuesIn } from "./board-rows.js";
import { reportStore } from "./report-store.js";
import { textureMap } from "./texture-map.js";
import { variationTable } from "./variations.js";

/** @typedef {import("./report-store.js").ReportStore} ReportStore */

const ALONE =
  "Each board is solved by itself, with the ranges and the pot of the spot. They are not the run-outs of a solved spot, in which each card is met with the ranges that get there: choose the card there.";
const FLOP = 6; // letters of a board before whose cards nothing is played
const TEXTURE_NAMES = Object.entries(TEXTURES);

/** Return a select that is called by a label; onpick(value) is told what is chosen. */
function select(label, options, value, onpick) {
  const control = choice(options, value);
  control.setAttribute("aria-label", label);
  control.addEventListener("change", () => onpick(control.value));
  return control;
}

/**
 * Return the tools of the map: the decision, what is measured, and the textures of rows and columns.
 *
 * @param {ReportStore} store
 * @param {{set: any, csv: (what: string) => string | null, units: any, map: HTMLElement}} options
 */
function toolsPanel(store, { set, csv, units, map }) {
  const element = h("div", { class: "toolbar" });
  const by = (place) => (name) => set({ by: store.texturesWith(place, name) });

  /** Return the choice of a decision, where there are some. */
  function decisionSelect() {
    const { lines, line } = store.state.about;
    if (lines.length < 2) return null;
    const decisions = lines.map((one) => [one, one ? `after ${lineInWords(one)}` : "at the start"]);
    return select("Decision", decisions, line, (next) => set({ line: next }, { again: true }));
  }

  function show() {
    const { about } = store.state;
    const [down, across] = store.textures();
    const measures = measuresOf(about.rows).map(({ name, title }) => [name, title]);
    const file = csv("textures");
    clear(
      element,
      h("h2", { class: "grow" }, "By texture"),
      units,
      decisionSelect(),
      select("What the map shows", measures, store.measure().name, (measure) => set({ measure })),
      select("Rows", TEXTURE_NAMES, down, by(0)),
      select("Columns", [["", "one column"], ...TEXTURE_NAMES], across ?? "", by(1)),
      file && h("a", { class: "button small", href: file, download: "" }, "CSV"),
      saveMenu(
        () => map,
        () => `${about.id} by texture`,
      ),
    );
  }
  return { element, show };
}

/**
 * Return the filters of boards.
 *
 * @param {ReportStore} store
 * @param {{set: any, boards: HTMLElement}} options
 */
function filtersPanel(store, { set, boards }) {
  const element = h("div", { class: "toolbar filters" });
  const cards = h("input", {
    type: "search",
    class: "cards",
    value: store.state.fields.cards ?? "",
    placeholder: "Cards: Q, 7h, 77",
    "aria-label": "Cards of the board",
    oninput: () => set({ cards: cards.value }),
  });
  const texture = ([name, words]) => {
    const values = valuesIn(store.state.about.rows, name).map((value) => [String(value), textureName(value)]);
    const options = [["", `${words}: all`], ...values];
    return select(words, options, store.state.fields[name] ?? "", (value) => set({ [name]: value }));
  };

  function show() {
    const { about, rows } = store.state;
    const hadFocus = document.activeElement === cards;
    clear(
      element,
      h("h2", { class: "grow" }, `${count(rows.length)} of ${count(about.rows.length)} boards`),
      TEXTURE_NAMES.map(texture),
      cards,
      saveMenu(
        () => boards,
        () => `${about.id} boards`,
      ),
    );
    if (hadFocus) cards.focus();
  }
  return { element, show };
}

/**
 * Return the means in a sentence, in which actions have the colours of the bars.
 *
 * @param {ReportStore} store
 */
function meansPanel(store) {
  const element = h("p", { class: "note means", role: "status" });

  function show() {
    const { about, mean } = store.state;
    const actions = actionsOf(about.rows);
    const colours = coloursOf(actions);
    const wordsOf = (name) => {
      const place = actions.indexOf(name);
      return place < 0 ? null : dotted(inWords(name, actions), colours[place]);
    };
    const parts = measuresOf(about.rows).map(({ name, title, show: write }) =>
      h("span", { class: "nowrap" }, wordsOf(name) ?? title, ` ${write(mean[name])}`),
    );
    clear(element, mean.boards > 0 && ["Mean: ", parts.flatMap((part, place) => (place ? [" · ", part] : [part]))]);
  }
  return { element, show };
}

/**
 * Return the list of boards, and the bars of their actions in its order.
 *
 * @param {ReportStore} store
 * @param {{set: any, open: (row: any, line: string) => string | null, choose: (row: any) => void}} options
 */
function listPanel(store, { set, open, choose }) {
  const bars = h("div", {});
  const place = h("div", {});
  let list = null;
  let listed = ""; // what the columns of the list are made of

  function makeList() {
    const { about, fields } = store.state;
    return table({
      columns: boardColumns(about.rows, (row) => open(row, about.line)),
      sort: { key: fields.sort ?? "weight", descending: fields.order !== "up" },
      onSort: ({ key, descending }) => set({ sort: key, order: descending ? "" : "up" }),
      onOrder: (order) => clear(bars, boardBars(order, choose)),
      onOpen: choose,
      isSelected: (row) => row === store.state.chosen,
      label: "Boards",
      height: "70vh",
      empty: "No board fits.",
    });
  }

  return {
    bars,
    place,

    show() {
      if (listed !== store.listed()) {
        listed = store.listed();
        list = makeList();
        clear(place, list);
      }
      list.update(store.state.rows, { summary: store.state.mean });
    },

    /** Write all numbers anew when the list is shown next. */
    forget() {
      listed = "";
    },
  };
}

/**
 * Return the hands of the board that is chosen, or why none are known.
 *
 * @param {ReportStore} store
 */
function handsPanel(store) {
  const element = h("div", { class: "hands" });

  function show() {
    const { about, rows, chosen } = store.state;
    const isKnown = rows.some((row) => row.classes);
    element.hidden = !isKnown && !about.note;
    if (element.hidden) return;
    clear(element, isKnown ? boardHands(rows, chosen) : h("p", { class: "note" }, about.note));
  }
  return { element, show };
}

/**
 * Return the report as an element with update(about), which draws it.
 *
 * about: {id, game, line, lines, rows, variations}, as the server has them; a row may have the classes of hands
 *   of who decides, {class: [probability, EV, equity, frequencies …]}, and about a `note` on them.
 * fields: filters and choices by their names in the address, which set(changes, {again}) changes: `again` where it takes
 *   another answer.
 * open(row, line) is the address of the run of a board, to which navigate(path, fields) leads; table(what) that of a
 *   table as a file: all three where there is a server.
 *
 * @param {{
 *   about: any, fields: any, query: URLSearchParams, set: (changes: any, options?: {again: boolean}) => void,
 *   open?: (row: any, line: string) => string | null, navigate?: (path: string, fields: any) => void,
 *   table?: (what: string) => string | null,
 * }} options
 */
export function boardReport({ about, fields, query, set, open = () => null, navigate, table: csv = () => null }) {
  const store = reportStore({ about, fields });
  const units = liveUnitSwitch(
    query,
    () => settingsIn(store.state.about.game),
    (changes) => {
      list.forget();
      set(changes);
    },
  );
  const map = h("div", { class: "map" });
  const variations = h("div", {});
  const hands = handsPanel(store);
  const list = listPanel(store, { set, open, choose });
  const boards = h("div", { class: "boards" }, list.place, hands.element);
  const tools = toolsPanel(store, { set, csv, units, map });
  const filters = filtersPanel(store, { set, boards });
  const means = meansPanel(store);
  const none = h("p", { class: "card notice" }, "No board is solved yet: they are shown here as they come.");
  const alone = h("p", { class: "note" }, ALONE);
  const whole = h(
    "div",
    { class: "stack" },
    alone,
    variations,
    h("section", { class: "card" }, tools.element, map),
    h("section", { class: "card" }, filters.element, means.element, list.bars, boards),
  );
  const box = h("div", { class: "batch-body" }, none, whole);

  /** Open the run of a board, or show its hands where no run is saved. */
  function choose(row) {
    const address = open(row, store.state.about.line);
    if (address && navigate) {
      const url = new URL(address, location.href);
      navigate(url.pathname, Object.fromEntries(url.searchParams));
    } else if (row.classes) {
      store.choose(row);
      box.update(store.state.about);
    }
  }

  function showVariations() {
    const { variations: reports, id: batch, line } = store.state.about;
    clear(variations, reports.length > 0 && variationTable({ rows: reports, batch, line, csv: csv("variations") }));
  }

  function showMap() {
    const { rows } = store.state.about;
    const shown = { rows, by: store.textures(), measure: store.measure(), fields, set };
    clear(map, hintScroll(h("div", {}, textureMap(shown))));
  }

  box.update = (next) => {
    store.update(next);
    none.hidden = next.rows.length > 0;
    whole.hidden = !none.hidden;
    if (whole.hidden) return;
    alone.hidden = next.rows[0].board.length <= FLOP;
    showVariations();
    tools.show();
    showMap();
    for (const panel of [filters, means, list, hands]) panel.show();
  };
  return box;
}
