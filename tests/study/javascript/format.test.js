import assert from "node:assert/strict";
import { test } from "node:test";

import * as format from "../../../src/equilibrist/page/js/base/format.js";

const each = (name, show, cases) =>
  test(name, () => {
    for (const [value, text] of cases) assert.equal(show(value), text);
  });

each("counts", format.count, [
  [1234567, "1,234,567"],
  [-1234.4, "−1,234"],
  [null, "–"],
  [NaN, "–"],
]);
each("short numbers round up into the next unit", format.short, [
  [999.4, "999"],
  [999.6, "1 k"],
  [1234567, "1.23 M"],
  [2e9, "2 G"],
  [0.00001234, "1.23e−5"],
  [0, "0"],
]);
each("percentages", format.percent, [
  [0.12345, "12.3 %"],
  [-0.02, "−2.0 %"],
  [undefined, "–"],
]);
each("payoffs have no negative zero", format.payoff, [
  [-0.0001, "0.000"],
  [-1.23456, "−1.235"],
]);
each("chips", format.chips, [
  [100, "100"],
  [33.333, "33.33"],
  [-0.001, "0"],
]);
each("exploitability", format.gap, [
  [0, "0"],
  [0.00013, "1.3e−4"],
  [0.2345, "0.23"],
  [123456, "1.2e+5"],
]);
const TWO = { measures: { exploitability: 0.125, exploitability_percent: 1.25 }, deviation_gains: [0, 0.25] };
const THREE = { measures: { exploitability: 0.125, exploitability_percent: 1.25 }, deviation_gains: [0, 0.25, 0.125] };

test("three players are told by their largest gain, in payoff and in % of the pot", () => {
  assert.deepEqual(format.gapsOf(TWO), { amount: 0.125, percent: 1.25 });
  assert.deepEqual(format.gapsOf(THREE), { amount: 0.25, percent: 2.5 });
  assert.deepEqual(format.gapsOf({ ...THREE, measures: { exploitability: 0.125 } }), { amount: 0.25, percent: null });
  assert.equal(format.gapOf(THREE), "2.5 % pot");
  assert.equal(format.gapOf({ measures: {}, deviation_gains: [] }), "–");
});
test("a heading of several runs says what they are told by, and cells where it says both", () => {
  assert.equal(format.gapHeading([TWO]), "Exploitability");
  assert.equal(format.gapHeading([]), "Exploitability");
  assert.equal(format.gapHeading([THREE, THREE]), "Largest gain");
  const both = format.gapHeading([THREE, TWO]);
  assert.equal(both, "Exploitability / largest gain");
  assert.equal(format.gapBelow(THREE, both), "2.5 % pot, largest gain");
  assert.equal(format.gapBelow(THREE, "Largest gain"), "2.5 % pot");
  assert.equal(format.gapBelow(TWO, both), "1.3 % pot");
});
each("durations", format.duration, [
  [0.0123, "12 ms"],
  [0.9996, "1 s"],
  [59.96, "1 min"],
  [75, "1 min 15 s"],
  [3599.6, "1 h"],
  [4000, "1 h 7 min"],
  [400000, "5 days"],
]);
each("bytes", format.bytes, [
  [999, "999 B"],
  [999.6, "1 kB"],
  [123456, "123 kB"],
  [5e9, "5 GB"],
]);

test("times", () => {
  const now = new Date(2026, 10, 22, 12, 0).getTime();
  assert.equal(format.ago(now / 1000 - 10, now), "just now");
  assert.equal(format.ago(now / 1000 - 120, now), "2 min ago");
  assert.equal(format.ago(now / 1000 - 2 * 3600, now), "today, 10:00");
  assert.equal(format.ago(now / 1000 - 24 * 3600, now), "yesterday, 12:00");
  assert.equal(format.ago(now / 1000 - 19 * 24 * 3600, now), "3 Nov 2026");
  assert.equal(format.ago("no date", now), "–");
});

test("places of a spot", () => {
  assert.equal(format.whereOf(null, ""), "at the start");
  assert.equal(format.whereOf("X", "B50"), "after X, then B50");
});

test("a share and a change of what is not known are not known", () => {
  assert.equal(format.shareOf(5, 20), 0.25);
  assert.equal(format.shareOf(null, 20), null);
  assert.equal(format.changeBy(3, 1), 2);
  for (const [after, before] of [
    [null, 1],
    [1, null],
    [1, undefined],
  ])
    assert.equal(format.changeBy(after, before), null);
});
