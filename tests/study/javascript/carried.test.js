import assert from "node:assert/strict";
import { test } from "node:test";

import { carriedFields, carriedNote, usualGoal } from "../../../src/equilibrist/page/js/runs/carried.js";

test("settings of a run become fields of a form, with the goal that its concept has", () => {
  assert.deepEqual(carriedFields({ concept: "qre('1%')" }), { until: "0.001", concept: "qre('1%')" });
  assert.deepEqual(carriedFields({ concept: "floors(0.01)", alternating: false }), {
    concept: "floors(0.01)",
    alternating: "no",
  });
  assert.deepEqual(carriedFields({}), {});
});

test("the goal of a quantal run is an error of a probability; that of others a share of the pot", () => {
  assert.equal(usualGoal({ concept: "qre(0.5)" }, "0.5%", "of the pot").value, "0.001");
  for (const carried of [null, {}, { concept: "qre(0)" }, { concept: "floors(0.01)" }])
    assert.equal(usualGoal(carried, "0.5%", "of the pot").value, "0.5%");
});

test("what is carried is shown, and so is that nothing can be", () => {
  assert.equal(carriedNote({ concept: "floors(0.01)" }), "Solved as this run was: concept floors(0.01).");
  assert.equal(carriedNote({}), null);
  assert.match(carriedNote(null), /no name/);
});
