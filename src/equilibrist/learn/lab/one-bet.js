// The lab of one bet: a point to drag in the plane of its two decisions, and CFR that starts from there.

import { h } from "../../page/js/base/dom.js";
import { mount } from "./mount.js";
import { averagePanel, decisionPanel, runBar, scorePanel, securityPanel } from "./one-bet-panels.js";
import { squarePanel } from "./one-bet-square.js";
import { makeStore } from "./one-bet-store.js";

/** Call a function when the site, the page or the system changes its colours, as long as the lab is shown. */
function onOtherColours(box, repaint) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const attributeFilter = ["data-md-color-scheme", "data-theme", "class", "style"];
  const observer = new MutationObserver(change);

  function change() {
    if (box.isConnected) return repaint();
    observer.disconnect(); // the reader has left the lab
    system.removeEventListener("change", change);
  }

  for (const element of [document.documentElement, document.body])
    observer.observe(element, { attributes: true, attributeFilter });
  system.addEventListener("change", change);
}

mount("one-bet", (box) => {
  const store = makeStore();
  const run = runBar(store, { changed: () => store.state.players && draw() });
  const move = (change) => {
    run.pause();
    store.move(change);
  };
  const square = squarePanel(store, { lab: box, move });
  const scores = scorePanel(store);
  const decisions = decisionPanel(store, { move });
  const securities = securityPanel(store);
  const average = averagePanel(store);

  /** Draw everything; the surface only where it has changed. */
  function draw(repaint = false) {
    if (!square.show(repaint)) return;
    for (const part of [run, scores, decisions, average, securities]) part.show();
  }

  box.append(
    h(
      "div",
      { class: "lab-body" },
      scores.element,
      run.element,
      h(
        "div",
        { class: "two plane-and-panels" },
        square.element,
        h("div", { class: "stack" }, decisions.element, securities.element, average.element),
      ),
    ),
  );
  store.subscribe(draw);
  new ResizeObserver(() => draw()).observe(square.plane);
  onOtherColours(box, () => draw(true));
  draw(true);
});
