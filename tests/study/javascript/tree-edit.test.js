import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf, cut, extended, faced, grown } from "../../../src/equilibrist/page/js/poker/tree-edit.js";

const none = { add: [], remove: [] };

test("lines go on on their street or on the next one", () => {
  assert.equal(extended("", "B50"), "B50");
  assert.equal(extended("X", "B50"), "X-B50");
  assert.equal(extended("X-X |", "B50"), "X-X | B50");
  assert.equal(extended("X-X | B50", "C"), "X-X | B50-C");
});

test("what is removed and added again leaves nothing behind", () => {
  assert.deepEqual(cut(none, "X-B50"), { add: [], remove: ["X-B50"] });
  assert.deepEqual(cut(none, "B50-C |"), { add: [], remove: ["B50-C"] });
  assert.deepEqual(grown(cut(none, "X-B50"), "X-B50"), { add: ["X-B50"], remove: [] });
  assert.deepEqual(cut(grown(none, "X-B50"), "X-B50"), none);
  const below = { add: ["X-B50-R200", "X-B500"], remove: ["X-B50-C | B60"] };
  assert.deepEqual(cut(below, "X-B50"), { add: ["X-B500"], remove: ["X-B50"] });
});

test("what is faced is what was bet on the street", () => {
  assert.deepEqual(faced(""), { bet: 0, committed: 0 });
  assert.deepEqual(faced("X-B50"), { bet: 50, committed: 0 });
  assert.deepEqual(faced("B50-R150"), { bet: 150, committed: 50 });
  assert.deepEqual(faced("B50-C | X"), { bet: 0, committed: 0 });
});

test("sizes are those of spot files", () => {
  const row = (line, pot, player = 0, left = [900, 900]) => ({ line, pot, player, left });
  assert.equal(actionOf("75%", row("", 200)), "B150");
  assert.equal(actionOf("120", row("", 200)), "B120");
  assert.equal(actionOf("120c", row("", 200)), "B120");
  assert.equal(actionOf("2.5x", row("B100", 300, 1)), "R250");
  assert.equal(actionOf("50%", row("B100", 300, 1)), "R300"); // 100 + half of 300 + 100
  assert.equal(actionOf("a", row("B100-R300", 600, 0, [800, 600])), "A900");
  assert.equal(actionOf("1000%", row("", 200)), "A900");
  for (const text of ["", "x", "0", "2x", "75 percent", "-3"]) assert.equal(actionOf(text, row("", 200)), null);
});
