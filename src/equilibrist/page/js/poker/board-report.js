// A report over boards: a map of its numbers by texture, and the boards one by one, filtered and sorted.
import { actionColour } from "../base/colours.js";
import { clear, h, newId } from "../base/dom.js";
import { count, percent } from "../base/format.js";
import { ev, liveUnitSwitch, settingsIn } from "../base/units.js";
import { lineInWords } from "../base/words.js";
import { cardRow } from "../cards/cards.js";
import { mixColumn } from "../cards/line-columns.js";
import { choice } from "../parts/choice.js";
import { heading, MEANINGS, meaningOf } from "../parts/explain.js";
import { saveMenu } from "../parts/save-view.js";
import { hintScroll } from "../parts/scroll-hint.js";
import { table } from "../parts/table.js";
import { actionsOf, fitsFilters, meanOf, TEXTURES, textureName } from "../runs/batches.js";
import { heat } from "./hands.js";
import { variationTable } from "./variations.js";

/** Return what players earn at a decision, with its title and how it is written; the pot there is that of all boards. */
function earned({ rows }) {
  const inUnit = (value) => ev(value, rows[0]?.pot);
  const whole = (value) => percent(value, 0);
  return {
    ev_oop: ["EV OOP", inUnit],
    ev_ip: ["EV IP", inUnit],
    equity_oop: ["Equity OOP", (value) => percent(value)],
    eqr_oop: ["EQR OOP", whole],
    eqr_ip: ["EQR IP", whole],
  };
}

const ALONE =
  "Each board is solved by itself, with the ranges and the pot of the spot. They are not the run-outs of a solved spot, in which each card is met with the ranges that get there: choose the card there.";

/** Return the report as an element with update(about). */
export function boardReport({ about, fields, query, set, table: tableOf, open, navigate }) {
  const tools = h("div", { class: "toolbar" });
  const filters = h("div", { class: "toolbar filters" });
  const means = h("p", { class: "note", role: "status" });
  const map = h("div", { class: "map" });
  const variations = h("div", {});
  const place = h("div", {});
  const none = h("p", { class: "card notice" }, "No board is solved yet: they are shown here as they come.");
  const alone = h("p", { class: "note" }, ALONE);
  const whole = h(
    "div",
    { class: "stack" },
    alone,
    variations,
    h("section", { class: "card" }, tools, map),
    h("section", { class: "card" }, filters, means, place),
  );
  const box = h("div", { class: "batch-body" }, none, whole);
  let [list, columns] = [null, ""];
  const units = liveUnitSwitch(
    query,
    () => settingsIn(about.game),
    (changes) => ((columns = ""), set(changes)),
  );
  const select = (name, label, options, onchange) => {
    const control = choice(options, fields[name] ?? options[0][0]);
    control.setAttribute("aria-label", label);
    control.addEventListener("change", () => onchange(control.value));
    return control;
  };
  const cards = h("input", {
    type: "search",
    class: "cards",
    value: fields.cards ?? "",
    placeholder: "Cards: Q, 7h",
    "aria-label": "Cards of the board",
    oninput: () => set({ cards: cards.value }),
  });

  const measures = () => {
    const actions = actionsOf(about.rows);
    return { ...Object.fromEntries(actions.map((name) => [name, [name, percent]])), ...earned(about) };
  };
  const measured = () => (fields.measure in measures() ? fields.measure : Object.keys(measures()).at(-6));

  function drawTools() {
    const [down, across] = about.by;
    const names = Object.entries(TEXTURES);
    const by = (next) => set({ by: next.filter(Boolean).join(",") }, { again: true });
    const decisions = about.lines.map((line) => [line, line ? `after ${lineInWords(line)}` : "at the start"]);
    clear(
      tools,
      h("h2", { class: "grow" }, "By texture"),
      units,
      about.lines.length > 1 && select("line", "Decision", decisions, (line) => set({ line }, { again: true })),
      select(
        "measure",
        "What the map shows",
        Object.entries(measures()).map(([name, [words]]) => [name, words]),
        (measure) => set({ measure }),
      ),
      pickTexture("Rows", names, down, (next) => by([next, next === across ? down : across])),
      pickTexture("Columns", names, across, (next) => by([next === down ? across : down, next])),
      h("a", { class: "button small", href: tableOf("textures"), download: "" }, "CSV"),
      saveMenu(
        () => map,
        () => `${about.id} by texture`,
      ),
    );
    tools.querySelector('[aria-label="What the map shows"]').value = measured();
  }

  function drawFilters(rows) {
    const some = Object.entries(TEXTURES).map(([name, words]) => {
      const values = [...new Set(about.rows.map((row) => row[name]))];
      const options = values.map((value) => [String(value), textureName(value)]);
      const control = select(name, words, [["", `${words}: all`], ...options], (value) => set({ [name]: value }));
      control.value = fields[name] ?? "";
      return control;
    });
    const focus = document.activeElement === cards;
    clear(
      filters,
      h("h2", { class: "grow" }, `${count(rows.length)} of ${count(about.rows.length)} boards`),
      some,
      cards,
      saveMenu(
        () => place,
        () => `${about.id} boards`,
      ),
    );
    if (focus) cards.focus();
    const words = Object.entries(measures()).map(([name, [title, show]]) => `${title} ${show(meanOf(rows, name))}`);
    means.textContent = rows.length ? `Mean: ${words.join(" · ")}` : "";
  }

  function drawTable(rows) {
    const actions = actionsOf(about.rows);
    if (columns !== actions.join()) {
      columns = actions.join();
      list = table({
        columns: boardColumns(actions, open, () => about),
        sort: { key: fields.sort ?? "weight", descending: fields.order !== "up" },
        onSort: ({ key, descending }) => set({ sort: key, order: descending ? "" : "up" }),
        onOpen: (row) => row.run && navigateTo(open(row, about.line), navigate),
        label: "Boards",
        height: "70vh",
        empty: "No board fits.",
      });
      clear(place, list);
    }
    list.update(rows);
  }

  box.update = (next) => {
    about = next;
    none.hidden = about.rows.length > 0;
    whole.hidden = !none.hidden;
    if (whole.hidden) return;
    alone.hidden = about.rows[0].board.length <= 6; // of flops nothing is played before
    const rows = about.rows.filter((row) => fitsFilters(row, fields));
    drawTools();
    const { variations: reports, id: batch, line } = about;
    clear(variations, reports.length > 0 && variationTable({ rows: reports, batch, line, csv: tableOf("variations") }));
    clear(map, hintScroll(h("div", {}, heatMap(about, measured(), measures(), fields, set))));
    drawFilters(rows);
    drawTable(rows);
  };
  return box;
}

