// Push or fold by stacks: the highest stack at which each hand is pushed or called with, or how often at one stack.
import { href } from "../base/address.js";
import { address, get } from "../base/api.js";
import { clear, field, h, later } from "../base/dom.js";
import { percent } from "../base/format.js";
import { decimal } from "../base/numbers.js";
import { CLASSES, rangeGrid } from "../cards/grid.js";
import { rangeViews } from "../parts/range-tabs.js";
import { table } from "../parts/table.js";
import { heat } from "../poker/hands.js";

/** @import { PushFoldCharts } from "../base/answers.js" */

const ACTIONS = { push: "Push (SB)", call: "Call (BB)" };
const FIELDS = {
  stacks: ["Stacks, bb", "from..to", "1..20"],
  step: ["Step", "bb between two", "1"],
  ante: ["Ante", "of each player, bb", "0"],
  bb_ante: ["Big blind's ante", "for both, bb", "0"],
};

export async function show(root, { query, signal }) {
  document.title = "Push or fold · Equilibrist";
  let chart = null;
  let action = query.get("action") in ACTIONS ? query.get("action") : "push";
  let at = query.get("at") ?? ""; // a stack, or "": the highest
  const inputs = Object.fromEntries(
    Object.entries(FIELDS).map(([name, [, , usual]]) => [
      name,
      h("input", { type: "text", autocomplete: "off", value: query.get(name) ?? usual, onchange: () => read() }),
    ]),
  );
  const fields = Object.fromEntries(
    Object.entries(FIELDS).map(([name, [label, help]]) => [name, field(label, inputs[name], { name, help })]),
  );
  const status = h("p", { class: "note", role: "status" });
  const actions = h("div", { class: "segmented", role: "group", "aria-label": "Whose hands" });
  const stacks = h("select", { "aria-label": "Stack", onchange: () => ((at = stacks.value), draw()) });
  const use = h("a", { class: "button small" }, "As a range");
  const grid = rangeGrid({ label: "Hands by stack", onSelect: () => {} });
  const csv = h("a", { class: "button", download: "push-or-fold.csv" }, "Save as CSV");
  const number = (key, title) => ({
    key,
    title,
    numeric: true,
    descending: true,
    show: (row) => (row[key] === null ? "–" : String(row[key])),
  });
  const list = table({
    columns: [
      { key: "hand", title: "Hand", value: (row) => CLASSES.indexOf(row.hand), show: (row) => row.hand },
      number("push", "Push to, bb"),
      { key: "push at", title: "at", sort: false },
      number("call", "Call to, bb"),
      { key: "call at", title: "at", sort: false },
    ],
    key: (row) => row.hand,
    onOpen: (row) => grid.select(row.hand, { focus: true }),
    sort: { key: "push", descending: true },
    label: "The highest stack of each hand, and all stacks at which it is played",
    height: "max(280px, calc(100vh - 330px))",
    empty: "",
  });

  const asked = () =>
    Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [
        name,
        name === "stacks" ? input.value.trim() : decimal(input.value),
      ]),
    );

  let number_asked = 0;
  const read = later(async () => {
    const mine = ++number_asked;
    for (const one of Object.values(fields)) one.fail("");
    status.textContent = "Solving …";
    note();
    let known = 0; // stacks that are solved and drawn
    try {
      do {
        const answer = await get("/charts", asked(), { signal });
        if (mine !== number_asked) return;
        chart = answer;
        known = chart.stacks.length;
        status.textContent = chart.remaining ? `Solving: ${known} of ${known + chart.remaining} stacks …` : told(chart);
        draw();
      } while (chart.remaining);
    } catch (error) {
      if (mine !== number_asked || error.name === "AbortError") return;
      if (!known) chart = null;
      status.textContent = known ? `${known} stacks are solved; the rest is not.` : "";
      (fields[error.field] ?? fields.stacks).fail(error.message, { focus: false });
      draw();
    }
  }, 50);

  function note() {
    const shown = Object.entries(asked()).filter(([name, text]) => text !== FIELDS[name][2]);
    const place = { action: action === "push" ? "" : action, at };
    history.replaceState(null, "", href("/charts", { ...Object.fromEntries(shown), ...place }));
  }

  function draw() {
    if (chart && !chart.stacks.map(String).includes(at)) at = "";
    note();
    clear(
      actions,
      Object.entries(ACTIONS).map(([key, text]) =>
        h(
          "button",
          {
            type: "button",
            class: "button small",
            "aria-pressed": String(key === action),
            onclick: () => ((action = key), draw()),
          },
          text,
        ),
      ),
    );
    clear(
      stacks,
      h("option", { value: "" }, "The highest stack"),
      (chart?.stacks ?? []).map((stack) => h("option", { value: stack }, `At ${stack} bb`)),
    );
    stacks.value = at;
    csv.setAttribute("href", address("/charts", { ...asked(), format: "csv" }));
    use.hidden = !at || !chart;
    if (at && chart) use.setAttribute("href", href("/ranges", { text: JSON.stringify(rangeAt(chart, action, at)) }));
    grid.update(chart ? (at ? playedCells(chart, action, at) : highestCells(chart, action)) : new Map());
    list.update(chart ? rowsOf(chart) : []);
  }

  root.append(
    h(
      "div",
      { class: "toolbar" },
      h("h1", {}, "Push or fold"),
      rangeViews("/charts"),
      h("span", { class: "grow" }),
      csv,
    ),
    h(
      "div",
      { class: "columns" },
      h("div", { class: "card" }, h("div", { class: "toolbar" }, actions, stacks, use), grid),
      h("div", { class: "card" }, h("div", { class: "fields" }, Object.values(fields)), status, list),
    ),
  );
  draw();
  read();
}

/**
 * Return what is said of a chart that is solved.
 *
 * @param {PushFoldCharts} chart
 */
function told({ stacks, exploitability, left_out: leftOut }) {
  const without = leftOut.length
    ? ` Left out, as the antes leave less than a big blind: ${leftOut.join(", ")} bb.`
    : "";
  return `${stacks.length} stacks, each solved to ${exploitability.toExponential(0)} bb a hand or better. A hand counts as played where it is at least half of the time; * marks gaps.${without}`;
}

/**
 * Return the hands by their probability of an action at a stack, those of 0 left out.
 *
 * @param {PushFoldCharts} chart
 * @param {"push" | "call"} action
 */
function rangeAt({ stacks, probabilities }, action, at) {
  const shares = probabilities[action][stacks.map(String).indexOf(at)];
  return Object.fromEntries(CLASSES.map((name, k) => [name, shares[k]]).filter(([, share]) => Number(share) >= 0.005));
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
