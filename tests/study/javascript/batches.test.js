import assert from "node:assert/strict";
import { test } from "node:test";
import {
  actionsOf,
  differs,
  fitsFilters,
  meanOf,
  settingsOf,
  valuesOf,
} from "../../../src/equilibrist/page/js/runs/batches.js";

test("values and settings are read as people write them", () => {
  assert.deepEqual(valuesOf("100, 2.5,, a"), [100, 2.5, "a"]);
  assert.deepEqual(settingsOf("ante = 1 | 2\n\n oop.bets = 50%; 3x | 75%, a\nempty"), {
    ante: [1, 2],
    "oop.bets": ["50%; 3x", "75%, a"],
    empty: [],
  });
});

const row = (board, weight, mass, bet) => ({ board, weight, mass, X: 1 - bet, B75: bet, ev_oop: 1, high: board[0] });
const rows = [row("Qs3h4d", 2, 1, 0.5), row("7s3h4d", 1, 2, 0.25), row("7c3h4d", 1, 0, 1)];

test("means weigh a board by what it stands for and the deals that come there", () => {
  assert.deepEqual(actionsOf(rows), ["X", "B75"]);
  assert.equal(meanOf(rows, "B75"), (2 * 0.5 + 2 * 0.25) / 4);
  assert.equal(meanOf([], "B75"), null);
  assert.equal(meanOf(rows, "R200"), null);
});

test("filters are of textures and of cards", () => {
  const found = (fields) => rows.filter((one) => fitsFilters(one, fields)).map(({ board }) => board);
  assert.deepEqual(found({ high: "7" }), ["7s3h4d", "7c3h4d"]);
  assert.deepEqual(found({ cards: "q" }), ["Qs3h4d"]);
  assert.deepEqual(found({ cards: "7s 4d" }), ["7s3h4d"]);
  assert.deepEqual(
    found({}),
    rows.map(({ board }) => board),
  );
});

test("legends name what differs", () => {
  const runs = [
    { game: "kuhn", algorithm: "cfr" },
    { game: "kuhn", algorithm: "dcfr" },
  ];
  assert.deepEqual(differs(runs, ["game", "algorithm"]), ["algorithm"]);
});
