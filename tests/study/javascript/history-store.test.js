import assert from "node:assert/strict";
import { test } from "node:test";

import { historyStore } from "../../../src/equilibrist/page/js/play/history-store.js";

const SPOT = "holdem('Td9d6hQc', 'AA', 'KK', pot=200, stack=900)";
const total = (best, known) => ({ grades: { best }, known });
const played = (more = {}) => ({ sums: { rows: [], total: total(1, 3) }, hands: [], tables: [], ...more });

/** Return a store, its questions with functions that answer them, and how often it was shown. */
function askedStore(query = "") {
  const asked = [];
  const shown = [];
  const read = (question) => new Promise((answer) => asked.push({ question, answer }));
  const store = historyStore({ read, query: new URLSearchParams(query) });
  store.subscribe(() => shown.push(store.state.tables.length));
  return { store, asked, shown };
}

/** Return a store that has been told what was played. */
async function loadedStore(answer, query) {
  const { store, asked } = askedStore(query);
  const load = store.load();
  asked[0].answer(played(answer));
  await load;
  return store;
}

test("filters of the address are asked for, other fields are not", () => {
  const { store, asked } = askedStore("by=line&order=cost&game=kuhn&run=a&bb=2");
  store.load();
  assert.deepEqual(asked[0].question, { by: "line", order: "cost", filters: { game: "kuhn", run: "a" } });
  const { store: usual, asked: first } = askedStore();
  usual.load();
  assert.deepEqual(first[0].question, { by: "game", order: "played", filters: {} });
  assert.throws(() => askedStore("by=moon"), /no group of choices “moon”: choose one of game, pupil/);
});

test("an address keeps its filters, and takes one away where it is null", () => {
  const { store } = askedStore("by=line&game=kuhn");
  assert.deepEqual(store.fields({ game: null, grade: "3" }), { by: "line", order: null, game: null, grade: "3" });
});

test("rows lead into what they sum up", () => {
  const row = { name: "X", game: "kuhn" };
  assert.deepEqual(askedStore().store.within({ name: "kuhn", game: "kuhn" }), { game: "kuhn", by: "line" });
  assert.deepEqual(askedStore("by=line").store.within(row), { line: "X", game: "kuhn", by: "infoset" });
  assert.deepEqual(askedStore("by=action").store.within(row), { action: "X", game: "kuhn", by: "action" });
});

test("of two tables that are deleted at once the page is shown as it is after both", async () => {
  const { store, asked, shown } = askedStore();
  const loads = [store.load(), store.load()];
  asked[1].answer(played({ tables: [{ game: "kuhn" }] }));
  asked[0].answer(played({ tables: [{ game: "kuhn" }, { game: "leduc" }] }));
  await Promise.all(loads);
  assert.deepEqual(shown, [1]);
});

test("amounts are told in units where a spot was played", async () => {
  const row = (game) => ({ game });
  assert.equal((await loadedStore({ tables: [row("kuhn")] })).spot(), undefined);
  assert.equal((await loadedStore({ tables: [row("kuhn"), row(SPOT)] })).spot(), SPOT);
});

test("mistakes are trained where there are some, all at one run", async () => {
  const hands = [{ run: "a" }, { run: "a" }, { run: null }];
  const store = await loadedStore({ hands }, "run=a&line=X");
  assert.equal(store.trained(), "a");
  assert.deepEqual(store.mistakes(), { line: "X" });
  assert.equal((await loadedStore({ hands: [...hands, { run: "b" }] })).trained(), null);
  assert.equal((await loadedStore({ hands, sums: { rows: [], total: total(3, 3) } })).trained(), null);
  assert.equal((await loadedStore({})).trained(), null);
});
