import assert from "node:assert/strict";
import { test } from "node:test";

import { sizesStore } from "../../../src/equilibrist/page/js/poker/sizes-store.js";

/** Return a store of the sizes on a board of so many cards. */
function sizedStore(cards, sizes = {}) {
  const store = sizesStore({ cards: () => cards });
  store.set({ both: {}, oop: {}, ip: {}, ...sizes });
  return store;
}

test("there is a row for all streets, and for each that is still to come", () => {
  assert.deepEqual(
    [0, 3, 4, 5].map((cards) => sizedStore(cards).rows().slice(1)),
    [["flop", "turn", "river"], ["flop", "turn", "river"], ["turn", "river"], ["river"]],
  );
  assert.equal(sizedStore(5).rows()[0], "bets");
});

test("who acts last has no column of donk bets", () => {
  const store = sizedStore(3);
  assert.deepEqual(store.parts(), ["bet", "raise", "donk"]);
  store.show("ip");
  assert.deepEqual(store.parts(), ["bet", "raise"]);
});

test("what is typed is of those whose sizes are seen, in the words of any tool", () => {
  const store = sizedStore(3);
  store.type("turn", 1, " 33 75 ");
  store.show("oop");
  store.type("bets", 0, "a");
  assert.deepEqual(store.state.sizes, { both: { turn: ["", "33%, 75%", ""] }, oop: { bets: ["a", "", ""] }, ip: {} });
  assert.deepEqual(["both", "oop", "ip"].map(store.hasOwn), [false, true, false]);
  store.type("bets", 0, "");
  assert.ok(!store.hasOwn("oop"));
});

test("a cell says what holds where nothing is typed", () => {
  const store = sizedStore(3, { both: { bets: ["50%", "3x", ""] } });
  assert.equal(store.cell("bets", 0).value, "50%");
  assert.deepEqual(store.cell("turn", 1), { value: "", placeholder: "3x", disabled: false });
});

test("nobody makes a donk bet on the first street, but on the river, which may come after others", () => {
  assert.deepEqual(
    ["bets", "flop", "turn"].map((row) => sizedStore(3).cell(row, 2).disabled),
    [false, true, false],
  );
  assert.ok(sizedStore(4).cell("turn", 2).disabled);
  assert.ok(!sizedStore(5).cell("river", 2).disabled);
  assert.ok(!sizedStore(3).cell("flop", 0).disabled);
});

test("usual sizes are those of all streets", () => {
  const store = sizedStore(3, { oop: { bets: ["a", "", ""], turn: ["33%", "", ""] } });
  store.show("oop");
  store.use("Two sizes");
  assert.deepEqual(store.state.sizes.oop, { bets: ["33%, 75%", "2.5x", ""], turn: ["33%", "", ""] });
});
