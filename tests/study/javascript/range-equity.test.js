import assert from "node:assert/strict";
import { test } from "node:test";

import { equityFields, equityStore } from "../../../src/equilibrist/page/js/poker/range-equity.js";

const FIELDS = { board: "QsJh2h", oop: "AA", ip: "KK", deck: "" };

/** Return a store, its requests with functions that answer them, and what its listener has been told. */
function askedStore(query = "") {
  const requests = [];
  const told = [];
  const ask = (request) =>
    new Promise((answer, refuse) => {
      requests.push({ request, answer, refuse });
    });
  const store = equityStore({ ask, query: new URLSearchParams(query) });
  store.subscribe((what) => told.push(what));
  return { store, requests, told };
}

test("the usual deck and the usual share of calls are not in the address, and are asked for", () => {
  const { store } = askedStore();
  store.change(equityFields({ ...FIELDS, deck: "full" }));
  assert.equal(store.address(), "/equity?board=QsJh2h&oop=AA&ip=KK");
  assert.deepEqual(store.request(), { ...FIELDS, deck: "full", calls: 0.5 });
  store.change(equityFields({ ...FIELDS, deck: "short" }));
  store.callFrom("30");
  store.drawAs("tenths");
  assert.equal(store.address(), "/equity?board=QsJh2h&oop=AA&ip=KK&deck=short&calls=30&graph=tenths");
  assert.deepEqual(store.request(), { ...FIELDS, deck: "short", calls: 0.3 });
});

test("an address opens its graph and its share of calls; a graph that there is not is refused", () => {
  const { store } = askedStore("graph=tenths&calls=40");
  assert.deepEqual([store.state.graph, store.state.calls], ["tenths", "40"]);
  assert.throws(() => askedStore("graph=pie"), /no picture “pie”: choose one of tenths/);
});

test("nothing is asked without a flop and two ranges", async () => {
  const { store, requests } = askedStore();
  for (const missing of [{ board: "QsJh" }, { oop: "" }, { ip: "" }]) {
    store.change({ ...FIELDS, ...missing });
    await store.look();
  }
  assert.equal(requests.length, 0);
  assert.equal(store.state.result, null);
});

test("an answer to an earlier request comes too late, and so does its refusal", async () => {
  const { store, requests } = askedStore();
  store.change(FIELDS);
  const looks = [1, 2, 3].map(() => store.look());
  requests[2].answer({ equity: [0.8, 0.2] });
  await looks[2];
  requests[0].answer({ equity: [0, 1] });
  requests[1].refuse(new Error("This range is none."));
  await Promise.all(looks);
  assert.deepEqual(store.state.result, { equity: [0.8, 0.2] });
  assert.equal(store.state.problem, "");
});

test("a refusal is told in the place of a result, and a request that was given up is not", async () => {
  const { store, requests, told } = askedStore();
  store.change(FIELDS);
  const first = store.look();
  requests[0].answer({ equity: [0.8, 0.2] });
  await first;
  const abandoned = store.look();
  requests[1].refuse(Object.assign(new Error("given up"), { name: "AbortError" }));
  await abandoned;
  assert.deepEqual(store.state.result, { equity: [0.8, 0.2] });
  const refused = store.look();
  requests[2].refuse(new Error("oop: ZZ is no hand."));
  await refused;
  assert.deepEqual([store.state.result, store.state.problem], [null, "oop: ZZ is no hand."]);
  assert.deepEqual(told, ["asked", "problem", "result", "problem", "problem", "problem", "result", "problem"]);
});
