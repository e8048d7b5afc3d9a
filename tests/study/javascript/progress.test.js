// How far a run is, and how long it still takes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { progressNow, shareDone, timeLeft, timeSpan } from "../../../src/equilibrist/page/js/base/progress.js";

const point = (iteration, seconds, exploitability = 1 / iteration) => ({
  iteration,
  seconds,
  measures: { exploitability },
});
const points = [point(500, 1), point(1000, 2)];
const job = (changes = {}) => ({
  state: "running",
  limits: { iterations: 1000 },
  goal: null,
  last: points[1],
  seconds_left: null,
  ...changes,
});

test("iterations by now are never beyond the limit, nor said to be about what is done", () => {
  assert.deepEqual(progressNow(job(), points, 60), { iteration: 1000, seconds: 2, exact: true });
  const open = progressNow(job({ limits: {} }), points, 0.4);
  assert.deepEqual([open.iteration, open.exact], [1200, false]);
  assert.equal(progressNow(job({ limits: {} }), points, 60).iteration, 1415); // where the next checkpoint is
  assert.equal(progressNow(job({ limits: { seconds: 3 } }), points, 60).seconds, 3);
});

test("while kernels are compiled nothing is said of iterations but those that are done", () => {
  const compiling = job({ limits: {}, stage: "Compiling kernels, once for this installation" });
  assert.deepEqual(progressNow(compiling, points, 60), { iteration: 1000, seconds: 2, exact: true });
});

test("the nearest limit says how far a run is", () => {
  assert.equal(shareDone(job({ state: "done" }), points, 0), 1);
  assert.equal(shareDone(job({ limits: { iterations: 2000, seconds: 2.5 } }), points, 0), 0.8);
  assert.equal(shareDone(job({ limits: {} }), points, 0), null);
});

test("time left is told as the forecast before the start is", () => {
  assert.equal(timeSpan([51, 160]), "50 s to 2 min 40 s");
  assert.equal(timeLeft(job({ seconds_left: [61, 170] }), 10), "50 s to 2 min 40 s");
  assert.equal(timeLeft(job({ seconds_left: 30 }), 10), "about 20 s");
  assert.equal(timeLeft(job({ seconds_left: 30, state: "paused" }), 0), "");
  assert.equal(timeSpan([0, 4]), "up to 4 s");
});
