import assert from "node:assert/strict";
import { test } from "node:test";

import { judged } from "../../../../src/equilibrist/learn/lab/one-bet-game.js";
import { makeStore } from "../../../../src/equilibrist/learn/lab/one-bet-store.js";

/** Return a store, and the list of what its listener has been told. */
function watchedStore() {
  const store = makeStore();
  const told = [];
  store.subscribe((repaint) => told.push(repaint));
  return { store, told };
}

test("a run plays the point first", () => {
  const { store } = watchedStore();
  store.move({ bluff: 0.25, call: 0.5 });
  assert.equal(store.rounds(), 0);
  assert.equal(store.average(), null);
  store.advance(1);
  assert.equal(store.rounds(), 1);
  assert.deepEqual(store.state.played[0], [0.25, 0.5]);
  const [bluff, call] = store.average();
  assert.ok(Math.abs(bluff - 0.25) < 1e-12 && Math.abs(call - 0.5) < 1e-12, `${bluff}, ${call}`);
});

test("the point and the blinds of a run stay, and a move ends it", () => {
  const { store, told } = watchedStore();
  store.advance(5);
  assert.deepEqual([store.state.bluff, store.state.call], [0.7, 0.8]);
  store.move({ bluff: 0.1 });
  assert.equal(store.rounds(), 0);
  assert.deepEqual([store.state.bluff, store.state.call], [0.1, 0.8]);
  assert.deepEqual([store.state.played, store.state.averages, store.state.curve], [[], [], []]);
  assert.deepEqual(told, [false, false]);
});

test("the surface is painted again only where blinds or colours are others", () => {
  const { store, told } = watchedStore();
  store.move({ S: 1 });
  store.move({ S: 2 });
  store.showPushes(false);
  store.colourBy("exploitability");
  store.useAlgorithm("cfr+");
  assert.deepEqual(told, [false, true, false, true, false]);
});

test("another algorithm begins again, other colours do not", () => {
  const { store } = watchedStore();
  store.advance(3);
  store.colourBy("gain0");
  assert.equal(store.rounds(), 3);
  store.useAlgorithm("in turn");
  assert.equal(store.rounds(), 0);
  store.advance(3);
  store.reset();
  assert.equal(store.rounds(), 0);
  assert.equal(store.state.algorithm, "in turn");
});

test("a run ends at 20,000 iterations, keeps the last strategies, and its curve falls", () => {
  const { store } = watchedStore();
  assert.equal(store.advance(19_999), true);
  assert.equal(store.advance(10), false);
  assert.equal(store.rounds(), 20_000);
  assert.ok(store.state.played.length <= 2000, `${store.state.played.length} strategies`);
  const rounds = store.state.curve.map(([t]) => t);
  assert.ok(rounds.every((t, i) => i === 0 || t > 1.03 * rounds[i - 1]));
  const [first, last] = [store.state.curve[0][1], store.state.curve.at(-1)[1]];
  assert.ok(last < first / 20, `${first} to ${last}`);
  const [bluff, call] = store.average();
  assert.ok(judged(1, bluff, call).exploitability < first / 20);
});
