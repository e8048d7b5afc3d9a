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
import { actionsOf, fitsFilters, meansOf, TEXTURES, textureName, valuesIn } from "./board-rows.js";
import { textureMap } from "./texture-map.js";
import { variationTable } from "./variations.js";

const ALONE =
  "Each board is solved by itself, with the ranges and the pot of the spot. They are not the run-outs of a solved spot, in which each card is met with the ranges that get there: choose the card there.";
const FLOP = 6; // letters of a board before whose cards nothing is played
const BY = "high,suits"; // what tells boards apart until somebody chooses
const TEXTURE_NAMES = Object.entries(TEXTURES);

/** Return a select that is called by a label; onpick(value) is told what is chosen. */
function select(label, options, value, onpick) {
  const control = choice(options, value);
  control.setAttribute("aria-label", label);
  control.addEventListener("change", () => onpick(control.value));
  return control;
}

/** Return the textures of the map that fields of an address name, one or two. */
function texturesBy(fields) {
  const names = (fields.by || BY).split(",").filter((name) => name in TEXTURES);
  return names.length ? [...new Set(names)].slice(0, 2) : BY.split(",");
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
  const tools = h("div", { class: "toolbar" });
  const filters = h("div", { class: "toolbar filters" });
  const means = h("p", { class: "note means", role: "status" });
  const map = h("div", { class: "map" });
  const bars = h("div", {});
  const variations = h("div", {});
  const place = h("div", {});
  const hands = h("div", { class: "hands" });
  const none = h("p", { class: "card notice" }, "No board is solved yet: they are shown here as they come.");
  const alone = h("p", { class: "note" }, ALONE);
  const boards = h("div", { class: "boards" }, place, hands);
  const whole = h(
    "div",
    { class: "stack" },
    alone,
    variations,
    h("section", { class: "card" }, tools, map),
    h("section", { class: "card" }, filters, means, bars, boards),
  );
  const box = h("div", { class: "batch-body" }, none, whole);
  let list = null;
  let listed = ""; // of what the columns of the list are
  let chosen = null; // the board whose hands are seen
  const units = liveUnitSwitch(
    query,
    () => settingsIn(about.game),
    (changes) => {
      listed = "";
      set(changes);
    },
  );
  const cards = h("input", {
    type: "search",
    class: "cards",
    value: fields.cards ?? "",
    placeholder: "Cards: Q, 7h, 77",
    "aria-label": "Cards of the board",
    oninput: () => set({ cards: cards.value }),
  });

  /** Return the measure that the map shows: by default how often the last action is taken. */
  function measured() {
    const measures = measuresOf(about.rows);
    const last = measures[Math.max(0, actionsOf(about.rows).length - 1)];
    return measures.find(({ name }) => name === fields.measure) ?? last;
  }

  /** Open the run of a board, or show its hands where no run is saved. */
  function choose(row) {
    const address = open(row, about.line);
    if (address && navigate) {
      const url = new URL(address, location.href);
      navigate(url.pathname, Object.fromEntries(url.searchParams));
    } else if (row.classes) {
      chosen = chosen === row ? null : row;
      box.update(about);
    }
  }

  function drawTools() {
    const [down, across] = texturesBy(fields);
    const by = (next) => set({ by: next.filter(Boolean).join(",") });
    const decisions = about.lines.map((line) => [line, line ? `after ${lineInWords(line)}` : "at the start"]);
    const measures = measuresOf(about.rows).map(({ name, title }) => [name, title]);
    const columns = [["", "one column"], ...TEXTURE_NAMES];
    const file = csv("textures");
    clear(
      tools,
      h("h2", { class: "grow" }, "By texture"),
      units,
      about.lines.length > 1 && select("Decision", decisions, about.line, (line) => set({ line }, { again: true })),
      select("What the map shows", measures, measured().name, (measure) => set({ measure })),
      select("Rows", TEXTURE_NAMES, down, (next) => by([next, next === across ? down : across])),
      select("Columns", columns, across ?? "", (next) => by([next === down ? across : down, next])),
      file && h("a", { class: "button small", href: file, download: "" }, "CSV"),
      saveMenu(
        () => map,
        () => `${about.id} by texture`,
      ),
    );
  }

  function drawFilters(rows) {
    const textures = TEXTURE_NAMES.map(([name, words]) => {
      const values = valuesIn(about.rows, name).map((value) => [String(value), textureName(value)]);
      return select(words, [["", `${words}: all`], ...values], fields[name] ?? "", (value) => set({ [name]: value }));
    });
    const focus = document.activeElement === cards;
    clear(
      filters,
      h("h2", { class: "grow" }, `${count(rows.length)} of ${count(about.rows.length)} boards`),
      textures,
      cards,
      saveMenu(
        () => boards,
        () => `${about.id} boards`,
      ),
    );
    if (focus) cards.focus();
  }

  /** Draw the means in a sentence, in which actions have the colours of the bars. */
  function drawMeans(mean) {
    const actions = actionsOf(about.rows);
    const colours = coloursOf(actions);
    const wordsOf = (name) => {
      const place = actions.indexOf(name);
      return place < 0 ? null : dotted(inWords(name, actions), colours[place]);
    };
    const parts = measuresOf(about.rows).map(({ name, title, show }) =>
      h("span", { class: "nowrap" }, wordsOf(name) ?? title, ` ${show(mean[name])}`),
    );
    clear(means, mean.boards > 0 && ["Mean: ", parts.flatMap((part, place) => (place ? [" · ", part] : [part]))]);
  }

  function drawTable(rows, mean) {
    const { line } = about;
    const columns = `${line} ${actionsOf(about.rows)}`;
    if (listed !== columns) {
      listed = columns;
      list = table({
        columns: boardColumns(about.rows, (row) => open(row, line)),
        sort: { key: fields.sort ?? "weight", descending: fields.order !== "up" },
        onSort: ({ key, descending }) => set({ sort: key, order: descending ? "" : "up" }),
        onOrder: (order) => clear(bars, boardBars(order, choose)),
        onOpen: choose,
        isSelected: (row) => row === chosen,
        label: "Boards",
        height: "70vh",
        empty: "No board fits.",
      });
      clear(place, list);
    }
    list.update(rows, { summary: mean });
  }

  function drawHands(rows) {
    const known = rows.some((row) => row.classes);
    hands.hidden = !known && !about.note;
    if (hands.hidden) return;
    clear(hands, known ? boardHands(rows, chosen) : h("p", { class: "note" }, about.note));
  }

  box.update = (next) => {
    about = next;
    none.hidden = about.rows.length > 0;
    whole.hidden = !none.hidden;
    if (whole.hidden) return;
    alone.hidden = about.rows[0].board.length <= FLOP;
    const rows = about.rows.filter((row) => fitsFilters(row, fields));
    if (!rows.includes(chosen)) chosen = null;
    const mean = meansOf(rows);
    const { variations: reports, id: batch, line } = about;
    clear(variations, reports.length > 0 && variationTable({ rows: reports, batch, line, csv: csv("variations") }));
    drawTools();
    const shown = { rows: about.rows, by: texturesBy(fields), measure: measured(), fields, set };
    clear(map, hintScroll(h("div", {}, textureMap(shown))));
    drawFilters(rows);
    drawMeans(mean);
    drawTable(rows, mean);
    drawHands(rows);
  };
  return box;
}
