import assert from "node:assert/strict";
import { test } from "node:test";

import { estimateStore, FINDING } from "../../../src/equilibrist/page/js/runs/estimate-store.js";

const refused = (message) => Object.assign(new Error(message), { status: 400 });
const settled = () => new Promise((done) => setImmediate(done));

/** Return a store of a form that says what `form` has, its requests with functions that answer them, and what was told. */
function filledStore(t, form, { forecasts = false } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const requests = [];
  const told = [];
  const ask = (question) => new Promise((answer, refuse) => requests.push({ question, answer, refuse }));
  const question = () => {
    if (form.lacks) throw refused(form.lacks);
    return { ...form };
  };
  const store = estimateStore({ question, estimate: ask, forecast: forecasts ? ask : null });
  store.subscribe((what) => told.push(what));
  const pause = () => t.mock.timers.tick(300);
  return { store, requests, told, pause };
}

test("the server is asked once, about the form as it is when nothing changes any more", async (t) => {
  const form = { game: "kuhn" };
  const { store, requests, pause } = filledStore(t, form);
  store.ask();
  form.game = "leduc";
  store.ask();
  pause();
  assert.deepEqual(
    requests.map(({ question }) => question),
    [{ game: "leduc" }],
  );
  assert.ok(store.state.isWaiting);
  requests[0].answer({ infosets: 936 });
  await settled();
  assert.deepEqual([store.state.facts, store.state.question], [{ infosets: 936 }, { game: "leduc" }]);
  assert.ok(!store.state.isWaiting);
});

test("an answer about a form that has changed since says nothing, even before the next question is sent", async (t) => {
  const form = { game: "kuhn(cards=1)" };
  const { store, requests, told, pause } = filledStore(t, form);
  store.ask();
  pause();
  form.game = "kuhn(cards=3)";
  store.ask();
  requests[0].refuse(refused("cards must be at least 2; got 1."));
  await settled();
  assert.equal(store.state.error, null);
  assert.ok(!told.includes("problem"));
  pause();
  requests[1].answer({ infosets: 12 });
  await settled();
  assert.deepEqual([store.state.facts, store.state.error], [{ infosets: 12 }, null]);
});

test("where there is nothing to solve nothing is asked, and nothing that was asked is shown", async (t) => {
  const form = { game: "kuhn" };
  const { store, requests, told, pause } = filledStore(t, form);
  store.ask();
  pause();
  store.ask();
  form.lacks = "Drop a file on the page, or choose one.";
  store.forget();
  pause();
  requests[0].answer({ infosets: 12 });
  await settled();
  assert.equal(requests.length, 1);
  assert.ok(!store.state.isWaiting);
  assert.deepEqual([store.state.facts, store.state.error], [null, null]);
  assert.ok(!told.includes("problem"));
});

test("a form that cannot be read, and a refusal, leave no facts", async (t) => {
  const form = { game: "kuhn" };
  const { store, requests, pause } = filledStore(t, form);
  store.ask();
  pause();
  requests[0].answer({ infosets: 12 });
  await settled();
  form.lacks = "There is no game.";
  store.ask();
  pause();
  await settled();
  assert.deepEqual([store.state.facts, store.state.error.message], [null, "There is no game."]);
  assert.ok(!store.state.isWaiting);
  store.ask();
  assert.equal(store.state.error, null);
});

test("a request that was given up is no problem", async (t) => {
  const { store, requests, told, pause } = filledStore(t, { game: "kuhn" });
  store.ask();
  pause();
  requests[0].refuse(Object.assign(new Error("gone"), { name: "AbortError" }));
  await settled();
  assert.deepEqual([store.state.error, told], [null, ["waiting"]]);
});

test("of a goal a forecast is asked for; without one nothing is said of the time to it", async (t) => {
  const form = { game: "kuhn", until: "0.001" };
  const { store, requests, pause } = filledStore(t, form, { forecasts: true });
  store.ask();
  pause();
  requests[0].answer({ infosets: 12 });
  await settled();
  assert.equal(store.state.forecast, FINDING);
  requests[1].refuse(refused("not known"));
  await settled();
  assert.equal(store.state.forecast, null);
  assert.deepEqual(store.state.facts, { infosets: 12 });
  delete form.until;
  store.ask();
  pause();
  requests[2].answer({ infosets: 12 });
  await settled();
  assert.deepEqual([requests.length, store.state.forecast], [3, null]);
});

test("a forecast of a form that has changed since says nothing", async (t) => {
  const form = { game: "kuhn", until: "0.001" };
  const { store, requests, pause } = filledStore(t, form, { forecasts: true });
  store.ask();
  pause();
  requests[0].answer({});
  await settled();
  store.forget();
  requests[1].answer({ goal: { seconds: [1, 2] } });
  await settled();
  assert.equal(store.state.forecast, null);
});
