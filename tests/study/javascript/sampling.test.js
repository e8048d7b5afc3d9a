// The text of a sampling, both ways.
import assert from "node:assert/strict";
import { test } from "node:test";

import { readSampling, writeSampling } from "../../../src/equilibrist/page/js/runs/sampling.js";

test("a sampling is written as the command takes it, and read back", () => {
  const options = { tree: "False", batch: "64", baseline: "infoset", epsilon: "0.4" };
  const text = "outcome(tree=False, batch=64, baseline='infoset', epsilon=0.4)";
  assert.equal(writeSampling("outcome", options), text);
  assert.deepEqual(readSampling(text), { scheme: "outcome", options });
});

test("full-width iterations have no text, unless they prune", () => {
  assert.equal(writeSampling("", {}), undefined);
  assert.equal(writeSampling("", { pruning: "zero-reach", batch: "" }), "full(pruning='zero-reach')");
  assert.deepEqual(readSampling("external"), { scheme: "external", options: {} });
});
