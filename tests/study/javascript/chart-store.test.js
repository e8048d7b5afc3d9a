import assert from "node:assert/strict";
import { test } from "node:test";

import { CLASSES } from "../../../src/equilibrist/page/js/cards/grid.js";
import { chartStore, rangeAt } from "../../../src/equilibrist/page/js/poker/chart-store.js";

const chart = (stacks, remaining = 0) => ({ stacks, remaining, exploitability: 1e-4, left_out: [] });

/** Return a store, its requests with functions that answer them, and what its listener has been told. */
function askedStore(query = "") {
  const requests = [];
  const told = [];
  const ask = (request) => new Promise((answer, refuse) => requests.push({ request, answer, refuse }));
  const store = chartStore({ ask, query: new URLSearchParams(query) });
  store.subscribe((what) => told.push(what));
  return { store, requests, told };
}
const settled = () => new Promise((done) => setImmediate(done));

test("the usual settings are asked for, and are not in the address", () => {
  const { store } = askedStore();
  assert.deepEqual(store.request(), { stacks: "1..20", step: "1", ante: "0", bb_ante: "0" });
  assert.equal(store.address(), "/charts");
  store.state.texts.ante = "0,5";
  store.showAction("call");
  assert.equal(store.request().ante, "0.5");
  assert.equal(store.address(), "/charts?ante=0.5&action=call");
});

test("an address opens its settings, action and stack; an action that there is not is refused", () => {
  const { store } = askedStore("stacks=5..9&action=call&at=7");
  assert.deepEqual([store.request().stacks, store.state.action, store.state.at], ["5..9", "call", "7"]);
  assert.throws(() => askedStore("action=fold"), /no grid “fold”: choose one of push, call/);
});

test("stacks are shown as they are solved, and asked for until none is left", async () => {
  const { store, requests, told } = askedStore();
  const solve = store.solve();
  assert.equal(store.state.status, "Solving …");
  requests[0].answer(chart([1, 2], 1));
  await settled();
  assert.equal(store.state.status, "Solving: 2 of 3 stacks …");
  requests[1].answer({ ...chart([1, 2, 3]), left_out: [0.5] });
  await solve;
  assert.match(store.state.status, /^3 stacks, each solved to 1e-4 bb .* Left out, .*: 0\.5 bb\.$/);
  assert.equal(requests.length, 2);
  assert.deepEqual(told, ["problem", "status", "asked", "status", "chart", "status", "chart"]);
});

test("a stack that is not solved is not shown", async () => {
  const { store, requests } = askedStore("at=7");
  const solve = store.solve();
  requests[0].answer(chart([1, 2]));
  await solve;
  assert.equal(store.state.at, "");
});

test("an answer to an earlier request comes too late, and asks no more", async () => {
  const { store, requests } = askedStore();
  const [first, second] = [store.solve(), store.solve()];
  requests[1].answer(chart([3]));
  requests[0].answer(chart([1], 5));
  await Promise.all([first, second]);
  assert.deepEqual([store.state.chart.stacks, requests.length], [[3], 2]);
});

test("a refusal leaves what is solved, or nothing of another request", async () => {
  const { store, requests } = askedStore();
  const solve = store.solve();
  requests[0].answer(chart([1], 1));
  await settled();
  requests[1].refuse(Object.assign(new Error("step: too small"), { field: "step" }));
  await solve;
  assert.equal(store.state.status, "1 stacks are solved; the rest is not.");
  assert.deepEqual([store.state.chart.stacks, store.state.error.field], [[1], "step"]);
  const again = store.solve();
  assert.equal(store.state.error, null);
  requests[2].refuse(new Error("away"));
  await again;
  assert.deepEqual([store.state.chart, store.state.status], [null, ""]);
});

test("a range at a stack has the hands that are played there", () => {
  const shares = CLASSES.map((_, k) => [1, 0.005, 0.004][k] ?? 0);
  const solved = { ...chart([1, 2]), probabilities: { push: [[], shares], call: [] } };
  assert.deepEqual(rangeAt(solved, "push", "2"), { [CLASSES[0]]: 1, [CLASSES[1]]: 0.005 });
});
