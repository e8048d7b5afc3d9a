import assert from "node:assert/strict";
import { test } from "node:test";
import { byClassOf, changeCells, changeOf, sideCells } from "../../../src/equilibrist/page/js/poker/beside.js";

const hand = (name, first, second, range, more = {}) => ({
  class: name,
  range,
  mixes: [first, second],
  difference: 0.5 * first.reduce((sum, share, n) => sum + Math.abs(share - second[n]), 0),
  ev_difference: 2,
  ...more,
});
const actions = ["X", "B"];
const classes = byClassOf([
  hand("AA", [1, 0], [0.5, 0.5], [1, 1]),
  hand("AA", [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]),
  hand("KK", [1, 0], [1, 0], [1, 0], { difference: null, ev_difference: null }),
]);

test("classes are means over their hands, each side by its own weights", () => {
  const one = classes.get("AA");
  assert.deepEqual(one.held, [1.5, 1.5]);
  assert.ok(Math.abs(one.mixes[0][0] - (1 + 0.25) / 1.5) < 1e-12);
  assert.ok(Math.abs(one.difference - 0.5 / 1.5) < 1e-12);
  assert.equal(one.ev_difference, 2);
  assert.equal(changeOf(one, "B", actions), one.mixes[1][1] - one.mixes[0][1]);
  assert.equal(changeOf(classes.get("KK"), "difference", actions), null);
});

test("cells say what is played, and what differs, with a sign", () => {
  const side = sideCells(classes, 1, ["green", "red"], actions, "As2c3d");
  assert.deepEqual([...side.keys()], ["AA"]); // the second side does not hold kings
  assert.match(side.get("AA").title, /X 50 %, B 50 %/);
  assert.equal(side.get("AA").weight, 1.5 / 3); // of the three pairs of aces that the board leaves
  const change = changeCells(classes, "X", actions);
  assert.equal(change.get("AA").label, "−33");
  assert.equal(change.get("KK").title, "KK: not known");
});
