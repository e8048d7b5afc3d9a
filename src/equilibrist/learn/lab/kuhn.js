// The Kuhn lab: sliders, tree, iterations whose numbers unfold, trust in a model, predictions, and charts.
import { clear, h } from "../../page/js/base/dom.js";
import { asFraction, decimal, exact, iterationsInWords } from "./fraction.js";
import { charts } from "./kuhn-charts.js";
import { controls } from "./kuhn-controls.js";
import { detailPanel } from "./kuhn-detail.js";
import { evaluate } from "./kuhn-game.js";
import { predictPanel } from "./kuhn-predict.js";
import { makeStore } from "./kuhn-store.js";
import { strategyPanel } from "./kuhn-strategy.js";
import { treePanel } from "./kuhn-tree.js";
import { trustPanel } from "./kuhn-trust.js";
import { mount } from "./mount.js";

/** Return the numbers of the strategy as a whole. */
function scoreboard(store) {
  const cell = (name, title) => {
    const value = h("b");
    const more = h("small");
    return {
      element: h("div", { class: `figure ${name}` }, h("span", { class: "what" }, title), value, more),
      value,
      more,
    };
  };
  const cells = {
    value: cell("value", "value to player 0"),
    first: cell("of-0", "best response of player 0"),
    second: cell("of-1", "best response of player 1"),
    gap: cell("gap", "exploitability"),
    mean: cell("mean", "exploitability of the average"),
  };
  const element = h(
    "section",
    { class: "scores", "aria-label": "How good the strategy is" },
    Object.values(cells).map((one) => one.element),
  );
  const digits = (value) => (asFraction(value) ? `= ${decimal(value, 4)}` : "");

  function show(evaluation) {
    const { value, best, gains, exploitability, nashConv } = evaluation;
    clear(cells.value.value, exact(value));
    clear(cells.value.more, digits(value), " chips per hand");
    clear(cells.first.value, exact(best[0]));
    clear(cells.first.more, `gains ${exact(gains[0])}`);
    clear(cells.second.value, exact(best[1]));
    clear(cells.second.more, `gains ${exact(gains[1])}`);
    clear(cells.gap.value, Math.abs(exploitability) < 1e-12 ? "0" : exact(exploitability));
    clear(cells.gap.more, `nash_conv / 2; nash_conv ${exact(nashConv)}`);
    const average = store.state.t ? evaluate(store.average()).exploitability : null;
    clear(cells.mean.value, average === null ? "–" : exact(average));
    clear(cells.mean.more, average === null ? "no iteration yet" : `after ${iterationsInWords(store.state.t)}`);
  }
  return { element, show };
}

mount("kuhn", (box, options) => {
  const store = makeStore(options.settings);
  const shares = Boolean(options.fragment);
  const spoken = h("p", { class: "spoken", role: "status", "aria-live": "polite" });
  let frame = 0;
  let now = evaluate(store.state.strategy);

  const announce = () => {
    const { value, exploitability } = evaluate(store.state.strategy);
    clear(
      spoken,
      `Iteration ${store.state.t}: value to player 0 ${exact(value)}, exploitability ${exact(exploitability)} chips per hand.`,
    );
    keep();
  };
  const detail = detailPanel(store);
  const running = controls(store, {
    announce,
    stepped: () => {
      detail.look(false);
      draw();
    },
  });
  const scores = scoreboard(store);
  const trust = trustPanel(store, { announce });
  const strategy = strategyPanel(store);
  const tree = treePanel(store);
  const predict = predictPanel(store, { pause: running.pause });
  const pictures = charts(store);

  function draw() {
    frame = 0;
    now = evaluate(store.state.strategy);
    scores.show(now);
    strategy.show(now);
    tree.show(now);
    running.show();
    trust.show();
    detail.show();
    for (const picture of pictures) picture.show();
  }

  const unread = h("p", { class: "note", role: "alert" });
  function openAddress() {
    const isPosition = store.open(location.hash);
    const steps = isPosition ? store.unknownSteps : [];
    clear(unread);
    if (!isPosition && location.hash.startsWith("#kuhn:")) unread.append("The address is no position of this lab.");
    if (steps.length) unread.append(`The address has what is no step of this lab, left out here: ${steps.join(", ")}.`);
  }

  const link = h("button", { type: "button", onclick: copy }, "Copy link");
  async function copy() {
    keep();
    try {
      await navigator.clipboard.writeText(location.href);
      clear(link, "Copied");
    } catch {
      clear(link, "In the address bar");
    }
    setTimeout(() => clear(link, "Copy link"), 2000);
  }

  /** Write the position into the address. */
  function keep() {
    if (shares && !running.isPlaying()) history.replaceState(history.state, "", `#${store.fragment()}`);
  }

  store.subscribe((what) => {
    if (what === "strategy" && !running.isPlaying() && !store.secret)
      detail.look(store.last === null || store.state.t !== at);
    at = store.state.t;
    frame ||= requestAnimationFrame(draw);
    clearTimeout(waiting);
    waiting = setTimeout(keep, 400);
  });
  let at = 0;
  let waiting;

  if (options.position) store.restore(options.position, options.chosen);
  if (shares) {
    openAddress();
    addEventListener("hashchange", openAddress);
  }
  box.append(
    h(
      "div",
      { class: "lab-body" },
      scores.element,
      running.element,
      trust.element,
      h("div", { class: "two" }, strategy.element, tree.element),
      h("div", { class: "two even" }, detail.element, predict.element),
      h(
        "div",
        { class: "three" },
        pictures.map((one) => one.element),
      ),
      shares && unread,
      shares && h("p", { class: "address" }, link, " a position is its address"),
      spoken,
    ),
  );
  draw();
});
