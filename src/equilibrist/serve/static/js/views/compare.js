// Several runs on the same axes.
import { get } from "../api.js";
import { href } from "../app.js";
import { category } from "../colours.js";
import { clear, h } from "../dom.js";
import { count, duration, gap, gapOf, payoff, short } from "../format.js";
import { lineChart } from "../widgets/chart.js";
import { table } from "../widgets/table.js";
import { openPath, pathOfId } from "./library.js";

const ACROSS = {
  iteration: { name: "Iterations", format: short },
  seconds: { name: "Seconds", format: duration },
  nodes_touched: { name: "Nodes touched", format: short },
};
const UP = {
  exploitability: { name: "Exploitability", log: true },
  exploitability_percent: { name: "Exploitability, % of the pot", log: true },
  value: { name: "Value of player 0", log: false },
  cce_distance: { name: "Distance from a coarse correlated equilibrium", log: true },
};

export async function show(root, { query, navigate, signal }) {
  document.title = "Compare · Equilibrist";
  const ids = query.getAll("run");
  const { runs } = ids.length ? await get("/compare", { run: ids }, { signal }) : { runs: [] };
  const usable = runs.filter((run) => !run.error);
  const state = { x: query.get("x") ?? "iteration", y: query.get("y") ?? "exploitability" };
  if (!(state.x in ACROSS)) state.x = "iteration";
  if (!(state.y in UP)) state.y = "exploitability";
  const of = (point) => (state.y === "value" ? point.value[0] : point[state.y]);
  const names = distinct(usable);
  const known = Object.keys(UP).filter((key) =>
    usable.some((run) => run.trace.some((point) => (key === "value" ? point.value.length : point[key] !== null))),
  );

  const chart = lineChart({ height: Math.max(260, Math.min(460, innerHeight - 360)), title: "Runs compared" });
  const draw = () =>
    chart.update({
      series: usable.map((run, number) => ({
        name: names[number],
        points: run.trace.map((point) => [point[state.x], of(point)]),
      })),
      x: { label: ACROSS[state.x].name, log: true, format: ACROSS[state.x].format },
      y: { label: UP[state.y].name, log: UP[state.y].log, format: state.y === "value" ? payoff : gap },
    });
  const choose = (key, options) => {
    const buttons = Object.entries(options).map(([name, text]) =>
      h(
        "button",
        {
          class: "button",
          type: "button",
          "aria-pressed": String(state[key] === name),
          onclick: (event) => pick(event, name),
        },
        text,
      ),
    );
    function pick(event, name) {
      state[key] = name;
      for (const button of buttons) button.setAttribute("aria-pressed", String(button === event.currentTarget));
      navigate("/compare", { run: ids, ...state }, { replace: true });
      draw();
    }
    return h("div", { class: "segmented", role: "group" }, buttons);
  };

  if (!usable.length) {
    root.append(
      h("h1", {}, "Compare"),
      h(
        "p",
        { class: "card notice" },
        "Choose two runs or more in the ",
        h("a", { href: "/" }, "library"),
        " to see their curves on the same axes.",
      ),
    );
    return {};
  }
  const best = (key) => Math.min(...usable.map((run) => run[key]).filter((value) => value !== null));
  const rows = usable.map((run, number) => ({ ...run, title: names[number], number }));
  clear(
    root,
    h("h1", {}, "Compare"),
    new Set(usable.map((run) => run.game)).size > 1 &&
      h("p", { class: "note warn" }, "These runs are of different games: exploitabilities in payoff do not compare."),
    h(
      "div",
      { class: "toolbar" },
      choose("x", Object.fromEntries(Object.entries(ACROSS).map(([key, { name }]) => [key, name]))),
      known.length > 1 && choose("y", Object.fromEntries(known.map((key) => [key, UP[key].name]))),
    ),
    h("div", { class: "card" }, chart),
    table({
      label: "Runs compared",
      rows,
      sort: { key: "exploitability", descending: false },
      onOpen: (run) => navigate(openPath(run)),
      columns: [
        {
          key: "title",
          title: "Run",
          show: (run) =>
            h(
              "span",
              {},
              h("span", { class: "dot", css: { "--colour": category(run.number) } }),
              " ",
              h("a", { href: openPath(run) }, run.title),
            ),
        },
        { key: "game", title: "Game" },
        {
          key: "algorithm",
          title: "Algorithm",
          show: (run) => (run.sampling === "full" ? run.algorithm : `${run.algorithm}, ${run.sampling}`),
        },
        { key: "iteration", title: "Iterations", numeric: true, show: (run) => count(run.iteration) },
        { key: "nodes_touched", title: "Nodes touched", numeric: true, show: (run) => short(run.nodes_touched) },
        { key: "solve_seconds", title: "Iterating", numeric: true, show: (run) => duration(run.solve_seconds) },
        {
          key: "exploitability",
          title: "Exploitability",
          numeric: true,
          show: (run) => h(run.exploitability === best("exploitability") ? "strong" : "span", {}, gapOf(run)),
        },
        {
          key: "value",
          title: "Value",
          numeric: true,
          sort: false,
          show: (run) => (run.value.length ? run.value.map((value) => payoff(value, 4)).join(", ") : "–"),
        },
        {
          key: "drop",
          class: "menu",
          title: h("span", { class: "sr" }, "Leave out"),
          sort: false,
          show: (run) =>
            h(
              "a",
              {
                class: "button quiet small",
                "aria-label": `Leave ${run.title} out`,
                href: href("/compare", { run: ids.filter((id) => id !== run.id), ...state }),
              },
              "×",
            ),
        },
      ],
    }),
  );
  clear(
    root.appendChild(h("p", { class: "note" })),
    "A chart's arrow keys walk along its first line; the legend hides lines.",
  );
  draw();
  return {};
}

/** Return names that tell runs apart: those of their folders, with the folder around where two are the same. */
function distinct(runs) {
  const all = runs.map((run) => run.name);
  return runs.map((run) => (all.filter((name) => name === run.name).length > 1 ? pathOfId(run.id) : run.name));
}
