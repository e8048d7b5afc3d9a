import assert from "node:assert/strict";
import { test } from "node:test";

import { makeStore } from "../../../../src/equilibrist/learn/lab/regret-store.js";

/** Return a store, and the list of what its listener has been told. */
function watchedStore(game = "double") {
  const store = makeStore({ game, seed: 3 });
  const told = [];
  store.subscribe((renewed) => told.push(renewed));
  return { store, told };
}

const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-12, `${value}, not ${expected}`);

test("the reader's action is what is played, and its payoff is the score", () => {
  const { store } = watchedStore();
  store.play(1);
  const { last, score } = store.state;
  assert.deepEqual(last.played[1], [0, 1, 0]);
  const program = last.played[0].indexOf(1);
  assert.equal(score, store.game().payoffs[1][program]);
  assert.deepEqual(store.state.curve, [[1, score]]);
});

test("the same seed plays the same rounds", () => {
  const scores = [1, 2].map(() => {
    const { store } = watchedStore("blotto");
    store.begin({ mode: "mix" });
    store.playMany(200);
    return store.state.curve.map(([, score]) => score);
  });
  assert.equal(scores[0].length, 200);
  assert.deepEqual(scores[0], scores[1]);
  assert.ok(new Set(scores[0]).size > 3);
});

test("two programs play the rounds of the tutorial", () => {
  const { store } = watchedStore();
  store.begin({ mode: "bots" });
  store.playMany(2);
  store.state.players[0].regretSums.forEach((sum, a) => near(sum, [1 / 3, 1, -7 / 3][a]));
  store.state.players[0].strategy.forEach((share, a) => near(share, [1 / 4, 3 / 4, 0][a]));
});

test("programs that draw play one action each", () => {
  const { store } = watchedStore();
  store.begin({ mode: "bots" });
  store.playMany(5);
  store.drawActions(true);
  assert.equal(store.state.players[0].rounds, 0);
  store.playMany(5);
  for (const strategy of store.state.last.played) assert.equal(strategy.filter((share) => share === 1).length, 1);
});

test("a prediction is due after a round, and no round is played while it is", () => {
  const { store } = watchedStore();
  store.lookAt(1);
  store.predict(true);
  store.play(0);
  assert.equal(store.state.waiting, true);
  assert.equal(store.state.whose, 0);
  store.play(0);
  assert.equal(store.state.players[0].rounds, 1);
  store.countPrediction(false);
  store.play(0);
  store.countPrediction(true);
  assert.deepEqual([store.state.right, store.state.asked, store.state.waiting], [1, 2, false]);
  store.play(0);
  store.predict(false);
  assert.equal(store.state.waiting, false);
});

test("a fixed mix is not asked for predictions", () => {
  const { store } = watchedStore();
  store.begin({ mode: "mix" });
  store.predict(true);
  store.play();
  assert.equal(store.state.waiting, false);
});

test("the mix stays when a game begins again, and begins anew with another game", () => {
  const { store, told } = watchedStore();
  store.begin({ mode: "mix" });
  store.weigh(0, 0);
  store.weigh(2, 1);
  store.playMany(3);
  store.begin();
  assert.deepEqual(store.state.weights, [0, 0, 1]);
  store.play();
  assert.deepEqual(store.state.last.played[1], [0, 0, 1]);
  store.begin({ game: "fair" });
  assert.deepEqual(store.state.weights, [1, 0, 0]);
  assert.deepEqual(told, [true, false, false, false, false, false, true]);
});

test("two programs stop at 100,000 rounds", () => {
  const { store } = watchedStore();
  store.begin({ mode: "bots" });
  assert.equal(store.playMany(99_999), true);
  assert.equal(store.playMany(1), false);
  const rounds = store.state.curve.map(([t]) => t);
  assert.ok(rounds.every((t, i) => i === 0 || t > 1.02 * rounds[i - 1]));
  const [program, other] = store.exploitabilities();
  assert.ok(program + other < 0.02, `${program} and ${other}`);
});
