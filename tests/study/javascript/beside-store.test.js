import assert from "node:assert/strict";
import { test } from "node:test";

import { useUnit } from "../../../src/equilibrist/page/js/base/units.js";
import { besideStore, measuresOf } from "../../../src/equilibrist/page/js/poker/beside-store.js";

const hand = (name, ev) => ({
  hand: name,
  class: `${name[0]}${name[2]}`,
  range: [1, 1],
  mixes: [
    [1, 0],
    [0, 1],
  ],
  difference: 1,
  ev,
});
const FOUND = {
  sides: [{ pot: 100 }, { pot: 50 }],
  actions: ["X", "B50"],
  hands: [hand("AsAh", [30, 40]), hand("AsAd", [10, 40]), hand("KsKh", [null, 40])],
};

/** Return a store of two decisions, the fields of its address, and what its listener has been told. */
function filledStore(fields = {}) {
  useUnit(new URLSearchParams());
  const told = [];
  const store = besideStore({ found: FOUND, fields, set: (changes) => Object.assign(fields, changes) });
  store.subscribe((what) => told.push(what));
  return { store, fields, told };
}

test("an EV differs by what the second earns more, and by nothing that anybody knows where one is not known", () => {
  const { store } = filledStore();
  assert.deepEqual(
    store.state.hands.map((row) => row.ev_difference),
    [10, 30, null],
  );
  assert.equal(store.state.classes.get("AA").ev_difference, 20);
});

test("in another unit the difference is one of shares of each pot", () => {
  const { store, fields, told } = filledStore();
  useUnit(new URLSearchParams("unit=pot"));
  store.tellIn({ unit: "pot" });
  assert.deepEqual(
    store.state.hands.map((row) => row.ev_difference),
    [50, 70, null],
  );
  assert.equal(fields.unit, "pot");
  assert.deepEqual(told, ["unit"]);
});

test("the hands of a class are listed, or all", () => {
  const { store, fields, told } = filledStore({ hand: "KK" });
  assert.deepEqual(
    store.listed().map((row) => row.hand),
    ["KsKh"],
  );
  store.pick("");
  assert.equal(store.listed().length, 3);
  assert.equal(fields.hand, "");
  assert.deepEqual(told, ["hands"]);
});

test("a map shows how different hands are until something else is measured", () => {
  assert.deepEqual(
    measuresOf(["X"]).map(([name]) => name),
    ["difference", "ev_difference", "X"],
  );
  assert.equal(filledStore({ what: "R9" }).store.state.measure, "difference");
  const { store, fields } = filledStore({ what: "B50" });
  assert.equal(store.state.measure, "B50");
  store.showMeasure("X");
  assert.deepEqual([store.state.measure, fields.what], ["X", "X"]);
});
