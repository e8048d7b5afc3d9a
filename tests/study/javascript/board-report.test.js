import assert from "node:assert/strict";
import { test } from "node:test";
import { measuresOf } from "../../../src/equilibrist/page/js/poker/board-columns.js";
import { reportStore } from "../../../src/equilibrist/page/js/poker/report-store.js";
import { classCells } from "../../../src/equilibrist/page/js/poker/board-hands.js";
import {
  actionsOf,
  fitsFilters,
  meanOf,
  meansOf,
  texturesOf,
  valuesIn,
} from "../../../src/equilibrist/page/js/poker/board-rows.js";

const row = (board, weight, mass, bet, more = {}) => ({
  board,
  weight,
  mass,
  X: 1 - bet,
  B75: bet,
  ev_oop: 1,
  high: board[0],
  suits: "rainbow",
  pairing: "unpaired",
  connected: false,
  ...more,
});
const rows = [row("Qs3h4d", 2, 1, 0.5), row("7s3h4d", 1, 2, 0.25), row("7c3h4d", 1, 0, 1, { connected: true })];

test("means weigh a board by what it stands for and the deals that come there", () => {
  assert.deepEqual(actionsOf(rows), ["X", "B75"]);
  assert.equal(meanOf(rows, "B75"), (2 * 0.5 + 2 * 0.25) / 4);
  assert.equal(meanOf([], "B75"), null);
  assert.equal(meanOf(rows, "R200"), null);
});

test("the mean of EQR is that of the means, and not the mean of EQR", () => {
  // two boards alike but for weights: EV 10 of equity 0.2, and 30 of 0.5, of a pot of 40
  const one = row("Qs3h4d", 1, 1, 0, { pot: 40, ev_oop: 10, equity_oop: 0.2, eqr_oop: 1.25 });
  const other = row("7s3h4d", 3, 1, 0, { pot: 40, ev_oop: 30, equity_oop: 0.5, eqr_oop: 1.5 });
  const means = meansOf([one, other]);
  assert.equal(means.ev_oop, 25);
  assert.equal(means.equity_oop, 0.425);
  assert.ok(Math.abs(means.eqr_oop - 25 / (0.425 * 40)) < 1e-12);
  assert.notEqual(means.eqr_oop, (1.25 + 3 * 1.5) / 4);
  assert.deepEqual([means.boards, means.weight], [2, 4]);
  assert.equal(meansOf([]).eqr_oop, null);
});

test("textures come with their share of the deals, ranks from the ace down", () => {
  const found = texturesOf(rows, ["high", "connected"]);
  const seen = found.map(({ high, connected, boards, share, B75 }) => [high, connected, boards, share, B75]);
  assert.deepEqual(seen, [
    ["Q", false, 1, 0.5, 0.5],
    ["7", false, 1, 0.5, 0.25],
    ["7", true, 1, 0, null],
  ]);
  assert.deepEqual(valuesIn([...rows, row("As3h4d", 1, 1, 0), row("Ts3h4d", 1, 1, 0)], "high"), ["A", "Q", "T", "7"]);
  assert.deepEqual(valuesIn([...rows].reverse(), "connected"), [false, true]);
});

test("filters are of textures and of cards, each as often as it is named", () => {
  const pair = row("7d7c2s", 1, 1, 0);
  const found = (fields) => [...rows, pair].filter((one) => fitsFilters(one, fields)).map(({ board }) => board);
  assert.deepEqual(found({ high: "7" }), ["7s3h4d", "7c3h4d", "7d7c2s"]);
  assert.deepEqual(found({ connected: "true" }), ["7c3h4d"]);
  assert.deepEqual(found({ cards: "q" }), ["Qs3h4d"]);
  assert.deepEqual(found({ cards: "7s 4d" }), ["7s3h4d"]);
  assert.deepEqual(found({ cards: "77" }), ["7d7c2s"]);
  assert.deepEqual(found({ cards: "7,7D" }), ["7d7c2s"]);
  assert.deepEqual(found({ cards: "777" }), []);
  assert.deepEqual(found({}), ["Qs3h4d", "7s3h4d", "7c3h4d", "7d7c2s"]);
});

test("measures are the actions, then what players earn", () => {
  const names = measuresOf(rows).map(({ name }) => name);
  assert.deepEqual(names, ["X", "B75", "ev_oop", "ev_ip", "equity_oop", "eqr_oop", "eqr_ip"]);
});

test("a class of hands is summed up over boards by its deals", () => {
  // AA: 2 × 1 × 0.5 = 1 of the first board, 1 × 2 × 0.25 = 0.5 of the second
  const classes = [
    { AA: [0.5, 30, 0.9, 0, 1], KK: [0.5, 10, 0.5, 1, 0] },
    { AA: [0.25, 60, 0.6, 1, 0], QQ: [0.75, 5, 0.4, 0.5, 0.5] },
  ];
  const boards = classes.map((some, place) => ({ ...rows[place], classes: some, pot: 40 }));
  const cells = classCells(boards);
  assert.deepEqual([...cells.keys()], ["AA", "KK", "QQ"]);
  const [check, bet] = cells.get("AA").segments.map(({ share }) => share);
  assert.ok(Math.abs(check - 1 / 3) < 1e-12);
  assert.ok(Math.abs(bet - 2 / 3) < 1e-12);
  assert.match(cells.get("AA").title, /^AA: X 33.3 %, B75 66.7 %; EV 40.00, equity 80.0 %$/);
});

test("a report keeps the boards that pass the filters, and forgets a chosen one that does not", () => {
  const fields = { cards: "" };
  const about = { line: "X", rows };
  const store = reportStore({ about, fields });
  store.update(about);
  assert.deepEqual(store.state.rows, rows);
  store.choose(rows[1]);
  store.update(about);
  assert.equal(store.state.chosen, rows[1]);
  fields.cards = "Q";
  store.update(about);
  assert.deepEqual([store.state.rows, store.state.chosen, store.state.mean.boards], [[rows[0]], null, 1]);
  store.choose(rows[0]);
  store.choose(rows[0]);
  assert.equal(store.state.chosen, null); // twice is no longer
});

test("a map has two textures at most; one that is chosen twice changes places with the other", () => {
  const texturesOfFields = (fields) => reportStore({ about: { rows }, fields });
  assert.deepEqual(texturesOfFields({}).textures(), ["high", "suits"]);
  assert.deepEqual(texturesOfFields({ by: "pairing,none,pairing" }).textures(), ["pairing"]);
  assert.deepEqual(texturesOfFields({ by: "none" }).textures(), ["high", "suits"]);
  const store = texturesOfFields({ by: "high,suits" });
  assert.equal(store.texturesWith(0, "suits"), "suits,high");
  assert.equal(store.texturesWith(0, "pairing"), "pairing,suits");
  assert.equal(store.texturesWith(1, "high"), "suits,high");
  assert.equal(store.texturesWith(1, ""), "high");
});

test("a map shows how often the last action is taken until something else is measured", () => {
  const measureOf = (fields, about = { rows }) => reportStore({ about, fields }).measure().name;
  assert.equal(measureOf({}), "B75");
  assert.equal(measureOf({ measure: "ev_ip" }), "ev_ip");
  assert.equal(measureOf({ measure: "R900" }), "B75");
});
