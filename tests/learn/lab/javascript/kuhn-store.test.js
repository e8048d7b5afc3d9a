import assert from "node:assert/strict";
import { test } from "node:test";

import { makeStore } from "../../../../src/equilibrist/learn/lab/kuhn-store.js";

/** Return a store that stands where an address of another says. */
function opened(store) {
  const other = makeStore();
  assert.ok(other.open(`#${store.fragment()}`));
  return other;
}

test("an address says the position again, exactly", () => {
  const store = makeStore({ algorithm: "dcfr", alternating: false });
  store.run(12);
  store.setBet("Qpb", 1 / 3);
  store.setBet("Qpb", 0.123456789);
  store.configure({ walk: "QK" });
  store.run(3);
  store.configure({ walk: "random" });
  store.run(50);
  store.choose("Kb");
  store.play("e", 0.2);
  const other = opened(store);
  assert.deepEqual(other.state, store.state);
  assert.deepEqual(other.settings, store.settings);
  assert.equal(other.chosen, "Kb");
  assert.equal(other.fragment(), store.fragment());
  assert.ok(store.fragment().length < 100, store.fragment());
});

test("a position that took too much is opened with its strategy alone", () => {
  const store = makeStore();
  for (let i = 0; i < 40; i++) {
    store.setBet("Q", i / 100);
    store.run(1);
  }
  const other = opened(store);
  assert.deepEqual(other.state.strategy, store.state.strategy);
  assert.equal(other.state.t, 0);
});

test("what is no position is refused, and what is no step is told", () => {
  const store = makeStore();
  for (const text of [
    "",
    "#regret-matching",
    "#kuhn:none.turn.full.Q",
    "#kuhn:cfr.turn.full.Z",
    "#kuhn:cfr.turn.XX.Q",
    "#kuhn:cfr.never.full.Q",
  ])
    assert.equal(store.open(text), false, text);
  assert.ok(store.open("#kuhn:cfr.turn.full.Q;s.Q.7;s.ZZ.1;full.-3;full.1e9;nonsense;e.5;s.K.1_4"));
  assert.deepEqual(store.unknownSteps, ["s.Q.7", "s.ZZ.1", "full.-3", "full.1e9", "nonsense", "e.5"]);
  assert.equal(store.state.t, 0);
  assert.equal(store.state.strategy.K, 0.25);
  assert.equal(store.state.strategy.Q, 0.5);
  assert.ok(store.open("#kuhn:cfr.turn.full.Q;full.2;"));
  assert.deepEqual(store.unknownSteps, []);
});

test("another algorithm or order begins again, another deal does not", () => {
  const store = makeStore();
  store.run(5);
  store.configure({ walk: "JK" });
  assert.equal(store.state.t, 5);
  store.configure({ alternating: false });
  assert.equal(store.state.t, 0);
  store.run(5);
  store.configure({ algorithm: "cfr+" });
  assert.equal(store.state.t, 0);
});

test("points of the curves grow with the logarithm of the iterations", () => {
  const store = makeStore();
  store.run(10_000);
  assert.equal(store.points.filter(({ t }) => t <= 100).length, 101);
  assert.ok(store.points.length < 300);
  assert.ok(store.points.at(-1).average < 5e-3);
});

test("the preview of an iteration changes nothing, and is what it does", () => {
  const store = makeStore({ algorithm: "pcfr+" });
  store.run(7);
  const before = structuredClone(store.state);
  const { record } = store.preview();
  assert.deepEqual(store.state, before);
  store.run(1);
  assert.deepEqual(record, store.last.record);
});

test("an address says what is believed, and nothing where nothing is", () => {
  const store = makeStore();
  assert.equal(store.fragment(), "kuhn:cfr.turn.full.Q");
  store.believe("uniform");
  store.configure({ answers: 1, trust: 0.29 });
  store.run(9);
  assert.equal(store.fragment(), "kuhn:cfr.turn.full.Q;m.1.uniform.29_100;full.9");
  assert.deepEqual(opened(store).state, store.state);
  store.setBet("Qb", 0.123456789);
  store.setBet("Kp", 1e-7);
  store.believe("sliders");
  store.configure({ trust: 0.123456789 });
  store.run(7);
  const other = opened(store);
  assert.deepEqual(other.settings, store.settings);
  assert.deepEqual(other.state, store.state);
  assert.deepEqual(other.answering(), store.answering());
  other.believe("none");
  assert.equal(other.fragment(), "kuhn:cfr.turn.full.Q");
  assert.ok(store.open("#kuhn:cfr.turn.full.Q;full.2"));
  assert.equal(store.answering(), null);
  assert.deepEqual(store.settings, makeStore().settings);
});

test("what cannot be believed is left out", () => {
  const store = makeStore();
  for (const step of ["m", "m.2.uniform.1_2", "m.0.none.1_2", "m.0.nobody.1_2", "m.0.uniform.1", "m.0.uniform.-1_2"]) {
    assert.ok(store.open(`#kuhn:cfr.turn.full.Q;${step}`), step);
    assert.equal(store.answering(), null, step);
  }
  for (const numbers of ["1_2", `1_2${",1_2".repeat(11)},7`, `1_2${",1_2".repeat(13)}`]) {
    store.open(`#kuhn:cfr.turn.full.Q;m.0.sliders.${numbers}`);
    assert.equal(store.answering(), null, numbers);
  }
});

test("another model, trust or player begins again where there is trust, else nothing does", () => {
  const store = makeStore();
  store.run(5);
  const before = structuredClone(store.state);
  store.believe("station");
  store.configure({ answers: 1 });
  store.believe("sliders");
  assert.deepEqual(store.state, before);
  assert.deepEqual(store.answering().strategy.Q, before.strategy.Q);
  for (const changes of [
    { trust: 0.5 },
    { trust: 0.6 },
    { answers: 0 },
    { model: "folder", sliders: null },
    { trust: 0 },
  ]) {
    store.configure(changes);
    assert.equal(store.state.t, 0, JSON.stringify(changes));
    store.run(5);
  }
  assert.deepEqual(store.state, before);
  store.configure({ trust: 0.5 });
  store.run(5);
  store.configure({ trust: 0.5, walk: "QK" });
  assert.equal(store.state.t, 5);
  store.believe("none");
  assert.equal(store.state.t, 0);
  assert.equal(store.settings.trust, 0);
});

test("the preview of an iteration at a trust is what it does", () => {
  const store = makeStore();
  store.believe("uniform");
  store.configure({ trust: 0.3 });
  store.run(3);
  const { record } = store.preview();
  store.run(1);
  assert.deepEqual(record, store.last.record);
  assert.equal(record.Q.mixed.trust, 0.3);
  assert.equal(record.Qb.mixed, undefined);
});
