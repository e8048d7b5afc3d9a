// Push or fold by stacks: the highest stack at which each hand is pushed or called with, or how often at one stack.
import { href } from "../base/address.js";
import { address, get } from "../base/api.js";
import { clear, field, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { CLASSES, rangeGrid } from "../cards/grid.js";
import { rangeViews } from "../parts/range-tabs.js";
import { table } from "../parts/table.js";
import { ACTIONS, chartStore, rangeAt } from "../poker/chart-store.js";
import { heat } from "../poker/hands.js";

/** @typedef {import("../poker/chart-store.js").ChartStore} ChartStore */

/** Label and help of each field. */
const FIELDS = {
  stacks: ["Stacks, bb", "from..to"],
  step: ["Step", "bb between two"],
  ante: ["Ante", "of each player, bb"],
  bb_ante: ["Big blind's ante", "for both, bb"],
};

/**
 * Return the fields of what is asked.
 *
 * @param {ChartStore} store
 */
function settingsPanel(store) {
  const fields = Object.fromEntries(
    Object.entries(FIELDS).map(([name, [label, help]]) => {
      const input = h("input", {
        type: "text",
        autocomplete: "off",
        value: store.state.texts[name],
        oninput: () => (store.state.texts[name] = input.value),
        onchange: store.solveLater,
      });
      return [name, field(label, input, { name, help })];
    }),
  );

  function showProblem() {
    const { error } = store.state;
    if (error) (fields[error.field] ?? fields.stacks).fail(error.message, { focus: false });
    else for (const one of Object.values(fields)) one.fail("");
  }
  return { element: h("div", { class: "fields" }, Object.values(fields)), showProblem };
}

/**
 * Return the grid of hands, with the choice of whose and at which stack.
 *
 * @param {ChartStore} store
 */
function gridPanel(store) {
  const actions = h("div", { class: "segmented", role: "group", "aria-label": "Whose hands" });
  const stacks = h("select", { "aria-label": "Stack", onchange: () => store.showStack(stacks.value) });
  const use = h("a", { class: "button small" }, "As a range");
  const grid = rangeGrid({ label: "Hands by stack", onSelect: () => {} });
  const button = ([action, text]) => {
    const pressed = String(action === store.state.action);
    const attributes = { type: "button", class: "button small", "aria-pressed": pressed };
    return h("button", { ...attributes, onclick: () => store.showAction(action) }, text);
  };

  function showStacks() {
    const { chart, at } = store.state;
    const options = (chart?.stacks ?? []).map((stack) => h("option", { value: stack }, `At ${stack} bb`));
    clear(stacks, h("option", { value: "" }, "The highest stack"), options);
    stacks.value = at;
  }

  /** Return the cells of what is shown. */
  function cells() {
    const { chart, action, at } = store.state;
    if (!chart) return new Map();
    return at ? playedCells(chart, action, at) : highestCells(chart, action);
  }

  function show() {
    const { chart, action, at } = store.state;
    clear(actions, Object.entries(ACTIONS).map(button));
    showStacks();
    use.hidden = !at || !chart;
    if (at && chart) use.setAttribute("href", href("/ranges", { text: JSON.stringify(rangeAt(chart, action, at)) }));
    grid.update(cells());
  }
  const element = h("div", { class: "card" }, h("div", { class: "toolbar" }, actions, stacks, use), grid);
  return { element, grid, show };
}

/** Return the table of the highest stack of each hand; onOpen(row) is told of a row. */
function stackTable(onOpen) {
  const number = (key, title) => ({
    key,
    title,
    numeric: true,
    descending: true,
    show: (row) => (row[key] === null ? "–" : String(row[key])),
  });
  return table({
    columns: [
      { key: "hand", title: "Hand", value: (row) => CLASSES.indexOf(row.hand), show: (row) => row.hand },
      number("push", "Push to, bb"),
      { key: "push at", title: "at", sort: false },
      number("call", "Call to, bb"),
      { key: "call at", title: "at", sort: false },
    ],
    key: (row) => row.hand,
    onOpen,
    sort: { key: "push", descending: true },
    label: "The highest stack of each hand, and all stacks at which it is played",
    height: "max(280px, calc(100vh - 330px))",
    empty: "",
  });
}

export async function show(root, { query, signal }) {
  document.title = "Push or fold · Equilibrist";
  const store = chartStore({ ask: (request) => get("/charts", request, { signal }), query });
  const settings = settingsPanel(store);
  const hands = gridPanel(store);
  const list = stackTable((row) => hands.grid.select(row.hand, { focus: true }));
  const status = h("p", { class: "note", role: "status" });
  const csv = h("a", { class: "button", download: "push-or-fold.csv" }, "Save as CSV");

  function note() {
    history.replaceState(null, "", store.address());
  }

  function draw() {
    const { chart } = store.state;
    note();
    csv.setAttribute("href", address("/charts", { ...store.request(), format: "csv" }));
    hands.show();
    list.update(chart ? rowsOf(chart) : []);
  }

  store.subscribe((what) => {
    if (what === "asked") note();
    else if (what === "status") status.textContent = store.state.status;
    else if (what === "problem") settings.showProblem();
    else draw();
  });
  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Push or fold"),
      rangeViews("/charts"),
      h("span", { class: "grow" }),
      csv,
    ),
    h("div", { class: "columns" }, hands.element, h("div", { class: "card" }, settings.element, status, list)),
  );
  draw();
  store.solveLater();
}

/** Return cells filled by the probability of an action at a stack. */
function playedCells(chart, action, at) {
  const range = rangeAt(chart, action, at);
  return new Map(
    Object.entries(range).map(([name, share]) => [
      name,
      {
        segments: [{ colour: "var(--range)", share: 1 }],
        weight: share,
        label: share > 0.995 ? "" : String(Math.round(100 * share)),
        title: `${name}: ${action} ${percent(share)} at ${at} bb`,
      },
    ]),
  );
}

/** Return cells with the highest stack of an action, coloured by it. */
function highestCells(chart, action) {
  const [low, high] = [Math.log(chart.stacks[0]), Math.log(chart.stacks.at(-1))];
  const cells = new Map();
  chart.hand.forEach((name, k) => {
    const stack = chart[action][k];
    const played = chart[`${action} at`][k];
    if (stack === null) return;
    cells.set(name, {
      segments: [{ colour: heat(high > low ? (Math.log(stack) - low) / (high - low) : 1), share: 1 }],
      weight: 1,
      label: `${stack}${played.includes(",") ? "*" : ""}`,
      title: `${name}: ${action} at ${played} bb`,
    });
  });
  return cells;
}

const rowsOf = (chart) =>
  chart.hand.map((hand, k) =>
    Object.fromEntries([["hand", hand], ...["push", "push at", "call", "call at"].map((key) => [key, chart[key][k]])]),
  );
