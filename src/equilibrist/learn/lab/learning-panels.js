// The panels of the learning lab: numbers at the top, what runs it, what networks and table say, and curves.
import { clear, h, svg } from "../../page/js/base/dom.js";
import { iterationsInWords } from "./fraction.js";
import { CHOICES, MOST_STEPS } from "./learning-store.js";
import { drawChart } from "./regret-chart.js";
import { choice, panel, runner, scoreboard, slices } from "./regret-controls.js";
import { fixed, percent, small } from "./regret-numbers.js";

/** @typedef {import("./learning-store.js").LearningStore} LearningStore */
/** @typedef {import("./learning-store.js").InfosetRow} InfosetRow */

const FRAME = 14; // ms of learning in a frame
const AXIS = 3; // chips at either end of the axis of advantages
const wholeNumber = (value) => value.toLocaleString("en-US");
const TITLES = { units: "hidden units", traversals: "traversals an iteration", steps: "steps a fit" };

/**
 * Return the numbers at the top.
 *
 * @param {LearningStore} store
 */
export function scorePanel(store) {
  const scores = scoreboard("How good the networks are", {
    deep: "value",
    table: "",
    error: "",
    floor: "",
    memory: "",
  });
  const last = (curve) => (curve.length ? small(curve.at(-1)[1]) : "–");

  function show() {
    const { run, deep, exact, errors, floors } = store.state;
    const done = deep.length;
    const iterations = done ? `after ${iterationsInWords(done)}` : "no iteration yet";
    const kept = run.memories.reduce((sum, { samples }) => sum + samples.length, 0);
    scores.show({
      deep: ["exploitability with networks", last(deep), `of the average, ${iterations}`],
      table: ["with a table", last(exact), "linear CFR, as many iterations"],
      error: [
        "error of the networks",
        errors.length ? small(store.errorOfNetworks()) : "–",
        "against the exact table, chips",
      ],
      floor: ["error of their samples", last(floors), "what more steps cannot mend"],
      memory: ["samples kept", wholeNumber(kept), `after ${wholeNumber(run.steps)} steps of Adam`],
    });
  }
  return { element: scores.box, show };
}

/**
 * Return what runs the lab, and its settings.
 *
 * @param {LearningStore} store
 */
export function runBar(store) {
  const choices = Object.entries(CHOICES).map(([name, options]) => {
    const { box, show } = choice(TITLES[name], options, (value) => begin({ [name]: Number(value) }));
    return { name, box: h("div", {}, h("span", { class: "note" }, TITLES[name]), box), show };
  });
  const learnSome = (count) => store.advance(count, performance.now() + FRAME);
  const running = runner({
    advance(count) {
      learnSome(count);
      return store.canGoOn();
    },
    changed: () => show(),
  });
  const ahead = slices(learnSome, () => element.isConnected);
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  const step = button("One step", () => ahead.add(1));
  const iteration = button("One iteration", () => ahead.add(store.stepsLeft(ahead.left())));
  const count = h("span", { class: "count" });
  const element = h(
    "section",
    { class: "lab-runs", "aria-label": "Run" },
    choices.map(({ box }) => box),
    h("div", {}, running.button, running.speed),
    h(
      "div",
      {},
      step,
      iteration,
      button("Reset", () => begin({})),
    ),
    h("div", {}, count),
  );

  function begin(changes) {
    running.pause();
    ahead.stop();
    store.configure(changes);
  }

  function show() {
    const { run, settings } = store.state;
    for (const one of choices) one.show(String(settings[one.name]));
    clear(
      count,
      "iteration ",
      h("b", {}, wholeNumber(run.t)),
      `, network of player ${run.player}: step `,
      h("b", {}, String(run.fitted)),
      ` of ${settings.steps}`,
      !store.canGoOn() && `. A run ends after ${wholeNumber(MOST_STEPS)} steps.`,
    );
    for (const one of [running.button, step, iteration]) one.disabled = !store.canGoOn();
  }
  return { element, show };
}

/** Return a mark on the axis of advantages; what is beyond it stands at its end. */
function mark(kind, value) {
  const share = 0.5 + Math.max(-1, Math.min(1, value / AXIS)) / 2;
  return h("i", { class: kind, css: { left: `${(100 * share).toFixed(2)}%` } });
}

/** Return a row of the table. @param {InfosetRow} row */
function infosetRow({ key, player, actions, said, exact, bet, exactBet }) {
  const words = actions.map((action, k) => `${action} ${fixed(said[k], 2)}, exactly ${fixed(exact[k], 2)}`);
  const lanes = actions.map((_, k) =>
    h("span", { class: `lane move-${k}` }, mark("exact", exact[k]), mark("said", said[k])),
  );
  return h(
    "tr",
    { class: `of-${player}`, "data-infoset": key },
    h("th", { scope: "row" }, key, h("small", {}, ` ${actions[1]}?`)),
    h("td", { class: "axis", role: "img", "aria-label": words.join("; "), title: words.join("\n") }, lanes),
    h("td", {}, percent(bet)),
    h("td", {}, percent(exactBet)),
  );
}

/**
 * Return what the networks say of each infoset, beside the exact table.
 *
 * @param {LearningStore} store
 */
export function saidPanel(store) {
  const body = h("tbody");
  const headings = ["infoset", `advantages, −${AXIS} to ${AXIS} chips`, "network plays", "table"];
  const table = h(
    "table",
    { class: "said-of", "aria-label": "What the networks say of each infoset" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        headings.map((text) => h("th", { scope: "col" }, text)),
      ),
    ),
    body,
  );
  const legend = h(
    "p",
    { class: "legend" },
    h("i", { class: "said" }),
    " network ",
    h("i", { class: "exact" }),
    " exact. The upper lane is pass or fold, the lower one bet or call.",
  );
  const show = () => clear(body, store.rows().map(infosetRow));
  return { element: panel("Mean advantages: the networks and the table", null, table, legend), show };
}

/** Return a chart with its legend. */
function chartPanel({ title, lines, note }) {
  const picture = /** @type {any} */ (svg("svg", { class: "course", role: "img" }));
  const legend = h(
    "p",
    { class: "legend" },
    lines.map(({ text, kind }) => [h("i", { class: `line ${kind}` }), text]),
    `. ${note}`,
  );
  const show = () => {
    const drawn = lines.map(({ points, kind }) => ({ points: points(), kind }));
    drawChart(picture, { lines: drawn, log: true, title });
  };
  return { element: panel(title, null, picture, legend), show };
}

/**
 * Return the curves: errors by steps, and exploitability by iterations.
 *
 * @param {LearningStore} store
 */
export function curvePanels(store) {
  const { state } = store;
  return [
    chartPanel({
      title: "Error against the table, by steps of Adam",
      lines: [
        { text: "networks", kind: "first", points: () => state.errors },
        { text: "means of their samples", kind: "second", points: () => state.floors },
      ],
      note: "Root mean square over all actions, in chips.",
    }),
    chartPanel({
      title: "Exploitability of the average, by iterations",
      lines: [
        { text: "networks", kind: "first", points: () => state.deep },
        { text: "table", kind: "second", points: () => state.exact },
      ],
      note: "Chips per game.",
    }),
  ];
}
