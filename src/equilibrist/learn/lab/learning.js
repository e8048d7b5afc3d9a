// The learning lab: Deep CFR on Kuhn poker, whose networks learn beside the table that they approximate.
import { h } from "../../page/js/base/dom.js";
import { curvePanels, runBar, saidPanel, scorePanel } from "./learning-panels.js";
import { makeStore } from "./learning-store.js";
import { mount } from "./mount.js";

mount("learning", (box, options) => {
  const store = makeStore(options);
  const scores = scorePanel(store);
  const run = runBar(store);
  const said = saidPanel(store);
  const curves = curvePanels(store);
  let frame = 0;

  function draw() {
    frame = 0;
    for (const panel of [scores, run, said, ...curves]) panel.show();
  }

  const right = h(
    "div",
    { class: "stack" },
    curves.map(({ element }) => element),
  );
  box.append(
    h("div", { class: "lab-body" }, scores.element, run.element, h("div", { class: "two" }, said.element, right)),
  );
  store.subscribe(() => (frame ||= requestAnimationFrame(draw)));
  draw();
});
