import assert from "node:assert/strict";
import { test } from "node:test";

import { deal } from "../../../src/equilibrist/page/js/poker/board.js";
import { missingCards } from "../../../src/equilibrist/page/js/poker/spot-settings.js";
import { makePast } from "../../../src/equilibrist/page/js/parts/undo.js";
import {
  amount,
  ev,
  evChange,
  evNumber,
  inPrizes,
  isSpot,
  payoffAt,
  settingsIn,
  useUnit,
} from "../../../src/equilibrist/page/js/base/units.js";

/** Use a unit, and return an EV of 15 with a pot of 20, a pot of 20, and a gain of 2. */
function told(query, settings = {}) {
  useUnit(new URLSearchParams(query), settings);
  return [ev(15, 20), amount(20), evChange(2, 20)];
}

test("EVs and amounts in each unit", () => {
  assert.deepEqual(told(""), ["15.00", "20", "2.00"]);
  assert.deepEqual(told("unit=bb&bb=4"), ["3.75", "5", "0.50"]);
  assert.deepEqual(told("unit=bb", { min_bet: 2 }), ["7.50", "10", "1.00"]);
  assert.deepEqual(told("unit=pot"), ["75.00 %", "20", "10.00 %"]);
  assert.deepEqual(told("unit=net"), ["5.00", "20", "2.00"]);
  assert.deepEqual(told("unit=constructor&bb=-1"), ["15.00", "20", "2.00"]);
  useUnit(new URLSearchParams("unit=net"));
  assert.deepEqual([ev(null, 20), evNumber(undefined, 20), amount(null)], ["–", undefined, "–"]);
  assert.equal(evNumber(5, 20) + evNumber(15, 20), 0);
});

test("EVs that are prizes have no other unit", () => {
  assert.deepEqual(told("unit=pot", { prizes: [50, 30] }), ["15.00", "20", "2.00"]);
  assert.equal(inPrizes(), true);
  assert.deepEqual(told("unit=net", settingsIn("holdem(pot=20, prizes=(50, 30))")), ["15.00", "20", "2.00"]);
  assert.deepEqual(told("unit=pot", { prizes: [] }), ["75.00 %", "20", "10.00 %"]);
  assert.equal(inPrizes(), false);
});

test("what was won in several spots is told in the big blinds of each", () => {
  const won = () =>
    ["holdem(min_bet=2)", "holdem(min_bet=50)", "kuhn"].map((game) => payoffAt(100, { game, unit: 200 }));
  useUnit(new URLSearchParams("unit=bb"), { min_bet: 2 });
  assert.deepEqual(won(), [50, 2, 100]);
  useUnit(new URLSearchParams("unit=bb&bb=10"), { min_bet: 2 });
  assert.deepEqual(won(), [10, 10, 100]);
});

test("a spot is told by its text or its file", () => {
  const games = ["holdem(board='2s3h4d6c7c')", "omaha(…)", "spots/river.toml", "kuhn", "leduc(ranks=4)", null];
  assert.deepEqual(games.map(isSpot), [true, true, true, false, false, false]);
});

test("what was taken back is made again, until something else is done", () => {
  const past = makePast();
  for (const text of ["", "A", "AB"]) past.note(text);
  assert.equal(past.redo(), null);
  assert.equal(past.undo(), "A");
  past.note("A"); // as it is shown again
  assert.equal(past.undone, 1);
  assert.equal(past.redo(), "AB");
  assert.equal(past.redo(), null);
  past.undo();
  past.note("AC");
  assert.equal(past.redo(), null);
  assert.equal(past.undo(), "A");
});

test("no card is dealt that the deck lacks", () => {
  const missing = missingCards("short");
  for (let k = 0; k < 200; k++) {
    const board = deal([], { first: 0, last: 3 }, Math.random, missing);
    assert.equal(new Set(board).size, 3);
    assert.ok(board.every((card) => !missing.includes(card)));
  }
});
