import assert from "node:assert/strict";
import { test } from "node:test";

import { makePredictStore, shuffle } from "../../../../src/equilibrist/learn/lab/kuhn-predict-store.js";
import { makeStore } from "../../../../src/equilibrist/learn/lab/kuhn-store.js";
import { drawing } from "../../../../src/equilibrist/learn/lab/random.js";

/** Return a lab after two iterations, and a store of predictions about the third one. */
function begun(settings = {}) {
  const lab = makeStore(settings);
  lab.run(2);
  lab.choose("Qb");
  const store = makePredictStore(lab, drawing(4));
  store.begin();
  return { lab, store };
}

/** Answer the question at hand, rightly or not. */
function answer(store, { rightly }) {
  const next = store.state.question.update.next[1];
  store.answer(String(rightly ? next : (next + 0.3) % 1));
}

test("five infosets are asked for, the chosen one first, and the score counts what was right", () => {
  const { lab, store } = begun();
  const asked = [];
  for (let n = 0; n < 5; n++) {
    const { key, number, count } = store.state.question;
    asked.push(key);
    assert.deepEqual([number, count, lab.chosen, lab.secret], [n, 5, key, true]);
    assert.equal(store.isLast(), n === 4);
    answer(store, { rightly: n < 3 });
    assert.deepEqual(store.state.verdict, { isNumber: true, isRight: n < 3 });
    assert.equal(store.isAsking(), false);
    assert.equal(lab.state.t, 2);
    store.goOn();
  }
  assert.equal(asked[0], "Qb");
  assert.equal(new Set(asked).size, 5);
  assert.deepEqual(store.state.score, { right: 3, count: 5 });
  assert.deepEqual([lab.state.t, lab.secret, store.state.question], [3, false, null]);
});

test("what was asked is what the iteration then plays", () => {
  const { lab, store } = begun({ algorithm: "pcfr+" });
  const told = [];
  while (store.state.question) {
    const { key, update } = store.state.question;
    told.push([key, update.next[1]]);
    answer(store, { rightly: true });
    store.goOn();
  }
  for (const [key, next] of told) assert.equal(lab.state.strategy[key], next, key);
});

test("a text that is no probability is no answer, and an answer is given once", () => {
  const { store } = begun();
  for (const text of ["nonsense", "", "2", "-0.1", "1/0", "NaN"]) {
    store.answer(text);
    assert.deepEqual(store.state.verdict, { text, isNumber: false });
    assert.equal(store.isAsking(), true);
    store.goOn();
    assert.equal(store.state.number, 0);
  }
  answer(store, { rightly: false });
  answer(store, { rightly: true });
  assert.deepEqual([store.state.right, store.state.verdict.isRight], [0, false]);
});

test("a slider that is moved makes another question, and stopping shows all again", () => {
  const { lab, store } = begun();
  const { key } = store.state.question;
  const before = store.state.question.update.next[1];
  lab.run(5);
  store.askAgain();
  assert.equal(store.state.question.key, key);
  assert.notEqual(store.state.question.update.next[1], before);
  store.stop();
  assert.deepEqual([store.state.question, store.state.score, lab.secret], [null, null, false]);
});

test("of a drawn deal one is taken, and only infosets that it comes to are asked for", () => {
  const { lab, store } = begun({ walk: "random" });
  assert.match(lab.settings.walk, /^[JQK]{2}$/);
  const cards = new Set(store.state.keys.map(([card]) => card));
  assert.ok([...cards].every((card) => lab.settings.walk.includes(card)));
  assert.ok(store.state.keys.length <= 4);
});

test("a list is shuffled evenly, and stays what it was", () => {
  const random = drawing(9);
  const list = [0, 1, 2];
  const counts = new Map();
  for (let n = 0; n < 6_000; n++) {
    const order = shuffle(list, random).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  assert.ok([...counts.values()].every((count) => Math.abs(count - 1_000) < 150));
  assert.deepEqual(list, [0, 1, 2]);
});
