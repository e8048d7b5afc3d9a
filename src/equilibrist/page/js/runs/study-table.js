// A study: its runs as a table that is filtered by what varies, with the curves of those that are shown.
import { href } from "../base/address.js";
import { category } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { count, duration, gap, payoff, percent, short } from "../base/format.js";
import { DASHES, lineChart } from "../parts/chart.js";
import { choice } from "../parts/choice.js";
import { MEANINGS, meaningOf } from "../parts/explain.js";
import { saveMenu } from "../parts/save-view.js";
import { table } from "../parts/table.js";
import { differs } from "./batches.js";

const MOST_LINES = 24;
const ACROSS = {
  iteration: ["Iterations", 0, short],
  seconds: ["Time", 1, duration],
  nodes_touched: ["Nodes touched", 2, short],
};

/** Return the study as an element with update(about). */
export function studyTable({ about, fields, set, open, navigate }) {
  const chosen = new Set();
  const filters = h("div", { class: "toolbar filters" });
  const selected = h("span", { class: "toolbar" });
  const axes = h("div", { class: "segmented", role: "group", "aria-label": "Horizontal axis" });
  const chart = lineChart({ height: 320, title: "Exploitability of the runs" });
  const note = h("p", { class: "note" });
  const curves = h(
    "section",
    { class: "card" },
    h(
      "div",
      { class: "toolbar" },
      h("h2", { class: "grow" }, "Curves"),
      axes,
      saveMenu(
        () => chart,
        () => `${about.name}: curves`,
      ),
    ),
    chart,
    note,
  );
  const list = table({
    columns: columns(about.varied, open),
    chosen,
    onChoose: drawSelected,
    sort: { key: fields.sort ?? "", descending: fields.order === "down" },
    onSort: ({ key, descending }) => set({ sort: key, order: descending ? "down" : "" }),
    onOpen: (row) => row.run && navigate(open(row)),
    label: "Runs of the study",
    height: "70vh",
    empty: "No run fits.",
  });
  const box = h("div", { class: "batch-body stack" }, curves, h("section", { class: "card" }, filters, list));

  function drawSelected() {
    const runs = about.rows.filter((row) => chosen.has(row.id) && row.run).map((row) => row.run);
    const compare = h("a", { class: "button", href: href("/compare", { run: runs }) }, `Compare ${runs.length}`);
    clear(selected, runs.length > 1 && runs.length <= 12 && compare);
  }

  function drawFilters(rows) {
    const some = [...about.varied, "state"].map((name) => {
      const values = [...new Set(about.rows.map((row) => String(row[name])))];
      const control = choice(
        [["", `${name}: all`], ...values.map((value) => [value, value])],
        fields[`f.${name}`] ?? "",
      );
      control.setAttribute("aria-label", name);
      control.addEventListener("change", () => set({ [`f.${name}`]: control.value }));
      return values.length > 1 ? control : null;
    });
    const title = h("h2", { class: "grow" }, `${count(rows.length)} of ${count(about.rows.length)} runs`);
    clear(filters, title, some, selected);
  }

  function drawCurves(rows) {
    const across = fields.x in ACROSS ? fields.x : "iteration";
    const drawn = rows.filter((row) => about.curves[row.id]);
    const names = differs(drawn, about.varied);
    const [label, place, format] = ACROSS[across];
    curves.hidden = !drawn.length;
    clear(
      axes,
      Object.entries(ACROSS).map(([name, [words]]) => {
        const attributes = { "aria-pressed": String(name === across), onclick: () => set({ x: name }) };
        return h("button", { type: "button", class: "button small", ...attributes }, words);
      }),
    );
    chart.update({
      series: drawn.slice(0, MOST_LINES).map((row, k) => ({
        name:
          names
            .map((name) => row[name])
            .filter((value) => value !== undefined)
            .join(" · ") || about.name,
        colour: category(k),
        dash: DASHES[(k + Math.trunc(k / DASHES.length)) % DASHES.length],
        points: about.curves[row.id].map((point) => [point[place], point[3]]),
      })),
      x: { label, log: true, format },
      y: { label: "Exploitability", log: true, format: gap },
    });
    const more =
      drawn.length > MOST_LINES ? `The first ${MOST_LINES} of ${drawn.length} are drawn: filter the others.` : "";
    const games = new Set(drawn.map((row) => row.game)).size > 1;
    note.textContent = [more, games && "These are different games: exploitabilities in payoff do not compare."]
      .filter(Boolean)
      .join(" ");
  }

  box.update = (next) => {
    about = next;
    const rows = about.rows.filter((row) =>
      [...about.varied, "state"].every((name) => !fields[`f.${name}`] || String(row[name]) === fields[`f.${name}`]),
    );
    drawFilters(rows);
    drawCurves(rows);
    drawSelected();
    list.update(rows);
  };
  return box;
}

function columns(varied, open) {
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
    number("exploitability", "Exploitability", gap),
    number("exploitability_percent", "% of the pot", (value) => percent(value / 100, 2), { class: "hide-narrow" }),
    number("iterations", "Iterations", count, { class: "hide-narrow" }),
    number("nodes_touched", "Nodes touched", short, { class: "hide-narrow" }),
    number("seconds", "Time", duration),
    number("value_0", "Value", (value) => payoff(value, 4)),
  ];
}
