import assert from "node:assert/strict";
import { test } from "node:test";

import { playsOf, spotLocksStore, strategyOf } from "../../../src/equilibrist/page/js/poker/spot-locks-store.js";

const FOLDS = { line: "B50", strategy: { F: 0.8, C: "20%" } };
const QUEENS = { line: "X-B50 | X", strategy: { C: 1 }, hands: ["QsQh", "QdQc"], board: "Td9d6hQc2s", extra: 1 };

/** Return a store with these locks, and what it has told. */
function storeOf(locks) {
  const told = [];
  const store = spotLocksStore((next) => told.push(next));
  store.set(locks);
  return { store, told };
}

test("a strategy as a text, and back", () => {
  assert.equal(playsOf(FOLDS.strategy), "F 80, C 20");
  assert.equal(playsOf({ C: 1 / 3, F: " 66.7 % " }), "C 33.3333333333, F 66.7");
  assert.deepEqual(strategyOf("f 80, C 20 %"), { F: "80%", C: "20%" });
  assert.deepEqual(strategyOf("x"), { X: "100%" });
  assert.deepEqual(strategyOf("F eighty, C -2"), { "F EIGHTY": "100%", "C -2": "100%" }); // which the spot refuses
});

test("locks that nobody touches stay as they were read, to the last setting", () => {
  const { store, told } = storeOf([FOLDS, QUEENS]);
  assert.deepEqual(store.locks(), [FOLDS, QUEENS]);
  assert.deepEqual(store.state.rows[1].texts, {
    ...{ line: "X-B50 | X", hands: "QsQh,QdQc", plays: "C 100", board: "Td9d6hQc2s" },
  });
  assert.deepEqual(told, []);
});

test("an edit changes one lock and tells all", () => {
  const { store, told } = storeOf([FOLDS, QUEENS]);
  store.edit(1, "hands", "set and not hearts");
  store.edit(1, "board", " ");
  const edited = { line: "X-B50 | X", strategy: { C: "100%" }, hands: "set and not hearts", extra: 1 };
  assert.deepEqual(told.at(-1), [FOLDS, edited]);
  store.edit(0, "plays", "F 50, C 50");
  assert.deepEqual(told.at(-1), [{ line: "B50", strategy: { F: "50%", C: "50%" } }, edited]);
});

test("a new lock counts once it says what is played, and a removed one no more", () => {
  const { store, told } = storeOf([FOLDS]);
  store.add();
  assert.deepEqual(store.locks(), [FOLDS]);
  store.edit(1, "line", "X");
  assert.deepEqual(told.at(-1), [FOLDS]);
  store.edit(1, "plays", "X 100");
  assert.deepEqual(told.at(-1), [FOLDS, { line: "X", strategy: { X: "100%" } }]);
  store.remove(0);
  assert.deepEqual(told.at(-1), [{ line: "X", strategy: { X: "100%" } }]);
});

test("settings that say what the rows say leave a row alone that is being typed", () => {
  const { store } = storeOf([FOLDS]);
  store.add();
  const { rows } = store.state;
  store.set([FOLDS]);
  assert.equal(store.state.rows, rows);
  store.set([]);
  assert.deepEqual(store.state.rows, []);
  store.set("no list");
  assert.deepEqual(store.locks(), []);
});
