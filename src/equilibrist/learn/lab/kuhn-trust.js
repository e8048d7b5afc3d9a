// Trust in a model of the opponent: which model, who answers, and what the average wins and risks.
import { clear, h } from "../../page/js/base/dom.js";
import { exact, parse, signed } from "./fraction.js";
import { GAME_VALUE, MODELS, MOST_TRUST, certificate } from "./kuhn-model.js";
import { MODEL_NAMES, MODEL_PLAYS } from "./kuhn-words.js";

/** Return a figure with a title, a number and a remark. */
function figure(name, title) {
  const value = h("b");
  const more = h("small");
  const element = h("div", { class: `figure ${name}` }, h("span", { class: "what" }, title), value, more);
  return { element, value, more };
}

/** Return a choice of one of several. */
function choice(label, options, change) {
  const select = h(
    "select",
    { onchange: () => change(select.value) },
    options.map(([name, text]) => h("option", { value: name }, text)),
  );
  return { select, element: h("label", { class: "choice" }, h("span", {}, label), select) };
}

/**
 * Return the panel of the trust in a model.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 * @param {{announce: () => void}} heard what is called when something else is believed
 */
export function trustPanel(store, { announce }) {
  const believe = (changes) => {
    store.configure(changes);
    announce();
  };
  const takeSliders = () => (store.believe("sliders"), announce());
  const model = choice(
    "model of the opponent",
    MODELS.map((name) => [name, MODEL_NAMES[name]]),
    (name) => (store.believe(name), announce()),
  );
  const answers = choice(
    "who answers",
    [0, 1].map((player) => [String(player), `player ${player}`]),
    (player) => believe({ answers: Number(player) }),
  );
  const again = h("button", { type: "button", onclick: takeSliders }, "Take the sliders again");
  const slider = h("input", {
    type: "range",
    min: "0",
    max: String(MOST_TRUST),
    step: "0.01",
    "aria-label": "trust in the model",
    oninput: () => store.configure({ trust: Math.round(Number(slider.value) * 100) / 100 }),
    onchange: announce,
  });
  const box = h("input", {
    type: "text",
    class: "number",
    autocomplete: "off",
    "aria-label": "trust, as a number or a fraction",
    onchange: () => {
      const trust = parse(box.value);
      if (trust >= 0 && trust <= MOST_TRUST) believe({ trust });
      else show();
    },
  });
  const about = h("span");
  const figures = {
    won: figure("won", "won from the model"),
    beyond: figure("beyond", "gain"),
    risk: figure("risk", "risk"),
    bounds: figure("bounds", "value at this trust"),
  };
  const numbers = h(
    "div",
    { class: "scores four" },
    Object.values(figures).map((one) => one.element),
  );

  /** Show what the average wins and risks; nothing of it before the first iteration. */
  function showNumbers(answering) {
    if (!store.state.t) {
      for (const { value, more } of Object.values(figures)) {
        clear(value, "–");
        clear(more, "no iteration yet");
      }
      return;
    }
    const { won, beyond, worst, risk, lower, upper, gap } = certificate(store.average(), answering);
    clear(figures.won.value, exact(won));
    clear(figures.won.more, "chips per hand, by the average");
    clear(figures.beyond.value, signed(beyond));
    clear(figures.beyond.more, `beyond the value of the game, ${exact(GAME_VALUE[answering.player])}`);
    clear(figures.risk.value, exact(risk));
    clear(figures.risk.more, `at worst ${exact(worst)}, this far below the value`);
    clear(figures.bounds.value, `${exact(lower)} ≤ v ≤ ${exact(upper)}`);
    clear(figures.bounds.more, `gap ${exact(gap)}`);
  }

  function show() {
    const { settings } = store;
    const answering = store.answering();
    model.select.value = settings.model;
    answers.select.value = String(settings.answers);
    again.hidden = settings.model !== "sliders";
    for (const one of [answers.select, slider, box]) one.disabled = !answering;
    slider.value = String(settings.trust);
    slider.setAttribute("aria-valuetext", exact(settings.trust));
    if (document.activeElement !== box || parse(box.value) !== settings.trust) box.value = String(settings.trust);
    clear(about, answering ? ` The model: player ${1 - settings.answers} ${MODEL_PLAYS[settings.model]}.` : "");
    numbers.hidden = !answering;
    if (answering) showNumbers(answering);
  }

  const element = h(
    "section",
    { class: "panel trust", "aria-label": "Trust in a model" },
    h("header", {}, h("h3", {}, "Trust in a model of the opponent")),
    h(
      "div",
      { class: "believed" },
      model.element,
      answers.element,
      h("label", { class: "alpha" }, h("span", {}, "trust p"), slider),
      box,
      again,
    ),
    h(
      "p",
      { class: "note" },
      "Who answers is trained as if the opponent followed the model with probability p, and did its worst otherwise: ",
      "the more trust, the more is won from the model, and the more can be lost to somebody else. ",
      "p = 0 leaves the model aside, and CFR finds an equilibrium. Another trust begins again.",
      about,
    ),
    numbers,
  );
  show();
  return { element, show };
}
