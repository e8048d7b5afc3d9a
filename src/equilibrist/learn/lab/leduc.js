// The Leduc lab: CFR on a tree that is folded by what both players see, its certificate, and parts solved again.
import { h } from "../../page/js/base/dom.js";
import { curvePanel, runBar, scorePanel } from "./leduc-panels.js";
import { partPanel } from "./leduc-part-panel.js";
import { makeStore } from "./leduc-store.js";
import { treePanel } from "./leduc-tree.js";
import { mount } from "./mount.js";

mount("leduc", (box, options) => {
  const store = makeStore(options);
  const panels = [scorePanel(store), runBar(store), treePanel(store), curvePanel(store), partPanel(store)];
  const [scores, run, tree, curve, part] = panels.map(({ element }) => element);
  let frame = 0;

  function draw() {
    frame = 0;
    for (const panel of panels) panel.show();
  }

  box.append(
    h(
      "div",
      { class: "lab-body" },
      scores,
      run,
      h("div", { class: "two" }, tree, h("div", { class: "stack" }, curve, part)),
    ),
  );
  store.subscribe(() => (frame ||= requestAnimationFrame(draw)));
  draw();
});
