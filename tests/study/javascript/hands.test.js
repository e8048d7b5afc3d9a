import assert from "node:assert/strict";
import { test } from "node:test";

import { headingOf } from "../../../src/equilibrist/page/js/poker/hands.js";

const hands = [0.01, 0.002].map((probability) => ({ probability }));

test("a share stands over the hands that are listed, and is theirs", () => {
  assert.equal(headingOf("KQs", hands, { part: true }), "KQs: 2 hands, 1.2 % of the range");
  assert.equal(headingOf("OOP", hands.slice(1), { part: true }), "OOP: 1 hand, 0.2 % of the range");
  assert.equal(headingOf("OOP", hands, { part: false }), "OOP: 2 hands");
});

test("what stands over a list of the whole range counts no filtered hands", () => {
  assert.doesNotMatch(headingOf("OOP", hands, { part: true, list: "made" }), /\d/);
  assert.doesNotMatch(headingOf("OOP", hands, { part: true, list: "chart" }), /\d/);
});
