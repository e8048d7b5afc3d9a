import assert from "node:assert/strict";
import { test } from "node:test";

import {
  commonest,
  lineBefore,
  lineOf,
  lineOn,
  placeBefore,
} from "../../../src/equilibrist/page/js/poker/spot-lines.js";

const decision = (line, chosen, board) => ({ kind: "decision", line, chosen, board });
const NODE = {
  line: "X-B50-C | X",
  board: "AsKs7s2sQc",
  steps: [
    decision("", "X", "AsKs7s2s"),
    decision("X", "B50", "AsKs7s2s"),
    decision("X-B50", "C", "AsKs7s2s"),
    { kind: "deal", card: "Qc", board: "AsKs7s2sQc" },
    decision("X-B50-C", "X", "AsKs7s2sQc"),
  ],
};

test("lines after an action, with a bar where a card has come before it", () => {
  assert.equal(lineOn({ line: "", steps: [] }, "X"), "X");
  assert.equal(lineOn(NODE, "A100"), "X-B50-C | X-A100");
  assert.equal(lineOn({ ...NODE, line: "X-B50-C", steps: NODE.steps.slice(0, 4) }, "X"), "X-B50-C | X");
  assert.equal(lineOf(NODE, 4), "X-B50-C | X");
  assert.equal(lineOf(NODE, 2, "F"), "X-B50-F");
  assert.equal(lineBefore(NODE, 3), "X-B50-C");
  assert.equal(lineBefore(NODE, 0), "");
});

test("back takes an action back, or a card", () => {
  assert.deepEqual(placeBefore(NODE), { line: "X-B50-C", board: "AsKs7s2sQc" });
  assert.deepEqual(placeBefore({ steps: NODE.steps.slice(0, 4) }), { line: "X-B50-C", board: "AsKs7s2s" });
  assert.deepEqual(placeBefore({ steps: [] }), { line: "", board: "" });
});

test("the keys point at what is done most often", () => {
  const next = ["F", "C", "B50"].map((action) => ({ action }));
  assert.equal(commonest({ next, frequencies: { F: 0.2, C: 0.5, B50: 0.3 } }), 1);
  assert.equal(commonest({}), 0);
});
