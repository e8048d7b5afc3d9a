// A decision of a spot: the grid, EV and equity of both sides, the actions, and the hands one by one.
import { actionColour } from "../base/colours.js";
import { clear, h, relink, remembered } from "../base/dom.js";
import { changeBy, chips, count, percent, shareOf } from "../base/format.js";
import { amount, ev, evChange, inPrizes, UNITS, unitNow } from "../base/units.js";
import { inWords, lineInWords } from "../base/words.js";
import { cardRow } from "../cards/cards.js";
import { rangeGrid } from "../cards/grid.js";
import { mixBar } from "../cards/line-columns.js";
import { lineChart } from "../parts/chart.js";
import { captionOf, saveMenu } from "../parts/save-view.js";
import { stat } from "../parts/stats.js";
import { table } from "../parts/table.js";
import { byKind, filterField, kindColumns, readFilter } from "./hand-filter.js";
import { byClass, equityCurve, gridCells, handColumns, handRows, headingOf, heat, madeCells } from "./hands.js";
import { axesOf, madeGrid } from "./made-grid.js";
import { lineOn } from "./spot-lines.js";
import { ranksOf } from "./spot-settings.js";

/** @import { SpotDecision, SpotOverview } from "../base/answers.js" */
/** @typedef {{about: SpotOverview, node: SpotDecision, fields: URLSearchParams, [name: string]: any}} DecisionView */

export const MODES = { strategy: "Strategy", ev: "EV", equity: "Equity", range: "Range" };
const GAIN = "What this player gains in the whole spot by deviating alone, of the pot at the start.";
const LEAST = 0.005; // a weight that is shown as 0 %

