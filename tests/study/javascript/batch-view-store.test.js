import assert from "node:assert/strict";
import { test } from "node:test";

import { batchViewStore } from "../../../src/equilibrist/page/js/runs/batch-view-store.js";

/** Return a store, the lines that the server was asked for with functions that answer, and what its listener was told. */
function askedStore(query = "") {
  const asked = [];
  const told = [];
  const read = (line) => new Promise((answer, refuse) => asked.push({ line, answer, refuse }));
  const store = batchViewStore({ batch: "a~1b", read, query: new URLSearchParams(query) });
  store.subscribe((what) => told.push(what));
  return { store, asked, told };
}

/** Return a store that has had its first answer. */
async function loadedStore(query) {
  const given = askedStore(query);
  const load = given.store.load();
  given.asked[0].answer({ done: 1 });
  await load;
  given.told.length = 0;
  return given;
}

test("fields of the address are told, and change it", async () => {
  const { store, told } = await loadedStore("line=X&x=seconds");
  await store.change({ x: "" });
  assert.deepEqual([store.address(), told], ["/batches/a~1b?line=X", ["fields"]]);
});

test("the record of fields is always the same", async () => {
  const { store } = await loadedStore("line=X");
  const { fields } = store.state;
  await store.change({ by: "high" });
  assert.equal(store.state.fields, fields);
  assert.deepEqual(fields, { line: "X", by: "high" });
});

test("another line is asked for, and what was there stays until the answer", async () => {
  const { store, asked, told } = await loadedStore();
  const change = store.change({ line: "X" }, { again: true });
  assert.deepEqual([asked[1].line, store.state.about, told], ["X", { done: 1 }, ["asked"]]);
  asked[1].answer({ done: 2 });
  await change;
  assert.deepEqual([store.state.about, told], [{ done: 2 }, ["asked", "about"]]);
});

test("an answer at the line before comes too late", async () => {
  const { store, asked, told } = await loadedStore();
  const look = store.load();
  const change = store.change({ line: "X" }, { again: true });
  asked[2].answer({ line: "X" });
  await change;
  asked[1].answer({ line: "" });
  await look;
  assert.deepEqual([store.state.about, told], [{ line: "X" }, ["asked", "about"]]);
});

test("a line that the server has not is taken back, other fields stay", async () => {
  const { store, asked, told } = await loadedStore("line=X");
  const change = store.change({ line: "X-Y" }, { again: true });
  await store.change({ by: "high" });
  asked[1].refuse(new Error("no such line"));
  await assert.rejects(change, /no such line/);
  assert.deepEqual([store.state.fields, told], [{ line: "X", by: "high" }, ["asked", "fields", "fields"]]);
  const { store: other, asked: first } = await loadedStore();
  const fails = other.change({ line: "Y" }, { again: true });
  first[1].refuse(new Error("no such line"));
  await assert.rejects(fails);
  assert.equal(other.address(), "/batches/a~1b");
});

test("a failure of an earlier request is none", async () => {
  const { store, asked, told } = await loadedStore();
  const look = store.load();
  const change = store.change({ line: "X" }, { again: true });
  asked[1].refuse(new Error("away"));
  await look;
  asked[2].answer({ line: "X" });
  await change;
  assert.deepEqual([store.state.fields.line, told], ["X", ["asked", "about"]]);
});

test("a page that is left changes no address", async () => {
  const { store, asked, told } = await loadedStore();
  const look = store.load();
  asked[1].refuse(Object.assign(new Error("left"), { name: "AbortError" }));
  await assert.rejects(look);
  assert.deepEqual(told, []);
});
