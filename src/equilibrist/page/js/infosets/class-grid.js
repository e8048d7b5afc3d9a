// The decisions before the flop of a run: the 13 × 13 grid of what each class of hands plays after a line.
import { get } from "../base/api.js";
import { actionColour } from "../base/colours.js";
import { clear, h } from "../base/dom.js";
import { payoff, percent } from "../base/format.js";
import { playerName, titleOf } from "../base/words.js";
import { CLASSES, rangeGrid } from "../cards/grid.js";
import { mixBar } from "../cards/line-columns.js";
import { captionOf, saveMenu } from "../parts/save-view.js";
import { infosetDetail } from "./infoset-detail.js";

/** @import { ClassDecision } from "../base/answers.js" */

const MOST_LINKS = 12; // decisions; more are listed in a menu

/**
 * Return the cells of the grid: widths are shares of the actions, heights what comes there of a class.
 *
 * @param {ClassDecision} node
 */
function cellsOf(node, colours) {
  const actions = Object.keys(node.strategy);
  return new Map(
    CLASSES.map((name, k) => {
      const shares = actions.map((action) => node.strategy[action][k]);
      if (shares[0] === null) return [name, { weight: 0, title: `${name}: not met` }];
      const mix = actions.map((action, n) => `${action} ${percent(shares[n])}`).join(", ");
      const value = node.values[k] === null ? "" : `; value ${payoff(node.values[k])}`;
      const segments = shares.map((share, n) => ({ colour: colours[n], share }));
      return [name, { segments, weight: node.weights[k], title: `${name}: ${mix}${value}` }];
    }),
  );
}

/**
 * Return what the colours of the grid are.
 *
 * @param {ClassDecision} node
 */
function coloursOf({ strategy, frequencies }) {
  const actions = Object.keys(strategy);
  const text = (action) => `${action} ${percent(frequencies[action])}`;
  return actions.map((action) => ({ colour: actionColour(action, actions), text: text(action) }));
}

export function classGrid({ run, about, signal, fields, to, go }) {
  let shown = new AbortController(); // of the infoset that is shown
  let node = null;
  signal.addEventListener("abort", () => shown.abort());
  const nameOf = ({ line, player }) => `${playerName(about.names, player)} ${line ? `after ${line}` : "first to act"}`;
  const grid = rangeGrid({ label: "The 169 classes of hands", onSelect: (name) => select(name) });
  const lines = h("nav", { class: "toolbar", "aria-label": "Decisions" });
  const legend = h("div", { class: "class-mix" });
  const detail = h("section", { class: "infoset-detail" });
  const box = h(
    "div",
    { class: "inspect-infosets" },
    h(
      "section",
      { class: "stack class-grid" },
      lines,
      grid,
      legend,
      saveMenu(
        () => grid,
        () => `${run} ${node?.line ?? ""}`,
        () => captionOf([h("b", {}, titleOf(about)), nameOf(node)], coloursOf(node)),
      ),
    ),
    detail,
  );

  /** Return the line that is shown: that of the infoset that is chosen, or the one that is named. */
  const lineOf = () => {
    const key = fields().get("infoset");
    const [name, line] = /^(\S+) ?(.*)$/.exec(key ?? "")?.slice(1) ?? [];
    const there = CLASSES.includes(name) && about.classes.some((one) => one.line === line);
    return there ? line : (fields().get("line") ?? "");
  };

  const playerOf = (line) => about.classes.find((one) => one.line === line)?.player;

  /** Choose a class at the decision that the address names, which may still be on its way while another is drawn. */
  function select(name) {
    const line = lineOf();
    go({ infoset: `${name} ${line}`.trim(), of: playerOf(line) }, { replace: true });
  }

  function drawLines(current) {
    if (about.classes.length > MOST_LINKS) {
      const menu = h(
        "select",
        { "aria-label": "Decision", onchange: () => go({ line: menu.value, infoset: "", of: "" }) },
        about.classes.map((one) => h("option", { value: one.line, selected: one.line === current }, nameOf(one))),
      );
      return clear(lines, menu);
    }
    const link = (one) =>
      h(
        "a",
        {
          class: "button small",
          href: to({ line: one.line, infoset: "", of: "" }),
          "aria-current": one.line === current ? "true" : null,
        },
        nameOf(one),
      );
    clear(lines, about.classes.map(link));
  }

  box.update = async () => {
    const line = lineOf();
    const key = fields().get("infoset");
    const [found, infoset] = await Promise.all([
      node?.line === line ? node : get("/runs/{run}/classes", { run, line }, { signal }),
      key && get("/runs/{run}/infoset", { run, player: playerOf(line), infoset: key }, { signal }),
    ]);
    if (lineOf() !== line || fields().get("infoset") !== key) return;
    drawLines(line);
    if (node !== found) {
      node = found;
      const actions = Object.keys(node.strategy);
      const colours = actions.map((action) => actionColour(action, actions));
      grid.update(cellsOf(node, colours));
      const shares = actions.map((action) => node.frequencies[action]);
      clear(legend, [
        mixBar(shares, colours),
        h(
          "div",
          { class: "toolbar" },
          actions.map((action, k) =>
            h(
              "span",
              { title: "Of the hands that come here, each as often as it is dealt" },
              h("span", { class: "dot", css: { "--colour": colours[k] } }),
              ` ${action} ${percent(shares[k])}`,
            ),
          ),
        ),
      ]);
    }
    if (key) grid.select(key.split(" ")[0]);
    shown.abort();
    shown = new AbortController();
    const player = playerName(about.names, node.player);
    if (infoset) return clear(detail, infosetDetail(infoset, { key, player, links: [], signal: shown.signal }));
    clear(
      detail,
      h("p", { class: "note" }, "Select a hand: what each action is worth. Widths are how often each action is taken."),
    );
  };
  return box;
}