/** Return the panel of decisions. It has update(view), which draws a place, and `parts` for the page. */
export function decisionPanel(go) {
  const mode = h("div", { class: "segmented", role: "group", "aria-label": "What the grid shows" });
  const onSelect = (name) => go({ hand: name }, { replace: true });
  const grid = rangeGrid({ onSelect, label: (classes) => `The ${classes} classes of hands` });
  const made = madeGrid({ onSelect, label: "The range by made hand and draw" });
  const inSight = () => (made.isConnected ? made : grid);
  let shownView = null; // the view whose node is shown
  const placeName = () => [shownView?.node.board, shownView?.node.line || "first decision"].join(" ");
  const below = h(
    "div",
    { class: "toolbar" },
    mode,
    saveMenu(inSight, placeName, () => gridCaption(shownView)),
  );
  const left = h("section", { class: "spot-grid" });

  /** Draw the grid of a range: classes of hands, or of Omaha made hands and draws. */
  function drawGrid(view, player, rows) {
    const { about, node, fields } = view;
    const part = view.part ?? node;
    const mode = modeOf(view);
    const hand = fields.get("hand") ?? "";
    clear(left, isOfFour(about) ? made : grid, below);
    if (isOfFour(about)) {
      const axes = axesOf(part.cells?.flat() ?? [], Object.keys(about.made_hands), Object.keys(about.draws));
      made.update({ ...axes, cells: madeCells(part, mode, player) });
      made.select(hand);
      return;
    }
    grid.dataset.mode = mode;
    grid.setRanks(ranksOf(about.settings.deck ?? "full"));
    grid.update(gridCells(node, mode, byClass(rows)));
    if (hand) grid.select(hand);
    else for (const cell of grid.querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
  }
  const right = h("section", { class: "spot-side" });
  const [buttons, summary] = [remembered(), remembered()];
  const hands = handPanel(go);

  function update(view) {
    const { node, fields } = view;
    shownView = view;
    const player = playerOf(view);
    const own = player === node.player;
    const all = handRows(view.part ?? node, player);
    const rows = isOfFour(view.about) ? all : all.filter(readFilter(fields.get("only"), namesOf(view)).passes);
    const shown = modeOf(view);
    const button = ([key, text]) =>
      h(
        "button",
        {
          class: "button small",
          type: "button",
          disabled: key === "strategy" && !own,
          "aria-pressed": String(key === shown),
          onclick: () => go({ mode: key === "strategy" ? "" : key }, { replace: true }),
        },
        text,
      );
    clear(
      mode,
      buttons([own, shown], () => Object.entries(MODES).map(button)),
    );
    drawGrid(view, player, rows);
    const hand = fields.get("hand") ?? "";
    hands.update(view, player, { all, rows, hand });
    const look = [node, view.before, view.about, player, view.aim, unitNow(), fields.get("bb")];
    const offPath = node.off_path && h("p", { class: "note" }, node.off_path);
    const summed = summary(look, () => [sides(view, player), offPath, own && actionList(view)]);
    view.note?.show(node); // a page without a server has none
    clear(right, summed, view.note?.element, hands);
    relink(right);
  }

  return { parts: [left, right], update };
}

/**
 * Return whether hands have four cards: their ranges are told by made hand and draw.
 *
 * @param {Pick<SpotOverview, "hole_cards">} about
 */
const isOfFour = (about) => about.hole_cards === 4;

/**
 * Return whose range is shown: that of who acts, or the one that was chosen.
 *
 * @param {DecisionView} view
 */
export const playerOf = ({ node, fields }) =>
  fields.get("player") === null ? node.player : Number(fields.get("player"));

/**
 * Return what the grid shows; a range of who does not act has no strategy here.
 *
 * @param {DecisionView} view
 */
function modeOf(view) {
  const asked = view.fields.get("mode") ?? "";
  const mode = Object.hasOwn(MODES, asked) ? asked : "strategy";
  return mode === "strategy" && playerOf(view) !== view.node.player ? "range" : mode;
}

/**
 * Return what a picture of the grid says of itself: board, pot, line, whose hands, how exact, and the colours.
 *
 * @param {DecisionView} view
 */
export function gridCaption(view) {
  const { about, node, fields } = view;
  const player = playerOf(view);
  const mode = modeOf(view);
  const only = fields.get("only");
  const { exactness } = placeLines(view);
  const place = node.line ? `after ${lineInWords(node.line)}` : "at the first decision";
  const what = mode === "strategy" ? "" : `: ${MODES[mode]}`;
  return captionOf(
    [
      [
        cardRow(node.board, { size: "small", board: true }),
        ` pot ${amount(node.pot)}, behind ${amount(node.stacks[player])}`,
      ],
      h("b", {}, `${about.players[player]} ${place}${what}`),
      only && `only ${only}`,
      gridNote(mode, node, about),
      exactness,
    ],
    gridColours(mode, node),
  );
}

/**
 * Return what a picture of hands says of itself: board, pot, line, which hands, the unit of EV, how exact, and the actions.
 *
 * @param {DecisionView} view
 * @param {string} title
 */
export function handsCaption(view, title) {
  const { node, fields } = view;
  const own = playerOf(view) === node.player;
  const { lines, exactness } = placeLines(view);
  const only = fields.get("only");
  const units = `EV in ${inPrizes() ? "prizes" : UNITS[unitNow()]}, beside each action that of the action; equity and weight in %`;
  return captionOf(
    [lines, h("b", {}, title), only && `only ${only}`, units, exactness],
    own ? gridColours("strategy", node) : [],
  );
}

/**
 * Return what a picture says of the place, and how exact the solution is.
 *
 * @param {DecisionView} view
 */
function placeLines({ about, node }) {
  const place = node.line ? `after ${lineInWords(node.line)}` : "at the first decision";
  const exactness = about.measures?.exploitability_percent;
  return {
    lines: [
      cardRow(node.board, { size: "small", board: true }),
      ` pot ${amount(node.pot)}, behind ${node.stacks.map(amount).join(" / ")}, ${place}`,
    ],
    exactness: typeof exactness === "number" && `${exactnessOf(about)} of the pot`,
  };
}

/**
 * Return how exact a solution is: the exploitability, or of three players the largest gain of one who deviates alone.
 *
 * @param {SpotOverview} about
 */
function exactnessOf({ players, measures, deviation_gains, pot }) {
  if (players.length > 2) return `largest gain ${percent(Math.max(...deviation_gains) / pot, 2)}`;
  return `exploitability ${percent(measures.exploitability_percent / 100, 2)}`;
}

/** Return what the heights and the numbers of the grid are. */
function gridNote(mode, node, about) {
  if (mode === "ev") return `numbers: EV, ${inPrizes() ? "prizes" : UNITS[unitNow()]}, of a pot of ${amount(node.pot)}`;
  if (mode === "equity") return "numbers: equity, %";
  if (isOfFour(about)) return "numbers: part of the range, %";
  return "height: how much of the hand is in the range";
}

/** Return what the colours of the grid are. */
function gridColours(mode, node) {
  if (mode === "range") return [{ colour: "var(--range)", text: "in the range" }];
  if (mode !== "strategy")
    return [
      { colour: heat(0), text: mode === "ev" ? "least" : "0 %" },
      { colour: heat(1), text: mode === "ev" ? "most" : "100 %" },
    ];
  return node.actions.map((action) => ({
    colour: actionColour(action, node.actions),
    text: `${inWords(action, node.actions)} ${percent(node.frequencies[action])}`,
  }));
}

const combos = (value) => (value < 99.5 ? chips(Math.round(10 * value) / 10) : count(value));
const total = (weights) => weights.reduce((sum, weight) => sum + weight, 0);

const delta = (value, show, kind = value >= 0 ? "good" : "wrong") =>
  value === null ? null : h("small", { class: kind }, ` ${value > 0 ? "+" : ""}${show(value)}`);

/**
 * Return the players: EV, equity and EQR; a click shows the range.
 *
 * @param {DecisionView} view
 * @param {number} player
 */
function sides({ about, node, before, to }, player) {
  const side = (name, who) =>
    h(
      "a",
      {
        class: "card side",
        role: "tab",
        "aria-selected": String(who === player),
        href: () => to({ player: who === node.player ? "" : who }),
      },
      h("h2", {}, name, who === node.player && h("span", { class: "tag live" }, "to act")),
      h(
        "dl",
        { class: "stats" },
        stat("EV", [
          ev(node.ev[who], node.pot),
          delta(changeBy(node.ev[who], before?.ev?.[who]), (value) => evChange(value, node.pot)),
        ]),
        !inPrizes() && stat("of the pot", percent(shareOf(node.ev[who], node.pot))),
        stat("Equity", percent(node.equity[who])),
        stat("EQR", percent(node.eqr[who], 0)),
        about.players.length > 2 && stat("Gain", percent(shareOf(about.deviation_gains[who], about.pot), 2), GAIN),
        stat("Combos", combos(combosOf(node, who))),
      ),
    );
  return h("div", { class: "sides", role: "tablist", "aria-label": "Whose range is shown" }, about.players.map(side));
}

/**
 * Return the actions: how often each is played over the range, and what it earns on average where it is played.
 *
 * @param {DecisionView} view
 */
function actionList({ node, before, aim, to, place }) {
  const colours = node.actions.map((action) => actionColour(action, node.actions));
  const shares = node.actions.map((action) => node.frequencies[action]);
  const line = (one, k) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: () => to(place(lineOn(node, one.action), node.board)), class: k === aim ? "aim" : "" },
        h("span", { class: "dot", css: { "--colour": colours[k] } }),
        h("kbd", {}, k + 1),
        h("b", {}, one.words),
        h(
          "span",
          { class: "note" },
          "BRA".includes(one.action[0]) ? `${percent(betShare(node, one.action), 0)} pot` : "",
        ),
        h(
          "span",
          { class: "num" },
          percent(shares[k]),
          delta(changeBy(shares[k], before?.frequencies?.[one.action]), percent, "note"),
        ),
        h("span", { class: "num note" }, `${combos(playedBy(node, k))} combos`),
        h("span", { class: "num" }, h("span", { class: "note" }, "EV "), ev(meanEv(node, one.action), node.pot)),
      ),
    );
  return h(
    "div",
    { class: "card actions" },
    mixBar(shares, colours, node.actions.map((action, k) => `${action} ${percent(shares[k])}`).join(", ")),
    h("ul", { class: "plain-list" }, node.next.map(line)),
  );
}

