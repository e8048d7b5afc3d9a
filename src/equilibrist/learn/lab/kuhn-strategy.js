// The twelve infosets: a slider each, what they lose, and where the average is.
import { clear, h, svg } from "../../page/js/base/dom.js";
import { asFraction, exact, parse } from "./fraction.js";
import { CARDS, INFOSETS, infosetOf } from "./kuhn-game.js";
import { CARD_NAMES, decision, described } from "./kuhn-words.js";

const [SPARK_WIDTH, SPARK_HEIGHT] = [64, 20];

/** Return a number for a narrow column: a short fraction, else so many places. */
function brief(value, places) {
  const fraction = asFraction(value);
  if (fraction && fraction[1] <= 99) return exact(value);
  const text = value.toFixed(places);
  return value > 0 && Number(text) === 0 ? `< ${1 / 10 ** places}` : text;
}

/** A row: the slider of an infoset with all that is said of it. */
function row(store, key) {
  const { actions, player } = infosetOf(key);
  const name = h(
    "button",
    { type: "button", class: "name", "aria-pressed": "false", title: described(key), onclick: () => store.choose(key) },
    h("b", {}, key),
    h("span", {}, decision(key)),
  );
  const set = (probability) => store.setBet(key, probability);
  const slider = h("input", {
    type: "range",
    min: "0",
    max: "1",
    step: "any",
    "aria-label": `${key}: probability of ${actions[1]} (${described(key)})`,
    oninput: () => set(Math.round(Number(slider.value) * 100) / 100),
    onkeydown: (event) => {
      const steps = {
        ArrowRight: 0.01,
        ArrowUp: 0.01,
        ArrowLeft: -0.01,
        ArrowDown: -0.01,
        PageUp: 0.1,
        PageDown: -0.1,
      }[event.key];
      if (steps === undefined) return;
      event.preventDefault();
      set(Math.min(1, Math.max(0, Math.round((store.state.strategy[key] + steps) * 100) / 100)));
    },
  });
  const box = h("input", {
    type: "text",
    class: "number",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": `${key}: probability of ${actions[1]}, as a number or a fraction`,
    onfocus: () => box.select(),
    onchange: () => {
      const probability = parse(box.value);
      if (probability >= 0 && probability <= 1) set(probability);
      else show();
    },
  });
  const average = h("i", { class: "average", title: "the average strategy" });
  const best = h("i", { class: "best" });
  const loss = h("span", { class: "loss" });
  const line = svg("polyline", { points: "" });
  const spark = svg(
    "svg",
    { class: "spark", viewBox: `0 -1 ${SPARK_WIDTH} ${SPARK_HEIGHT + 2}`, "aria-hidden": "true" },
    line,
  );
  const element = h(
    "div",
    { class: `infoset of-${player}` },
    name,
    h("span", { class: "slider" }, best, slider, average),
    box,
    spark,
    loss,
  );
  let last = null;

  function show(evaluation = last) {
    last = evaluation;
    const probability = store.state.strategy[key];
    slider.value = String(probability);
    slider.setAttribute("aria-valuetext", exact(probability));
    if (document.activeElement !== box || parse(box.value) !== probability) box.value = brief(probability, 3);
    element.style.setProperty("--p", String(probability));
    element.style.setProperty("--average", String(store.average()[key]));
    element.classList.toggle("ran", store.state.t > 0);
    element.classList.toggle("chosen", store.chosen === key);
    name.setAttribute("aria-pressed", String(store.chosen === key));
    if (!evaluation) return;
    const response = evaluation.response[key];
    const [passing, betting] = evaluation.actions[key];
    const even = Math.abs(passing - betting) < 1e-12;
    best.className = even ? "best even" : `best side-${response}`;
    best.title = even ? "both actions are equally good" : `best response: ${actions[response]}`;
    const lost = evaluation.losses[key];
    loss.textContent = Math.abs(lost) < 1e-12 ? "0" : brief(lost, 4);
    element.style.setProperty("--loss", String(Math.min(1, Math.max(0, lost) / 0.35)));
    line.setAttribute("points", course(store.points, key));
  }
  return { element, show };
}

/** Return the course of the average of an infoset as points, over the logarithm of iterations. */
function course(points, key) {
  const run = points.filter(({ t }) => t > 0);
  if (run.length < 2) return "";
  const far = Math.log(run.at(-1).t);
  return run
    .map(
      ({ t, mean }) =>
        `${((Math.log(t) / far) * SPARK_WIDTH).toFixed(1)},${((1 - mean[key]) * SPARK_HEIGHT).toFixed(1)}`,
    )
    .join(" ");
}

/**
 * Return the panel of the strategies.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 */
export function strategyPanel(store) {
  const rows = new Map(INFOSETS.map(({ key }) => [key, row(store, key)]));
  const gains = [0, 1].map(() => h("span", { class: "gain" }));
  const groups = [0, 1].map((player) =>
    h(
      "div",
      { class: `group of-${player}`, role: "group", "aria-label": `player ${player}` },
      h("h4", {}, h("span", { class: "who" }, `Player ${player}`), gains[player]),
      CARDS.map((card) =>
        h(
          "div",
          { class: "of-card", role: "group", "aria-label": CARD_NAMES[card] },
          INFOSETS.filter((one) => one.player === player && one.card === card).map(({ key }) => rows.get(key)?.element),
        ),
      ),
    ),
  );
  const element = h(
    "section",
    { class: "panel strategy", "aria-label": "The strategies" },
    h("header", {}, h("h3", {}, "How often each infoset bets or calls"), h("span", { class: "columns" }, "loses")),
    groups,
    h(
      "p",
      { class: "legend" },
      h("span", {}, "◂ ▸ best response"),
      h("span", {}, h("i", { class: "average-sign" }), " average, and its course"),
      h("span", {}, "loses: chips per hand against the best response, in all nash_conv"),
    ),
  );

  function show(evaluation) {
    for (const one of rows.values()) one.show(evaluation);
    for (const player of [0, 1]) clear(gains[player], `could gain ${exact(evaluation.gains[player])}`);
  }
  return { element, show };
}
