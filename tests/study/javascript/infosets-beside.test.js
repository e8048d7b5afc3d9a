import assert from "node:assert/strict";
import { test } from "node:test";

import { differenceInWords, infosetsBesideStore } from "../../../src/equilibrist/page/js/infosets/infosets-beside.js";

const found = (more = {}) => ({
  infosets: 1200,
  alone: [0, 0],
  largest: 0.5,
  mean: 0.25,
  total: 2,
  start: 0,
  rows: [{}, {}],
  ...more,
});

/** Return a store, its searches with functions that answer them, and how often it was shown. */
function searchedStore() {
  const asked = [];
  const shown = [];
  const read = (search) => new Promise((answer, refuse) => asked.push({ search, answer, refuse }));
  const store = infosetsBesideStore({ read, search: "J" });
  store.subscribe(() => shown.push(store.state.found?.total));
  return { store, asked, shown };
}

test("what is searched for is asked for", async () => {
  const { store, asked, shown } = searchedStore();
  const loads = [store.load()];
  asked[0].answer(found());
  await loads[0];
  const search = store.searchFor("Q");
  asked[1].answer(found({ total: 1 }));
  await search;
  assert.deepEqual(
    asked.map((one) => one.search),
    ["J", "Q"],
  );
  assert.deepEqual(shown, [2, 1]);
});

test("what an earlier search finds, or why it fails, comes too late", async () => {
  const { store, asked, shown } = searchedStore();
  const searches = ["a", "ab", "abc"].map(store.searchFor);
  asked[2].answer(found({ total: 3 }));
  asked[0].answer(found({ total: 1 }));
  asked[1].refuse(new Error("away"));
  await Promise.all(searches);
  assert.deepEqual([store.state.found.total, shown], [3, [3]]);
});

test("why the last search fails is thrown", async () => {
  const { store, asked, shown } = searchedStore();
  const search = store.load();
  asked[0].refuse(new Error("away"));
  await assert.rejects(search, /away/);
  assert.deepEqual([store.state.found, shown], [null, []]);
});

test("by how much runs differ is said in words", () => {
  assert.equal(
    differenceInWords(found(), ["one", "two"]),
    "1,200 infosets in both; they differ by 25.0 % on average where play comes, by 50.0 % at most",
  );
  const words = differenceInWords(found({ alone: [0, 3], total: 5 }), ["one", "two"]);
  assert.ok(words.endsWith("; 3 are in two alone; the 2 that differ most are shown"), words);
});
