// What the reader plays with: buttons of actions, in a row or in the triangle of all ways to split soldiers; and sliders
// of a fixed mix.

import { h } from "../../page/js/base/dom.js";
import { slider } from "./regret-controls.js";
import { percent } from "./regret-numbers.js";

/** Return buttons in a row, with their keys. */
function row(game, play) {
  const buttons = game.actions.map((action, a) =>
    h(
      "button",
      { type: "button", class: "action", onclick: () => play(a) },
      action,
      h("kbd", { "aria-hidden": "true" }, game.keys[a].toUpperCase()),
    ),
  );
  return { box: h("div", { class: "actions", role: "group", "aria-label": "Play a round" }, buttons), buttons };
}

/** Return buttons in a triangle: up, more soldiers on the first field; to the right, more on the third. Arrow keys move. */
function triangle(game, play) {
  const splits = game.actions.map((action) => action.split("-").map(Number));
  const soldiers = splits[0].reduce((sum, force) => sum + force, 0);
  const buttons = game.actions.map((action, a) =>
    h(
      "button",
      { type: "button", class: "split", tabindex: a ? -1 : 0, onclick: () => play(a) },
      h("span", {}, action),
    ),
  );
  const lines = Array.from({ length: soldiers + 1 }, (_, i) =>
    h(
      "div",
      { class: "line" },
      buttons.filter((_, a) => splits[a][0] === soldiers - i),
    ),
  );
  const box = h(
    "div",
    { class: "triangle", role: "group", "aria-label": "Split five soldiers; arrow keys move" },
    lines,
  );
  const MOVES = { ArrowUp: [1, -1, 0], ArrowDown: [-1, 1, 0], ArrowLeft: [0, 1, -1], ArrowRight: [0, -1, 1] };
  const index = (split) => splits.findIndex((other) => other.every((force, i) => force === split[i]));
  box.addEventListener("keydown", (event) => {
    const from = buttons.indexOf(document.activeElement);
    if (!MOVES[event.key] || from < 0) return;
    event.preventDefault();
    const move = (change) => index(splits[from].map((force, i) => force + change[i]));
    let to = move(MOVES[event.key]);
    if (to < 0 && event.key === "ArrowUp") to = move([1, 0, -1]);
    if (to < 0) return;
    buttons.forEach((button, a) => button.setAttribute("tabindex", a === to ? "0" : "-1"));
    buttons[to].focus();
  });
  return { box, buttons };
}

/**
 * Return the buttons of a game, with `show({next, hidden, mine, theirs, disabled})`: what the program plays next is the
 * shade of the triangle, the last round is marked.
 */
export function board(game, play) {
  const { box, buttons } = game.keys.length ? row(game, play) : triangle(game, play);
  const show = ({ next, hidden, mine, theirs, disabled }) => {
    const most = Math.max(0.25, ...next); // so that rare actions stay pale
    buttons.forEach((button, a) => {
      button.disabled = disabled;
      button.style.setProperty("--share", hidden ? "0%" : `${((100 * next[a]) / most).toFixed(0)}%`);
      button.classList.toggle("mine", mine === a);
      button.classList.toggle("theirs", theirs === a);
      button.title = hidden
        ? game.actions[a]
        : `${game.actions[a]}: the program plays it next with ${percent(next[a])}`;
    });
  };
  return { box, show };
}

/**
 * Return sliders for the weights of the groups of a game, with `show(weights)`.
 *
 * @param {any} game
 * @param {(group: number, weight: number) => void} weigh called when the reader moves a slider
 */
export function mixer(game, weigh) {
  const sliders = game.groups.map(({ label, actions }, group) =>
    slider(actions.length > 1 ? `${label} in its ${actions.length} orders` : label, "mix", {
      step: 0.05,
      value: 0,
      set: (weight) => weigh(group, weight),
    }),
  );
  const box = h(
    "div",
    { class: "mixer" },
    sliders.map((one) => one.box),
  );

  function show(weights) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const share = (weight) => (total ? weight / total : 1 / weights.length);
    weights.forEach((weight, group) => sliders[group].show(weight, percent(share(weight))));
  }

  return { box, show };
}
