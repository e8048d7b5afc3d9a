// What games, lines, algorithms and runs are called.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as words from "../../../src/equilibrist/page/js/base/words.js";

const SPOT = "holdem(board='Td9d6hQc', oop='AA', ip='KK', pot=20, stack=40, bets='a')";
const row = { id: "mine", game: SPOT, spot: true, algorithm: "dcfr+", sampling: "full", stop_reason: "until" };

test("a spot is named by its board and pot", () => {
  assert.equal(words.titleOf(row), "Hold'em Td9d6h Qc, pot 20, stacks 40");
  assert.equal(words.titleOf({ ...row, title: "A title" }), "A title");
});

test("runs are found by hold'em, by boards with spaces, by algorithms", () => {
  for (const search of ["hold'em", "hold’em Qc", "td 9d 6h", "Td9d6h Qc", "DCFR+ mine", ""])
    assert.ok(words.fits(search, row), search);
  assert.ok(!words.fits("kuhn", row));
  assert.ok(words.fits("boards", { id: "rivers", title: "2 boards: holdem(…)" }));
});

test("algorithms are spelled out", () => {
  assert.equal(words.spelledOut("sapcfr+"), "Simple Asymmetric Predictive CFR⁺ · arXiv 2503.12770");
  assert.equal(words.spelledOut("mine"), null);
  assert.equal(words.algorithmOf({ algorithm: "cfr", sampling: "outcome" }), "cfr, outcome");
});

test("actions and lines are in words", () => {
  assert.equal(words.inWords("B120", ["X", "B120"]), "Bet 120");
  assert.equal(words.inWords("B", ["A", "B"]), "B");
  assert.equal(words.lineInWords("X-B20-C | X"), "Check, Bet 20, Call | Check");
});

test("exponents of the server's sentences are written as on the page", () => {
  assert.equal(words.typeset("would win 1.1e-08 a game, of 2e+10"), "would win 1.1e−8 a game, of 2e10");
});

test("legends name what differs", () => {
  const run = (id, more) => ({
    id,
    name: id,
    game: "kuhn",
    title: "kuhn",
    algorithm: "cfr",
    sampling: "full",
    seed: 0,
    ...more,
  });
  const found = (...runs) => words.legendNames(runs);
  assert.deepEqual(found(run("kuhn"), run("kuhn-2", { algorithm: "cfr+" })), ["cfr", "cfr+"]);
  assert.deepEqual(found(run("a", { seed: 1, sampling: "external" }), run("b", { seed: 2, sampling: "external" })), [
    "seed 1",
    "seed 2",
  ]);
  assert.deepEqual(found(run("a"), run("b"), run("c", { algorithm: "dcfr" })), ["a · cfr", "b · cfr", "c · dcfr"]);
  assert.deepEqual(found(run("a~1x", { name: "x" }), run("b~1x", { name: "x" })), ["a/x", "b/x"]);
  assert.deepEqual(found(run("kuhn")), ["kuhn"]);
});
