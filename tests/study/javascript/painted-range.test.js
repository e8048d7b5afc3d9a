import assert from "node:assert/strict";
import { test } from "node:test";

import { paintedRangeStore } from "../../../src/equilibrist/page/js/poker/painted-range.js";

/** Return a store, its requests with functions that answer them, and what its listener has been told. */
function askedStore({ deck = "full" } = {}) {
  const requests = [];
  const told = [];
  const ask = (request) => new Promise((answer, refuse) => requests.push({ request, answer, refuse }));
  const store = paintedRangeStore({ ask, deck: () => deck });
  store.subscribe((what) => told.push(what === "range" ? `range ${store.text()}` : what));
  return { store, requests, told, weights: () => Object.fromEntries(store.state.weights) };
}
const settled = () => new Promise((done) => setImmediate(done));

test("a text is read as weights", async () => {
  const { store, requests, told, weights } = askedStore();
  const set = store.set(" AsKs:0.5 ");
  assert.deepEqual(requests[0].request, { text: " AsKs:0.5 ", deck: "full" });
  requests[0].answer({ weights: { AsKs: 0.5 }, warnings: ["text: twice"] });
  await set;
  assert.deepEqual(weights(), { AsKs: 0.5 });
  assert.deepEqual(store.state.warnings, ["text: twice"]);
  assert.deepEqual(told, ["text", "problem", "weights", "range AsKs:0.5"]);
});

test("what is painted is written as a text, and a weight of 0 is no hand", async () => {
  const { store, requests, told } = askedStore();
  store.paint(["AsKs", "AhKh"], 1);
  store.paint(["AhKh"], 0);
  const write = store.write();
  assert.deepEqual(requests[0].request, { weights: { AsKs: 1 }, deck: "full" });
  requests[0].answer({ text: "AsKs" });
  await write;
  assert.equal(store.state.text, "AsKs");
  assert.deepEqual(told, ["weights", "weights", "text", "problem", "range AsKs"]);
});

test("strokes before the weights of a text are here go on top of those", async () => {
  const { store, requests, weights } = askedStore();
  const set = store.set("AA");
  store.paint(["KsKh"], 0.5);
  await store.write(); // asks nothing: the weights of the text are not here
  assert.equal(requests.length, 1);
  requests[0].answer({ weights: { AsAh: 1, KsKh: 1 }, warnings: [] });
  await set;
  assert.deepEqual(weights(), { AsAh: 1, KsKh: 0.5 });
});

test("an answer about an earlier text comes too late, and so does the text of what was painted before", async () => {
  const { store, requests, weights } = askedStore();
  store.paint(["2s2h"], 1);
  const write = store.write();
  const first = store.set("KK");
  const second = store.set("AA");
  requests[2].answer({ weights: { AsAh: 1 }, warnings: [] });
  requests[1].answer({ weights: { KsKh: 1 }, warnings: [] });
  requests[0].answer({ text: "2s2h" });
  await Promise.all([write, first, second]);
  assert.deepEqual(weights(), { AsAh: 1 });
  assert.equal(store.state.text, "AA");
});

test("an empty text has no hand at once", () => {
  const { store, weights } = askedStore();
  store.paint(["AsAh"], 1);
  store.set("  ");
  assert.deepEqual(weights(), {});
});

test("a text that cannot be read leaves the weights, and tells that the former range is gone", async () => {
  const { store, requests, told, weights } = askedStore();
  store.paint(["AsAh"], 1);
  const set = store.set("ZZ");
  requests[0].refuse(new Error("text: ZZ is no hand."));
  await set;
  assert.deepEqual(weights(), { AsAh: 1 });
  assert.equal(store.state.error.message, "text: ZZ is no hand.");
  assert.equal(store.state.misfit, null); // of the whole deck nothing can be left out
  assert.equal(told.at(-1), "range ZZ");
});

test("a request that was given up is nothing wrong", async () => {
  const { store, requests } = askedStore();
  const set = store.set("AA");
  requests[0].refuse(Object.assign(new Error("given up"), { name: "AbortError" }));
  await set;
  assert.equal(store.state.error, null);
});

test("hands that a short deck lacks are left out when that is wished", async () => {
  const { store, requests, weights } = askedStore({ deck: "short" });
  const set = store.set("22, AA");
  requests[0].refuse(new Error("text: the deck has no 2s."));
  await settled();
  assert.deepEqual(requests[1].request, { text: "22, AA", deck: "full" });
  requests[1].answer({ weights: { "2s2h": 1, AsAh: 1 } });
  await set;
  assert.deepEqual(weights(), {});
  const fit = store.fit();
  assert.deepEqual(requests[2].request, { weights: { AsAh: 1 }, deck: "short" });
  requests[2].answer({ text: "AsAh" });
  await fit;
  assert.deepEqual([store.state.text, store.state.error, store.state.misfit], ["AsAh", null, null]);
  await store.fit(); // nothing is left to mend
  assert.equal(requests.length, 3);
});