/**
 * Return how many hands a player has, by their weight.
 *
 * @param {SpotDecision} node
 * @param {number} who
 */
function combosOf({ cells, hands, others, player }, who) {
  if (cells) return total(cells[who].map((cell) => cell.combos));
  return total((who === player ? hands : others[who]).range);
}

/**
 * Return how many hands play an action, by weight and by how often they do.
 *
 * @param {SpotDecision} node
 * @param {number} place
 */
function playedBy({ actions, cells, hands, player }, place) {
  if (cells) return total(cells[player].map((cell) => cell.combos * (cell.mix?.[place] ?? 0)));
  return total(hands.range.map((weight, n) => weight * (hands[actions[place]][n] ?? 0)));
}

/**
 * Return the EV of an action over the hands that play it, by how often they do; null where none does.
 *
 * @param {SpotDecision} node
 * @param {string} action
 */
function meanEv({ actions, cells, hands, player }, action) {
  if (cells) {
    const place = actions.indexOf(action);
    const played = total(cells[player].map((cell) => cell.played?.[place] ?? 0));
    const earned = total(cells[player].map((cell) => cell.earned?.[place] ?? 0));
    return played > 1e-9 ? earned / played : null;
  }
  const [shares, evs] = [hands[action], hands[`ev ${action}`]];
  let [sum, weight] = [0, 0];
  hands.probability.forEach((probability, k) => {
    const played = probability > 0 && evs[k] !== null ? probability * shares[k] : 0;
    if (!played) return;
    sum += played * evs[k];
    weight += played;
  });
  return weight > 1e-9 ? sum / weight : null;
}

