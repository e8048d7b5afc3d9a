import assert from "node:assert/strict";
import { test } from "node:test";

import { libraryStore } from "../../../src/equilibrist/page/js/runs/library-store.js";

const RUNS = [
  { id: "kuhn", game: "kuhn", algorithm: "cfr+" },
  { id: "leduc", game: "leduc", algorithm: "cfr" },
  { id: "batch~1one", game: "leduc", algorithm: "cfr", batch: "batch" },
];

/** Return a store of a folder, the searches that the server was asked with functions that answer them. */
async function loadedStore(query = "", data = {}) {
  const searches = [];
  const store = libraryStore({
    read: async () => ({ runs: RUNS, reports: [{ id: "batch", title: "leduc" }], deleted: [], folder: "/", ...data }),
    find: (search) => new Promise((answer, refuse) => searches.push({ search, answer, refuse })),
    query: new URLSearchParams(query),
  });
  await store.load();
  return { store, searches, ids: () => store.rows().map((row) => row.id) };
}

test("runs of a batch are listed only where something is looked for", async () => {
  const { store, ids } = await loadedStore();
  await store.filter();
  assert.deepEqual(ids(), ["kuhn", "leduc"]);
  store.state.search = "leduc";
  await store.filter();
  assert.deepEqual(ids(), ["leduc", "batch~1one"]);
});

test("a search with filters is read by the server, words alone are not", async () => {
  const { store, searches, ids } = await loadedStore("search=cfr");
  await store.filter();
  assert.deepEqual(searches, []);
  store.state.search = "exploitability<0.01";
  const filter = store.filter();
  assert.equal(searches[0].search, "exploitability<0.01");
  searches[0].answer({ runs: [RUNS[2]] });
  await filter;
  assert.deepEqual(ids(), ["batch~1one"]);
});

test("what an earlier search finds, and why it is refused, comes too late", async () => {
  const { store, searches } = await loadedStore();
  const told = [];
  store.subscribe(() => told.push(store.state.search));
  for (const search of ["game:a", "game:b", "game:c"]) {
    store.state.search = search;
    searches.push(store.filter());
  }
  const asked = searches.filter(({ search }) => search);
  const filters = searches.filter((one) => one instanceof Promise);
  asked[2].answer({ runs: [RUNS[1]] });
  asked[0].answer({ runs: [RUNS[0]] });
  asked[1].refuse(Object.assign(new Error("b"), { status: 400 }));
  await Promise.all(filters);
  assert.deepEqual([...store.state.filtered], ["leduc"]);
  assert.equal(store.state.refused, "");
  assert.deepEqual(told, ["game:c"]);
});

test("what an earlier look at the folder finds comes too late", async () => {
  const answers = [];
  const read = () => new Promise((answer) => answers.push(answer));
  const store = libraryStore({ read, find: async () => ({ runs: [] }), query: new URLSearchParams() });
  const loads = [store.load(), store.load()];
  answers[1]({ runs: RUNS, reports: [], deleted: [], folder: "/" });
  answers[0]({ runs: [], reports: [], deleted: [], folder: "/" });
  await Promise.all(loads);
  assert.equal(store.state.data.runs.length, RUNS.length);
});

test("a search that cannot be read says why; anything else that goes wrong is thrown", async () => {
  const { store, searches } = await loadedStore("search=game%3A");
  const refused = store.filter();
  searches[0].refuse(Object.assign(new Error("game: of which?"), { status: 400 }));
  await refused;
  assert.equal(store.state.refused, "game: of which?");
  const broken = store.filter();
  searches[1].refuse(Object.assign(new Error("away"), { status: 0 }));
  await assert.rejects(broken, /away/);
});

test("chosen runs that are gone are no longer chosen, and those that are not listed are counted", async () => {
  const { store } = await loadedStore();
  for (const id of ["kuhn", "batch~1one", "deleted"]) store.state.chosen.add(id);
  assert.deepEqual(store.selection(), { ids: ["kuhn", "batch~1one"], hidden: 1 });
  assert.deepEqual([...store.state.chosen], ["kuhn", "batch~1one"]);
});

test("reports are listed only where there are some", async () => {
  const { store } = await loadedStore("show=reports", { reports: [] });
  await store.filter();
  assert.ok(!store.state.showsReports);
  const { store: other } = await loadedStore("show=reports");
  await other.filter();
  assert.ok(other.state.showsReports);
  assert.equal(other.reports().length, 1);
});

test("an address names what is not usual", async () => {
  const fieldsOf = async (query) => (await loadedStore(query)).store.fields();
  const usual = { search: "", sort: "", order: "", show: "" };
  assert.deepEqual(await fieldsOf(""), usual);
  assert.deepEqual(await fieldsOf("sort=saved&order=up"), { ...usual, sort: "saved", order: "up" });
  assert.deepEqual(await fieldsOf("sort=bytes&show=reports&search=a"), {
    ...usual,
    sort: "bytes",
    show: "reports",
    search: "a",
  });
});
