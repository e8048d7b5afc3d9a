import assert from "node:assert/strict";
import { test } from "node:test";
import { differs, settingsOf, valuesOf } from "../../../src/equilibrist/page/js/runs/batches.js";

test("values and settings are read as people write them", () => {
  assert.deepEqual(valuesOf("100, 2.5,, a"), [100, 2.5, "a"]);
  assert.deepEqual(settingsOf("ante = 1 | 2\n\n oop.bets = 50%; 3x | 75%, a\nempty"), {
    ante: [1, 2],
    "oop.bets": ["50%; 3x", "75%, a"],
    empty: [],
  });
});

test("legends name what differs", () => {
  const runs = [
    { game: "kuhn", algorithm: "cfr" },
    { game: "kuhn", algorithm: "dcfr" },
  ];
  assert.deepEqual(differs(runs, ["game", "algorithm"]), ["algorithm"]);
});