/**
 * Return a bet or raise as a share of the pot after a call.
 *
 * @param {SpotDecision} node
 * @param {string} action
 */
function betShare({ pot, to_call }, action) {
  const call = Math.max(0, to_call);
  return Math.max(0, Number(action.slice(1)) - call) / (pot + call);
}

/**
 * Return what a filter may name.
 *
 * @param {Pick<DecisionView, "about" | "node">} view
 */
const namesOf = ({ about, node }) => ({
  made: Object.keys(about.made_hands),
  draws: Object.keys(about.draws),
  actions: node.actions,
  pot: node.pot,
  deck: about.settings.deck ?? "full",
});

/**
 * Return the hands of a class, or of the range: those that are held next to never are left out. It has update(view, player,
 * {all rows, rows that pass the filter, class}); of the same place, the table stays and shows other rows.
 */
function handPanel(go) {
  const [toolbar, box] = [h("div", { class: "toolbar" }), h("div", { class: "spot-hands" })];
  const filter = filterField((text) => go({ only: text, unit: unitNow() }, { replace: true })); // EV > 10 is in it
  const tableOf = remembered();
  let [title, nothing, shownIn] = ["", "", ""];
  const button = (text, changes, pressed = /** @type {boolean | null} */ (null)) =>
    h(
      "button",
      {
        class: "button small quiet",
        type: "button",
        "aria-pressed": pressed === null ? null : String(pressed),
        onclick: () => go(changes, { replace: true }),
      },
      text,
    );
  /** @type {any} */
  let shownView = null;
  const menu = saveMenu(
    () => /** @type {HTMLElement} */ (box.querySelector(".table, figure") ?? box),
    () => `${shownView.node.board} ${shownView.node.line || "first decision"} ${title}`,
    () => handsCaption(shownView, title),
  );
  const handTable = (node, name) =>
    table({
      columns: handColumns(node, name.player),
      key: (row) => row.hand,
      sort: { key: "ev", descending: true },
      label: `Hands of ${name.text}`,
      height: "max(240px, calc(100vh - var(--above, 470px)))",
      empty: () => nothing,
    });

  box.update = (view, player, { all, rows, hand }) => {
    const { about, node, fields } = view;
    shownView = view;
    const list = fields.get("list");
    const only = fields.get("only") ?? "";
    const name = about.players[player];
    const ofFour = isOfFour(about);
    const held = rows.filter((row) => (hand ? row.name === hand : row.range > 1e-6));
    const rare = hand ? 0 : held.filter((row) => row.range < LEAST).length;
    const whole = fields.get("rare") === "1" || rare === held.length;
    const shown = hand || whole ? held : held.filter((row) => row.range >= LEAST);
    title = ofFour
      ? headingOfFour(hand || name, shown, (view.part ?? node).cells?.[player] ?? [], hand)
      : headingOf(hand || name, shown, { part: Boolean(only || hand), list });
    nothing = only
      ? "No hand passes the filter."
      : hand
        ? `${name} does not hold ${hand} here.`
        : "No hand comes here.";
    clear(
      toolbar,
      h("h2", {}, title),
      hand && button("All hands", { hand: "" }),
      rare > 0 && rare < held.length && button(`${count(rare)} below 0.5 %`, { rare: whole ? "" : 1 }, whole),
      h("span", { class: "grow" }),
      !ofFour && button("Made hands", { list: list === "made" ? "" : "made" }, list === "made"),
      !ofFour && button("Equity curves", { list: list === "chart" ? "" : "chart" }, list === "chart"),
      menu,
    );
    const hands = tableOf([node, player], () => handTable(node, { player, text: name }));
    const units = `${unitNow()} ${fields.get("bb")}`;
    const same = units === shownIn;
    const problem = ofFour ? (view.problem ?? null) : undefined;
    filter.update({ text: only, names: namesOf(view), cards: about.hole_cards, problem });
    if (ofFour) {
      hands.update(shown, { same });
      shownIn = units;
      return clear(box, toolbar, "part" in view && filter, hands); // a page without a server has no part
    }
    if (list === "chart") return clear(box, toolbar, filter, equityChart(view));
    if (list === "made") return clear(box, toolbar, filter, kindTable(view, player, all));
    hands.update(shown, { same });
    shownIn = units;
    return clear(box, toolbar, filter, hands);
  };
  return box;
}

