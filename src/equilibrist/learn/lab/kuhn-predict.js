// Predict: the next strategies of five infosets stay hidden until the reader has typed them.
import { clear, h } from "../../page/js/base/dom.js";
import { exact, parse } from "./fraction.js";
import { DEALS, INFOSETS, infosetOf } from "./kuhn-game.js";
import { because, described } from "./kuhn-words.js";
import { ALGORITHMS } from "./update-rules.js";

const QUESTIONS = 5;
const CLOSE = 0.005; // what "0.33" is off a third

/** Return a list in a random order. */
function shuffled(list) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

/**
 * Return the panel of predictions.
 * @param {ReturnType<typeof import("./kuhn-store.js").makeStore>} store
 * @param {{pause: () => void}} running
 */
export function predictPanel(store, { pause }) {
  /** @type {null | {keys: string[], number: number, right: number, update: any, answered: boolean}} */
  let round = null;
  const result = h("p", { class: "result", "aria-live": "polite" });
  const body = h("div", { class: "question" });

  /** Ask for five infosets: the chosen one first, then those that the iteration comes to. */
  function begin() {
    pause();
    if (store.settings.walk === "random") store.configure({ walk: shuffled(DEALS)[0] });
    const { record } = store.preview();
    const visited = INFOSETS.map(({ key }) => key).filter((key) => record[key].visited.length > 0);
    const first = visited.includes(store.chosen) ? [store.chosen] : [];
    const keys = [...first, ...shuffled(visited.filter((key) => key !== store.chosen))].slice(0, QUESTIONS);
    round = { keys, number: 0, right: 0, update: null, answered: false };
    store.keepSecret(true);
    ask();
  }

  function ask() {
    const asked = round;
    if (!asked) return;
    const key = asked.keys[asked.number];
    asked.update = store.preview().record[key];
    asked.answered = false;
    store.choose(key);
    clear(result);
    const { actions, player } = infosetOf(key);
    const { algorithm, alternating, walk } = store.settings;
    const guess = h("input", {
      type: "text",
      class: "number",
      autocomplete: "off",
      "aria-label": `your prediction: the probability of ${actions[1]} at ${key}`,
      placeholder: "1/3",
    });
    const hint = h("p", { class: "hint", hidden: true });
    const form = h(
      "form",
      { onsubmit: (event) => (event.preventDefault(), answer(guess, form)) },
      h("label", {}, h("span", {}, `Next probability of ${actions[1]} at `, h("b", {}, key), " = "), guess),
      h("button", { type: "submit", class: "main" }, "Check"),
      h("button", { type: "button", onclick: () => tell(hint) }, "Hint"),
      h("button", { type: "button", onclick: stop }, "Stop"),
    );
    clear(
      body,
      h(
        "p",
        {},
        `${asked.number + 1} of ${asked.keys.length}: `,
        h("b", {}, key),
        `, ${described(key)}. `,
        `Iteration ${store.state.t + 1} of ${algorithm}, ${alternating ? "in turn" : "at once"}, ${walk === "full" ? "all six deals" : `the deal ${asked.update.visited[0].deal}`}.`,
        player === 1 && alternating ? " Player 0 has been updated before." : "",
      ),
      form,
      hint,
    );
    guess.focus({ preventScroll: true });
  }

  /** Say what the sums are made of, not what follows from it. */
  function tell(hint) {
    if (!round) return;
    const { keys, number, update } = round;
    const { actions } = infosetOf(keys[number]);
    const values = update.visited
      .map(
        ({ deal, weight, values }) =>
          `with ${deal}, which counts ${exact(weight)}, ${actions[0]} is worth ${exact(values[0])} and ${actions[1]} ${exact(values[1])}`,
      )
      .join("; ");
    const sums = actions.map((action, move) => `${action} ${exact(update.regretBefore[move])}`).join(" and ");
    clear(hint, `The regret sums so far are ${sums}. In this iteration, ${values}.`);
    hint.hidden = false;
  }

  function answer(guess, form) {
    const asked = round;
    if (!asked) return;
    const key = asked.keys[asked.number];
    const number = parse(guess.value);
    if (!(number >= 0 && number <= 1)) {
      clear(result, `Type a probability from 0 to 1, such as 0, 0.25 or 1/3; “${guess.value}” is none.`);
      guess.focus();
      return;
    }
    if (asked.answered) return;
    asked.answered = true;
    const true_ = asked.update.next[1];
    const right = Math.abs(number - true_) <= CLOSE;
    if (right) asked.right++;
    const sentence = because(key, asked.update, ALGORITHMS[store.settings.algorithm]);
    result.className = right ? "result right" : "result not";
    clear(result, h("b", {}, right ? "Right: " : `No, it is ${exact(true_)}: `), sentence);
    const last = asked.number + 1 === asked.keys.length;
    const next = h(
      "button",
      { type: "button", class: "main", onclick: last ? finish : () => (asked.number++, ask()) },
      last ? "See the score" : "Next",
    );
    guess.disabled = true;
    form.replaceChildren(form.firstElementChild, next, h("button", { type: "button", onclick: stop }, "Stop"));
    next.focus({ preventScroll: true });
  }

  function finish() {
    if (!round) return;
    const { right, keys } = round;
    store.keepSecret(false);
    store.run(1);
    round = null;
    rest(`${right} of ${keys.length} right. The iteration has been run: the sliders are where you predicted, or not.`);
  }

  function stop() {
    round = null;
    store.keepSecret(false);
    rest("");
  }

  /** Show the way in, and the score if there is one. */
  function rest(score) {
    result.className = "result";
    clear(result, score);
    const start = h(
      "button",
      { type: "button", class: "main", onclick: begin },
      score ? "Predict the next iteration" : "Predict five",
    );
    clear(
      body,
      h(
        "p",
        {},
        "The next strategies of five infosets stay hidden until you have typed them: fractions will do. The chosen infoset comes first.",
      ),
      h("p", { class: "buttons" }, start),
    );
  }

  rest("");
  store.subscribe((what) => {
    if (what === "strategy" && round && !round.answered) ask(); // a slider has been moved: it is another question
  });
  return {
    element: h(
      "section",
      { class: "panel predict", "aria-label": "Predict" },
      h("header", {}, h("h3", {}, "Predict")),
      body,
      result,
    ),
  };
}
