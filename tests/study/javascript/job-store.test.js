import assert from "node:assert/strict";
import { test } from "node:test";

import { jobStore } from "../../../src/equilibrist/page/js/runs/job-store.js";

const job = (id, state = "running") => ({ id, state });
const point = (iteration) => ({ iteration });

/** Return a store, and the ids of jobs whose checkpoints it asks for with functions that answer. */
function toldStore(query = "") {
  const asked = [];
  const readPoints = (id) => new Promise((answer, refuse) => asked.push({ id, answer, refuse }));
  return { store: jobStore({ readPoints, query: new URLSearchParams(query) }), asked };
}

/** Return a store that has been told some jobs. */
async function loadedStore(jobs, query) {
  const { store, asked } = toldStore(query);
  await store.load(Promise.resolve({ jobs, workers: 2 }));
  return { store, asked };
}
const states = (store) => store.state.all.map(({ id, state }) => `${id} ${state}`);

test("an event says what is to be drawn", async () => {
  const { store } = await loadedStore([job("a")]);
  assert.equal(store.hear({ type: "job", job: job("a") }), "job");
  assert.equal(store.hear({ type: "job", job: job("a", "done") }), "all");
  assert.equal(store.hear({ type: "job", job: job("b") }), "all");
  assert.deepEqual(states(store), ["a done", "b running"]);
  assert.equal(store.hear({ type: "gone", job: "a" }), "all");
  assert.equal(store.hear({ type: "checkpoint", job: "b", point: point(1) }), "");
  assert.equal(store.hear({ type: "compiling", active: true }), "");
  assert.equal(store.hear({ type: "disconnected" }), "lost");
  assert.ok(store.state.isLost);
  assert.equal(store.hear({ type: "jobs", jobs: [job("c")], workers: 3 }), "all");
  assert.deepEqual([states(store), store.state.workers], [["c running"], 3]);
});

test("what is heard before all jobs are known is newer than they are", async () => {
  const { store } = toldStore();
  let answer = (_) => {};
  const load = store.load(new Promise((done) => (answer = done)));
  store.hear({ type: "job", job: job("a", "done") });
  store.hear({ type: "gone", job: "b" });
  answer({ jobs: [job("a"), job("b"), job("c")], workers: 1 });
  await load;
  assert.deepEqual(states(store), ["a done", "c running"]);
});

test("a job that the address names is waited for, whatever is heard before", async () => {
  const { store } = toldStore("job=b");
  let answer = (_) => {};
  const load = store.load(new Promise((done) => (answer = done)));
  store.hear({ type: "job", job: job("a") });
  assert.equal(store.current(), null);
  answer({ jobs: [job("a"), job("b")], workers: 1 });
  await load;
  assert.equal(store.current()?.id, "b");
});

test("where no job is named, or the one that was is gone, the first of the list is looked at", async () => {
  const { store } = await loadedStore([job("a", "done"), job("b")], "job=z&x=time");
  assert.equal(store.current()?.id, "b");
  assert.equal(store.address(), "/jobs?job=b&x=time");
  store.hear({ type: "gone", job: "b" });
  store.showAxis(true);
  assert.equal(store.current()?.id, "a");
  assert.equal(store.address(), "/jobs?job=a");
  store.hear({ type: "gone", job: "a" });
  assert.deepEqual([store.current(), store.address()], [null, "/jobs"]);
});

test("checkpoints are asked for once, and go on with those that come meanwhile", async () => {
  const { store, asked } = await loadedStore([job("a")]);
  const load = store.loadPoints("a");
  assert.equal(await store.loadPoints("a"), false);
  for (const iteration of [2, 3]) store.hear({ type: "checkpoint", job: "a", point: point(iteration) });
  asked[0].answer({ points: [point(1), point(2)] });
  assert.equal(await load, true);
  store.hear({ type: "checkpoint", job: "a", point: point(3) }); // once more
  store.hear({ type: "checkpoint", job: "a", point: point(4) });
  assert.deepEqual(
    store.points("a").map(({ iteration }) => iteration),
    [1, 2, 3, 4],
  );
  assert.equal(asked.length, 1);
  assert.equal(await store.loadPoints(null), false);
});

test("checkpoints of before a job went on from less come too late", async () => {
  const { store, asked } = await loadedStore([job("a", "stopped")]);
  const early = store.loadPoints("a");
  store.hear({ type: "job", job: job("a") });
  const later = store.loadPoints("a");
  asked[1].answer({ points: [point(1)] });
  assert.equal(await later, true);
  asked[0].answer({ points: [point(1), point(9)] });
  assert.equal(await early, false);
  assert.deepEqual(store.points("a"), [point(1)]);
});

test("how many are at work, in words", async () => {
  assert.equal((await loadedStore([])).store.inWords(), "");
  const { store } = await loadedStore([job("a"), job("b", "starting"), job("c", "queued"), job("d", "done")]);
  assert.equal(store.inWords(), "2 at work, 1 waiting");
});