/**
 * Return what stands over hands of four cards: whose they are, how much of the range, and how many of all are listed.
 *
 * @param {string} name @param {any[]} shown @param {import("../base/answers.js").MadeCell[]} cells @param {string} hand
 */
function headingOfFour(name, shown, cells, hand) {
  const parts = hand ? cells.filter((cell) => cell.name === hand) : cells;
  const all = total(parts.map((cell) => cell.hands));
  const share = hand ? `, ${percent(total(parts.map((cell) => cell.probability)))} of the range` : "";
  const most = shown.length < all ? `${count(shown.length)} of ` : "";
  return `${name}: ${most}${count(all)} ${all === 1 ? "hand" : "hands"}${share}`;
}

/**
 * Return the range by made hand and by draw; a click on one shows its hands alone.
 *
 * @param {DecisionView} view
 */
const kindTable = ({ about, node, go }, player, rows) =>
  table({
    columns: kindColumns(node, player === node.player, { ...about.made_hands, ...about.draws }),
    rows: byKind(rows, namesOf({ about, node })),
    key: (row) => row.name,
    onOpen: (row) => go({ only: row.name, list: "" }),
    label: `Made hands and draws of ${about.players[player]}`,
    height: "max(240px, calc(100vh - var(--above, 470px)))",
    empty: "No hand comes here.",
  });

/** @param {DecisionView} view */
const equityChart = ({ about, node }) =>
  lineChart({
    series: about.players.map((name, who) => ({
      name,
      points: equityCurve(handRows(node, who)),
      colour: `var(--cat-${who + 1})`,
    })),
    x: { label: "% of the range, best hands first", format: (value) => `${value.toFixed(0)} %` },
    y: { label: "equity, %", format: (value) => value.toFixed(0) },
    height: 250,
    title: "Equity of the ranges",
  });
