import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_MODEL, readFragment, writeFragment } from "../../../../src/equilibrist/learn/lab/kuhn-address.js";

const PLACE = { algorithm: "dcfr", alternating: false, walk: "QK", chosen: "Kb" };

test("steps are read as they were written, numbers to the last bit", () => {
  const steps = [
    ["full", 12],
    ["s", "Qpb", 1 / 3],
    ["s", "J", 0.1 + 0.2],
    ["s", "Kp", 1e-13],
    ["u", 0],
    ["e", 0.2],
    ["random", 50],
  ];
  const text = writeFragment({ ...PLACE, belief: NO_MODEL, steps });
  assert.equal(text, "kuhn:dcfr.once.QK.Kb;full.12;s.Qpb.1_3;s.J.0.30000000000000004;s.Kp.1e-13;u.0;e.1_5;random.50");
  assert.deepEqual(readFragment(`#${text}`), { ...PLACE, steps, unknown: [] });
});

test("a belief is the first step", () => {
  const belief = { model: "uniform", answers: 1, trust: 0.29, sliders: null };
  const text = writeFragment({ ...PLACE, belief, steps: [["full", 9]] });
  assert.equal(text, "kuhn:dcfr.once.QK.Kb;m.1.uniform.29_100;full.9");
  assert.deepEqual(readFragment(text)?.steps, [
    ["m", belief],
    ["full", 9],
  ]);
});

test("escapes of a browser are read, and broken ones are no error", () => {
  assert.deepEqual(readFragment("#kuhn:cfr.turn.full.Q%3Bfull.2")?.steps, [["full", 2]]);
  assert.equal(readFragment("#kuhn:cfr.turn.full.Q%"), null);
  assert.equal(readFragment("#%zz"), null);
});