function navigateTo(to, navigate) {
  const url = new URL(to, location.href);
  navigate(url.pathname, Object.fromEntries(url.searchParams));
}

function pickTexture(label, names, value, onpick) {
  const control = choice(label === "Columns" ? [["", "one column"], ...names] : names, value ?? "");
  control.setAttribute("aria-label", label);
  control.addEventListener("change", () => onpick(control.value));
  return control;
}

/** Return the map: a cell for each texture, coloured by a number, which shows the boards of this texture when pressed. */
function heatMap({ textures, by }, measure, measures, fields, set) {
  const [title, show] = measures[measure];
  const [down, across] = by;
  const numbers = textures.map((row) => row[measure]).filter(Number.isFinite);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const rows = [...new Set(textures.map((row) => row[down]))];
  const columns = across ? [...new Set(textures.map((row) => row[across]))] : [null];
  const cell = (one, other) => {
    const row = textures.find((each) => each[down] === one && (!across || each[across] === other));
    if (!row) return h("td", {}, "–");
    const wanted = { [down]: String(one), ...(across ? { [across]: String(other) } : {}) };
    const pressed = Object.entries(wanted).every(([name, value]) => fields[name] === value);
    const off = Object.fromEntries(Object.keys(wanted).map((name) => [name, ""]));
    const share = high > low ? (row[measure] - low) / (high - low) : 0.5;
    const words = [one, across ? other : ""]
      .filter((value) => value !== "")
      .map(textureName)
      .join(", ");
    const text = `${words}: ${title} ${show(row[measure])}, ${row.boards} of the boards, ${percent(row.share)} of the deals`;
    return h(
      "td",
      {},
      h(
        "button",
        {
          type: "button",
          class: "heat",
          css: { background: Number.isFinite(row[measure]) ? heat(share) : "none" },
          "aria-pressed": String(pressed),
          title: text,
          onclick: () => set(pressed ? off : wanted),
        },
        show(row[measure]),
        h("span", { class: "sr" }, ` ${text}`),
      ),
    );
  };
  const id = newId("map");
  return h(
    "table",
    { class: "heatmap", "aria-labelledby": id },
    h("caption", { class: "sr", id }, `${title} by ${TEXTURES[down]}${across ? ` and ${TEXTURES[across]}` : ""}`),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heading(TEXTURES[down]),
        columns.map((name) =>
          name === null
            ? heading(title, { meaning: meaningOf(title) ?? MEANINGS.Frequency })
            : heading(textureName(name), { meaning: MEANINGS[TEXTURES[across]] }),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, textureName(one)),
          columns.map((other) => cell(one, other)),
        ),
      ),
    ),
  );
}

/** Return the columns of the table of boards. */
function boardColumns(actions, open, about) {
  const colours = actions.map((action) => actionColour(action, actions));
  const number = (key, title, show, more = {}) => ({
    key,
    title,
    numeric: true,
    descending: true,
    show: (row) => show(row[key]),
    ...more,
  });
  const dot = (name, k) => h("span", {}, h("span", { class: "dot", css: { "--colour": colours[k] } }), ` ${name}`);
  return [
    {
      key: "board",
      title: "Board",
      show: (row) =>
        h(row.run ? "a" : "span", { href: row.run && open(row, about().line) }, cardRow(row.board, { size: "small" })),
    },
    number("weight", "Stands for", (value) => count(value), { class: "hide-narrow" }),
    mixColumn((row) => actions.map((a) => row[a] ?? 0), colours),
    ...actions.map((action, k) => number(action, dot(action, k), percent, { meaning: MEANINGS.Frequency })),
    ...Object.entries(earned(about())).map(([key, [title, show]]) =>
      number(key, title, show, { class: key === "ev_oop" ? "" : "hide-narrow" }),
    ),
    number("exploitability_percent", "Exploitability", (value) => percent(value / 100, 2), { class: "hide-narrow" }),
    ...Object.entries(TEXTURES).map(([key, title]) => ({
      key,
      title,
      value: (row) => textureName(row[key]),
      class: "hide-narrow",
    })),
  ];
}
