import assert from "node:assert/strict";
import { test } from "node:test";

import { nameOf, PARTS, STATES } from "../../../../src/equilibrist/learn/lab/leduc-game.js";
import { evaluate } from "../../../../src/equilibrist/learn/lab/leduc-judge.js";
import { makeStore } from "../../../../src/equilibrist/learn/lab/leduc-store.js";

test("states are in sight where all above them are unfolded", () => {
  const store = makeStore();
  const names = () => store.visible().map(nameOf);
  assert.deepEqual(names(), ["", "c", "cc", "cr", "r", "rf", "rc", "rr"]);
  store.toggle(STATES.find((state) => nameOf(state) === "c").index);
  assert.deepEqual(names(), ["", "c", "r", "rf", "rc", "rr"]);
  store.toggle(0);
  assert.deepEqual(names(), [""]);
});

test("another algorithm begins again, and the curves of the others stay", () => {
  const store = makeStore({ algorithm: "cfr" });
  store.run(5);
  store.choose("sampled");
  assert.deepEqual([store.state.cfr.t, store.state.curves.cfr.length], [0, 5]);
  store.run(30);
  const once = store.state.curves.sampled;
  assert.ok(once.length > 3);
  store.reset();
  assert.deepEqual(store.state.curves.sampled, []);
  store.run(30);
  assert.deepEqual(store.state.curves.sampled, once); // the same seed
});

test("a run ends in time, after one iteration at least", () => {
  const store = makeStore();
  store.run(1_000, 0);
  assert.equal(store.state.cfr.t, 1);
});

test("a part is solved again answer by answer, safely but by one method", () => {
  const store = makeStore({ algorithm: "cfr" });
  store.run(20);
  const { index } = PARTS.find((part) => nameOf(part) === "rc/Q");
  store.pick({ index, player: 1 });
  const next = store.resolve();
  assert.deepEqual([next(), next(), next()], [true, true, false]);
  assert.equal(next(), false);
  const { before, methods, answers, left, part } = store.state.resolved;
  assert.deepEqual([left, Object.keys(answers)], [0, ["unsafe", "resolve", "maxmargin"]]);
  assert.equal(before, evaluate(store.average()).best[0]);
  for (const name of ["resolve", "maxmargin"]) {
    assert.ok(methods[name].best <= before + methods[name].excess + 1e-12, name);
    assert.ok(answers[name].excess < 1e-5, name);
  }
  const margin = (name) =>
    Math.min(...answers[name].values.map((value, hand) => (part.allowed[hand] - value) / part.weights[hand]));
  assert.ok(margin("maxmargin") >= margin("resolve") - answers.maxmargin.gap);
  const earned = (name) => answers[name].values.reduce((sum, value, hand) => sum + part.comes[hand] * value, 0);
  for (const name of ["resolve", "maxmargin"]) assert.ok(earned("unsafe") <= earned(name) + answers.unsafe.gap);
});

test("a part that nobody comes to stays as it is", () => {
  const store = makeStore();
  const { index } = PARTS.find((part) => nameOf(part) === "rc/Q");
  const call = STATES.find((state) => nameOf(state) === "r");
  store.state.cfr.strategySum[call.index] = [1, 1, 1].map(() => [1, 0, 0]); // player 1 folds
  store.pick({ index, player: 1 });
  const next = store.resolve();
  while (next());
  assert.equal(store.state.resolved.methods.unsafe.best, store.state.resolved.before);
});

test("what is picked anew forgets what was solved, and what is still being solved", () => {
  const store = makeStore();
  store.run(2);
  const next = store.resolve();
  next();
  store.pick({ player: 0 });
  assert.equal(store.state.resolved, null);
  assert.equal(next(), false);
  assert.equal(store.state.resolved, null);
});

test("docs/lab-leduc.md: CFR, CFR+, and a part solved again", () => {
  const four = (value) => value.toFixed(4);
  const plus = makeStore({ algorithm: "cfr+" });
  plus.run(200);
  assert.equal(evaluate(plus.average()).exploitability.toFixed(4), "0.0050");
  const store = makeStore({ algorithm: "cfr" });
  store.run(200);
  assert.equal(evaluate(store.average()).exploitability.toFixed(3), "0.054");
  assert.equal(evaluate(store.state.cfr.strategy).exploitability.toFixed(2), "0.98");
  store.pick({ index: PARTS.find((part) => nameOf(part) === "rc/K").index, player: 1 });
  const next = store.resolve();
  while (next());
  const { before, methods } = store.state.resolved;
  assert.equal(four(before), "-0.0425");
  assert.deepEqual(
    Object.values(methods).map(({ best }) => four(best)),
    ["-0.0317", "-0.0437", "-0.0433"],
  );
});
