import assert from "node:assert/strict";
import { test } from "node:test";

import { lockState, SOLVED } from "../../../src/equilibrist/page/js/poker/lock-state.js";

const row = (hand, name, range = 1, mix = [0.5, 0.5]) => ({ hand, name, range, mix });
const ROWS = [
  row("AhAd", "AA"),
  row("AhAc", "AA", 0),
  row("AsAc", "AA", 1, [null, null]), // a card of it lies on the board
  row("KhKd", "KK"),
  row("KhKc", "KK"),
];
const state = () => lockState(ROWS, ["X", "B200"]);
const inClass = (name) => (one) => one.name === name;
const QUEENS = [{ hands: ["KhKd", "KhKc"], strategy: [0, 1] }];

test("what is painted is written, classes where all of their hands are alike", () => {
  const locks = state();
  assert.equal(locks.ready, false);
  locks.lock(inClass("AA"), [0.7, 0.3]);
  locks.lock((one) => one.hand === "KhKc", [0.7, 0.3]);
  locks.lock((one) => one.hand === "KhKd", SOLVED);
  assert.equal(locks.text, "AA, KhKc: X 70, B200 30\nKhKd: [as solved]");
  assert.deepEqual([locks.ready, locks.count], [true, 3]);
  assert.deepEqual([locks.mixOf(ROWS[3]), locks.mixOf(ROWS[2])], [[0.5, 0.5], null]);
  assert.ok(locks.holds("AA", [0.7, 0.3]));
  assert.ok(!locks.holds("KK", [0.7, 0.3]));
  locks.lock(() => true, null);
  assert.deepEqual([locks.text, locks.ready], ["", false]);
});

test("a text can be solved when just this text has been read", () => {
  const locks = state();
  const first = locks.type("KK: B200");
  assert.deepEqual([locks.ready, locks.reading], [false, true]);
  locks.take(first, QUEENS);
  assert.deepEqual([locks.ready, locks.count, locks.text], [true, 2, "KK: B200"]);
  const second = locks.type("KK: X 70");
  assert.equal(locks.ready, false);
  locks.refuse(second, "the shares sum to 70 %");
  assert.deepEqual([locks.ready, locks.problem, locks.text], [false, "the shares sum to 70 %", "KK: X 70"]);
  locks.take(locks.type(""), []);
  assert.deepEqual([locks.ready, locks.problem, locks.count], [false, "", 0]);
});

test("answers that come late say nothing", () => {
  const locks = state();
  const [first, second] = [locks.type("KK: B200"), locks.type("KK: X 70")];
  locks.refuse(second, "the shares sum to 70 %");
  locks.take(first, QUEENS);
  assert.equal(locks.problem, "the shares sum to 70 %");
  const third = locks.type("KK: B200");
  locks.lock(inClass("AA"), [1, 0]);
  locks.take(third, QUEENS);
  assert.deepEqual([locks.text, locks.count, locks.ready], ["AA: X 100", 1, true]);
});
