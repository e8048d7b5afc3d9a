// Predict: the next strategies of five infosets stay hidden until the reader has typed them.
import { clear, h } from "../../page/js/base/dom.js";
import { exact } from "./fraction.js";
import { infosetOf } from "./kuhn-game.js";
import { makePredictStore } from "./kuhn-predict-store.js";
import { because, described } from "./kuhn-words.js";
import { ALGORITHMS } from "./update-rules.js";

/** @typedef {ReturnType<typeof import("./kuhn-store.js").makeStore>} KuhnStore */
/** @typedef {import("./kuhn-predict-store.js").Question} Question */

/** Return a button. @param {string} text @param {() => void} onclick @param {string | null} [style] */
const button = (text, onclick, style = null) => h("button", { type: "button", class: style, onclick }, text);

/** Return which infoset is asked for, and what the iteration is. @param {KuhnStore} lab @param {Question} question */
function situation(lab, { key, number, count, update }) {
  const { algorithm, alternating, walk } = lab.settings;
  const deals = walk === "full" ? "all six deals" : `the deal ${update.visited[0].deal}`;
  const order = alternating ? "in turn" : "at once";
  const isSecond = infosetOf(key).player === 1 && alternating;
  return h(
    "p",
    {},
    `${number + 1} of ${count}: `,
    h("b", {}, key),
    `, ${described(key)}. `,
    `Iteration ${lab.state.t + 1} of ${algorithm}, ${order}, ${deals}.`,
    isSecond ? " Player 0 has been updated before." : "",
  );
}

/** Return what the sums are made of, not what follows from it. @param {Question} question */
function hintOf({ key, update }) {
  const { actions } = infosetOf(key);
  const values = update.visited.map(
    ({ deal, weight, values }) =>
      `with ${deal}, which counts ${exact(weight)}, ${actions[0]} is worth ${exact(values[0])} and ${actions[1]} ${exact(values[1])}`,
  );
  const sums = actions.map((action, move) => `${action} ${exact(update.regretBefore[move])}`);
  return `The regret sums so far are ${sums.join(" and ")}. In this iteration, ${values.join("; ")}.`;
}

/** Return the field of an answer. @param {Question} question */
function guessField({ key }) {
  const [, second] = infosetOf(key).actions;
  const guess = h("input", {
    type: "text",
    class: "number",
    autocomplete: "off",
    "aria-label": `your prediction: the probability of ${second} at ${key}`,
    placeholder: "1/3",
  });
  const label = h("label", {}, h("span", {}, `Next probability of ${second} at `, h("b", {}, key), " = "), guess);
  return { guess, label };
}

/** Return the way into a round. */
function entry(score, begin) {
  const about =
    "The next strategies of five infosets stay hidden until you have typed them: fractions will do. The chosen infoset comes first.";
  const start = button(score ? "Predict the next iteration" : "Predict five", begin, "main");
  return [h("p", {}, about), h("p", { class: "buttons" }, start)];
}

/**
 * Return the panel of predictions.
 *
 * @param {KuhnStore} lab
 * @param {{pause: () => void}} running
 */
export function predictPanel(lab, { pause }) {
  const store = makePredictStore(lab);
  const result = h("p", { class: "result", "aria-live": "polite" });
  const body = h("div", { class: "question" });

  /** Change the store, and show what it is then. */
  const changing = (change) => () => {
    change();
    show();
  };
  const stop = changing(store.stop);

  /** Show the question, with a form for its answer. @param {Question} question */
  function showQuestion(question) {
    const { guess, label } = guessField(question);
    const hint = h("p", { class: "hint", hidden: true });
    const submit = (event) => {
      event.preventDefault();
      store.answer(guess.value);
      if (store.isAsking()) refuse(guess);
      else showVerdict(question, form, guess);
    };
    const tell = () => {
      clear(hint, hintOf(question));
      hint.hidden = false;
    };
    const check = h("button", { type: "submit", class: "main" }, "Check");
    const form = h("form", { onsubmit: submit }, label, check, button("Hint", tell), button("Stop", stop));
    clear(result);
    clear(body, situation(lab, question), form, hint);
    guess.focus({ preventScroll: true });
  }

  /** Say that what was typed is no probability. */
  function refuse(guess) {
    clear(result, `Type a probability from 0 to 1, such as 0, 0.25 or 1/3; “${guess.value}” is none.`);
    guess.focus();
  }

  /** Say whether the answer was right, and why; the question stays in sight. */
  function showVerdict({ key, update }, form, guess) {
    const { verdict } = store.state;
    const isRight = verdict?.isNumber && verdict.isRight;
    const sentence = because(key, update, ALGORITHMS[lab.settings.algorithm]);
    result.className = isRight ? "result right" : "result not";
    clear(result, h("b", {}, isRight ? "Right: " : `No, it is ${exact(update.next[1])}: `), sentence);
    const next = button(store.isLast() ? "See the score" : "Next", changing(store.goOn), "main");
    guess.disabled = true;
    form.replaceChildren(form.firstElementChild, next, button("Stop", stop));
    next.focus({ preventScroll: true });
  }

  /** Show the question, or the way in with the score of the last round. */
  function show() {
    const { question, score } = store.state;
    if (question) {
      showQuestion(question);
      return;
    }
    result.className = "result";
    const words = score
      ? `${score.right} of ${score.count} right. The iteration has been run: the sliders are where you predicted, or not.`
      : "";
    clear(result, words);
    const begin = () => {
      pause();
      store.begin();
    };
    clear(body, entry(score, changing(begin)));
  }

  lab.subscribe((what) => {
    if (what === "strategy" && store.isAsking()) changing(store.askAgain)(); // a slider was moved: another question
  });
  show();
  const heading = h("header", {}, h("h3", {}, "Predict"));
  return { element: h("section", { class: "panel predict", "aria-label": "Predict" }, heading, body, result) };
}
