// What a heading means, in a sentence: shown while the pointer rests on it or the keyboard has come to it.
import { h, newId } from "../dom.js";

/** Words of the page, each in a sentence or two. */
export const MEANINGS = {
  Exploitability:
    "How much more than at equilibrium a perfect opponent would win: the mean over the players of what each could gain by answering best. 0 is an equilibrium.",
  Value: "What the strategy earns on average, in payoff per game.",
  Infosets:
    "An infoset is all that a player knows when it has to choose: its cards and what was done. A strategy says what is done at each.",
  Algorithm: "How regret turns into a strategy: the variant of counterfactual regret minimisation.",
  Iterations: "How often the game was gone through; after each pass the strategy follows the regrets.",
  Strategy: "How often each action is taken now: in proportion to its regret, where that is above 0.",
  Average:
    "The mean of the strategies so far. It is the average that approaches an equilibrium; the strategy itself may go around it.",
  "Regret sum":
    "How much better than the strategy each action would have been, summed up over the iterations: payoff × probability. To the right is above 0.",
  Regret: "How much better the best action is than the strategy, in payoff.",
  Reach: "How often a play comes here.",
  Probability: "How often the strategy takes the action.",
  "Best value": "What the action is worth with the best play afterwards; payoff.",
  "Over time": "Exploitability over time, on a logarithmic axis: further down is nearer to an equilibrium.",
};

let bubble = null;

function show(element, text) {
  hide();
  const box = element.getBoundingClientRect();
  const tip = h("div", { class: "explain-tip", "aria-hidden": "true" }, text);
  (element.closest("dialog") ?? document.body).append(tip);
  const left = Math.min(box.left, innerWidth - tip.offsetWidth - 8);
  const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
  tip.style.setProperty("left", `${Math.max(8, left)}px`);
  tip.style.setProperty("top", `${below ? box.bottom + 6 : Math.max(8, box.top - tip.offsetHeight - 6)}px`);
  bubble = tip;
  const gone = () => {
    if (bubble === tip && element.isConnected) return;
    removeEventListener("pointermove", gone);
    if (bubble === tip) hide();
  };
  addEventListener("pointermove", gone); // what is drawn anew is never left
  addEventListener("scroll", hide, { capture: true, once: true });
  addEventListener("keydown", onEscape, { capture: true });
}

function hide() {
  bubble?.remove();
  bubble = null;
  removeEventListener("keydown", onEscape, { capture: true });
}

const onEscape = ({ key }) => key === "Escape" && hide();

/**
 * Have an element explained by a sentence, for pointers, keyboards and screen readers alike; return it. Where nothing in
 * it can have the focus, it gets it itself.
 *
 * @template {HTMLElement} T
 * @param {T} element
 * @param {string | null | undefined} text
 */
export function explain(element, text) {
  if (!text) return element;
  const focused = /** @type {HTMLElement} */ (element.querySelector("button, a[href]") ?? element);
  const meaning = h("span", { class: "sr", id: newId("meaning") }, text);
  element.append(meaning);
  focused.setAttribute("aria-describedby", meaning.id);
  if (focused === element && !element.matches("button, a[href], input")) {
    element.tabIndex = 0;
    element.classList.add("explained");
  }
  element.addEventListener("pointerenter", () => show(element, text));
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focusin", () => focused.matches(":focus-visible") && show(element, text));
  element.addEventListener("focusout", hide);
  return element;
}

/** Return a word of the page with what it means. */
export const term = (name, text = MEANINGS[name]) => explain(h("span", {}, name), text);
