// Regret matching, where the reader is one of the players: a round at a time, a fixed mix a hundred times, or two
// programs against each other. The games are the same for both players.

import { h } from "../../page/js/base/dom.js";
import { numberPanel, roundPanel, runBar, scorePanel } from "./regret-panels.js";
import { makeStore } from "./regret-store.js";

/** Have keys play the actions of a game. */
function playByKeys(box, store) {
  box.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = store.game().keys.indexOf(event.key.toLowerCase());
    if (action < 0) return;
    event.preventDefault();
    event.stopPropagation(); // the site has keys of its own
    if (store.state.mode === "you") store.play(action);
  });
}

/**
 * Put the lab into an element.
 *
 * @param {HTMLElement} box
 * @param {{game?: string, seed?: number}} options
 * @param {string[]} names of the games to choose from
 */
export function makeRegretLab(box, options, names) {
  const seed = options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0];
  const store = makeStore({ game: options.game ?? names[names.length - 1], seed });
  const scores = scorePanel(store);
  const run = runBar(store, names, { changed: () => draw() });
  const rounds = roundPanel(store);
  const numbers = numberPanel(store);

  function draw() {
    for (const part of [scores, run, rounds, numbers]) part.show();
  }

  box.append(
    h(
      "div",
      { class: "lab-body" },
      scores.element,
      run.element,
      h("div", { class: "two play-and-table" }, rounds.element, numbers.element),
    ),
  );
  playByKeys(box, store);
  store.subscribe((renewed) => {
    if (renewed) {
      rounds.renew();
      numbers.renew();
    }
    draw();
  });
  draw();
}
