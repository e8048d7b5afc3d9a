// A study: its runs as a table that is filtered by what varies, with the curves of those that are shown.
import { href } from "../base/address.js";
import { clear, h } from "../base/dom.js";
import { count, duration, gap, payoff, percent, short } from "../base/format.js";
import { DASHES, lineChart } from "../parts/chart.js";
import { choice } from "../parts/choice.js";
import { MEANINGS, meaningOf } from "../parts/explain.js";
import { saveMenu } from "../parts/save-view.js";
import { table } from "../parts/table.js";
import { AXES, studyStore } from "./study-store.js";

/** @typedef {import("./study-store.js").StudyStore} StudyStore */
/** @typedef {(changes: Record<string, string>) => void} SetFields changes fields of the address */

/**
 * Return the curves of the runs that fit, and the choice of what they run over.
 *
 * @param {StudyStore} store
 * @param {SetFields} set
 */
function curvesPanel(store, set) {
  const axes = h("div", { class: "segmented", role: "group", "aria-label": "Horizontal axis" });
  const chart = lineChart({ height: 320, title: "Curves of the runs" });
  const note = h("p", { class: "note" });
  const save = saveMenu(
    () => chart,
    () => `${store.state.about.name}: curves`,
  );
  const element = h(
    "section",
    { class: "card" },
    h("div", { class: "toolbar" }, h("h2", { class: "grow" }, "Curves"), axes, save),
    chart,
    note,
  );

  function axisButton([name, { label }]) {
    const attributes = { "aria-pressed": String(name === store.axis()), onclick: () => set({ x: name }) };
    return h("button", { type: "button", class: "button small", ...attributes }, label);
  }

  function show() {
    element.hidden = !store.drawn().length;
    clear(axes, Object.entries(AXES).map(axisButton));
    chart.update(store.chart(DASHES));
    note.textContent = store.note();
  }
  return { element, show };
}

/**
 * Return how many runs fit, the filters, and the link that compares the runs which are chosen.
 *
 * @param {StudyStore} store
 * @param {SetFields} set
 */
function filtersPanel(store, set) {
  const element = h("div", { class: "toolbar filters" });
  const selected = h("span", { class: "toolbar" });

  function filter({ name, values, chosen }) {
    const options = [["", `${name}: all`], ...values.map((value) => [value, value])];
    const control = choice(options, chosen);
    control.setAttribute("aria-label", name);
    control.addEventListener("change", () => set({ [`f.${name}`]: control.value }));
    return control;
  }

  function showSelected() {
    const runs = store.compared();
    const link = { class: "button", href: href("/compare", { run: runs }) };
    clear(selected, runs.length > 0 && h("a", link, `Compare ${runs.length}`));
  }

  function show() {
    const { rows, about } = store.state;
    const title = h("h2", { class: "grow" }, `${count(rows.length)} of ${count(about.rows.length)} runs`);
    clear(element, title, store.filters().map(filter), selected);
    showSelected();
  }
  return { element, show, showSelected };
}

/** Return the study as an element with update(about). */
export function studyTable({ about, fields, set, open, navigate }) {
  const store = studyStore({ about, fields });
  const curves = curvesPanel(store, set);
  const filters = filtersPanel(store, set);
  const gaps = h("span");
  const list = table({
    columns: columns(about.varied, gaps, open),
    chosen: store.state.chosen,
    onChoose: filters.showSelected,
    sort: { key: fields.sort ?? "", descending: fields.order === "down" },
    onSort: ({ key, descending }) => set({ sort: key, order: descending ? "down" : "" }),
    onOpen: (row) => row.run && navigate(open(row)),
    label: "Runs of the study",
    height: "70vh",
    empty: "No run fits.",
  });
  const runs = h("section", { class: "card" }, filters.element, list);
  const box = h("div", { class: "batch-body stack" }, curves.element, runs);
  box.update = (next) => {
    store.update(next);
    filters.show();
    curves.show();
    gaps.textContent = store.gapHeading();
    list.update(store.state.rows);
  };
  return box;
}

/** Return how far the run of a row is: the exploitability, or of three players and more the largest gain. */
const gapOfRow = (row) => row.largest_gain ?? row.exploitability;
const percentOfRow = (row) => row.largest_gain_percent ?? row.exploitability_percent;

/** Return the columns; `gaps` is the heading above how far the runs are. */
function columns(varied, gaps, open) {
  const number = (key, title, show, more = {}) => ({
    key,
    title,
    numeric: true,
    show: (row) => show(row[key]),
    ...more,
  });
  const state = (row) => h("span", { class: row.error ? "tag wrong" : "note", title: row.error }, row.state);
  return [
    {
      key: "run",
      title: "Run",
      value: (row) => row.id,
      show: (row) => (row.run ? h("a", { href: open(row) }, "study") : "–"),
    },
    ...varied.map((key) => ({
      key,
      title: key,
      meaning: meaningOf(key) ?? MEANINGS.Setting,
      class: "game",
      tip: (row) => String(row[key] ?? ""),
    })),
    { key: "state", title: "State", show: state },
    {
      key: "exploitability",
      title: gaps,
      meaning: MEANINGS["Exploitability / largest gain"],
      numeric: true,
      value: gapOfRow,
      show: (row) => gap(gapOfRow(row)),
    },
    {
      key: "exploitability_percent",
      title: "% of the pot",
      numeric: true,
      value: percentOfRow,
      show: (row) => percent(percentOfRow(row) / 100, 2),
      class: "hide-narrow",
    },
    number("iterations", "Iterations", count, { class: "hide-narrow" }),
    number("nodes_touched", "Nodes touched", short, { class: "hide-narrow" }),
    number("seconds", "Time", duration),
    number("value_0", "Value", (value) => payoff(value, 4)),
  ];
}
