// Several runs on the same axes.
import { href, openPath } from "../base/address.js";
import { get } from "../base/api.js";
import { category } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { count, duration, gap, gapBelow, gapHeading, gapsOf, measureName, payoff, short } from "../base/format.js";
import { algorithmOf, legendNames, titleOf } from "../base/words.js";
import { algorithmName } from "../parts/algorithm-name.js";
import { lineChart } from "../parts/chart.js";
import { saveMenu } from "../parts/save-view.js";
import { table } from "../parts/table.js";

/** @import { Measured, TracedRun } from "../base/answers.js" */

const ACROSS = {
  iteration: { name: "Iterations", format: short },
  seconds: { name: "Time", format: duration },
  nodes_touched: { name: "Nodes touched", format: short },
};
const VALUE = { name: "Value of player 0", log: false };

/**
 * Return a number of a checkpoint. What is called exploitability is of three players and more the largest gain.
 *
 * @param {Measured} point
 * @param {string} key
 */
function valueAt(point, key) {
  if (key === "exploitability") return gapsOf(point).amount;
  if (key === "exploitability_percent") return gapsOf(point).percent;
  return (key === "value" ? point.value[0] : point.measures[key]) ?? null;
}

/**
 * Return what may be on the vertical axis: the measures of the runs, and the value of player 0.
 *
 * @param {TracedRun[]} runs
 */
function verticalAxes(runs) {
  const names = new Set(runs.flatMap((run) => run.trace.flatMap((point) => Object.keys(point.measures))));
  names.delete("nash_conv"); // a multiple of the exploitability
  const exploitability = measureName("exploitability");
  const title = (name) => measureName(name).replace(exploitability, gapHeading(runs));
  const axes = Object.fromEntries([...names].map((name) => [name, { name: title(name), log: true }]));
  return runs.some((run) => run.trace.some((point) => point.value.length)) ? { ...axes, value: VALUE } : axes;
}

function nothing() {
  return [
    h("h1", {}, "Compare"),
    h(
      "p",
      { class: "card notice" },
      "Select two runs or more in the ",
      h("a", { href: "/" }, "library"),
      " to see their curves on the same axes.",
    ),
  ];
}

/**
 * Return the columns of the table below the chart.
 *
 * @param {TracedRun[]} runs
 */
function columns(runs, without) {
  const heading = gapHeading(runs);
  const amount = (run) => gapsOf(run).amount;
  const best = Math.min(...runs.map((run) => amount(run) ?? Infinity));
  const link = (run) => [
    h("span", { class: "dot", css: { "--colour": category(run.number) } }),
    " ",
    h("a", { href: openPath(run) }, run.label),
  ];
  const drop = (run) =>
    h("a", { class: "button quiet small", "aria-label": `Leave ${run.label} out`, href: without(run) }, "×");
  const numeric = true;
  return [
    { key: "label", title: "Run", show: (run) => h("span", {}, link(run)) },
    { key: "game", title: "Game", value: titleOf, tip: (run) => run.game },
    { key: "algorithm", title: "Algorithm", value: algorithmOf, show: algorithmName },
    { key: "iteration", title: "Iterations", numeric, show: (run) => count(run.iteration) },
    { key: "nodes_touched", title: "Nodes touched", numeric, show: (run) => short(run.nodes_touched) },
    {
      key: "solve_seconds",
      title: "Time",
      numeric,
      show: (run) => duration(run.solve_seconds),
      tip: (run) => `of solving; ${duration(run.seconds)} with compiling and saving`,
    },
    {
      key: "exploitability",
      title: heading,
      numeric,
      value: amount,
      show: (run) => h(amount(run) === best ? "strong" : "span", {}, gapBelow(run, heading)),
    },
    {
      key: "value",
      title: "Value",
      numeric,
      sort: false,
      show: (run) => (run.value.length ? run.value.map((value) => payoff(value, 4)).join(", ") : "–"),
    },
    { key: "drop", class: "menu", title: h("span", { class: "sr" }, "Leave out"), sort: false, show: drop },
  ];
}

/** Return buttons of which one is pressed; onPick(name) hears which. */
function segmented(label, options, pressed, onPick) {
  const buttons = Object.entries(options).map(([name, text]) =>
    h("button", { class: "button", type: "button", onclick: () => pick(name), dataset: { name } }, text),
  );
  const mark = (name) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.name === name));
  };
  const pick = (name) => (mark(name), onPick(name));
  mark(pressed);
  return h("div", { class: "segmented", role: "group", "aria-label": label }, buttons);
}

export async function show(root, { query, navigate, signal }) {
  document.title = "Compare · Equilibrist";
  const ids = query.getAll("run");
  const { runs } = ids.length ? await get("/compare", { run: ids }, { signal }) : { runs: [] };
  const readable = runs.filter((run) => run.error === null);
  const names = legendNames(readable);
  const usable = readable.map((run, number) => ({ ...run, number, label: names[number] }));
  if (!usable.length) {
    root.append(...nothing());
    return {};
  }
  const state = { x: query.get("x") ?? "iteration", y: query.get("y") ?? "exploitability" };
  if (!(state.x in ACROSS)) state.x = "iteration";
  const up = verticalAxes(usable);
  if (!(state.y in up)) state.y = "exploitability" in up ? "exploitability" : Object.keys(up)[0];
  const chart = lineChart({ height: Math.max(260, Math.min(460, innerHeight - 360)), title: "Runs compared" });

  function draw() {
    chart.update({
      series: usable.map((run) => ({
        name: run.label,
        points: run.trace.map((point) => [point[state.x], valueAt(point, state.y)]),
      })),
      x: { label: ACROSS[state.x].name, log: true, format: ACROSS[state.x].format },
      y: { label: up[state.y].name, log: up[state.y].log, format: state.y === "value" ? payoff : gap },
    });
  }
  const choose = (key, label, options) =>
    segmented(label, options, state[key], (name) => {
      state[key] = name;
      navigate("/compare", { run: ids, ...state }, { replace: true });
      draw();
    });
  const without = (run) => href("/compare", { run: ids.filter((id) => id !== run.id), ...state });
  const named = (keys, of) => Object.fromEntries(keys.map((key) => [key, of[key].name]));
  const several = new Set(usable.map((run) => run.game)).size > 1;
  clear(
    root,
    h("h1", {}, "Compare"),
    several && h("p", { class: "note warn" }, "These runs are of different games: numbers in payoff do not compare."),
    h(
      "div",
      { class: "toolbar" },
      usable.length === 2 && h("a", { class: "button", href: href("/side", { run: ids }) }, "Side by side"),
      choose("x", "Horizontal axis", named(Object.keys(ACROSS), ACROSS)),
      Object.keys(up).length > 1 && choose("y", "Vertical axis", named(Object.keys(up), up)),
      saveMenu(
        () => chart,
        () => "Runs compared",
      ),
    ),
    h("div", { class: "card" }, chart),
    table({
      label: "Runs compared",
      rows: usable,
      sort: { key: "exploitability", descending: false },
      onOpen: (run) => navigate(openPath(run)),
      columns: columns(usable, without),
    }),
    h("p", { class: "note" }, "A chart's arrow keys walk along its first line; the legend hides lines."),
  );
  draw();
  return {};
}
