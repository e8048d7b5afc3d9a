import assert from "node:assert/strict";
import { test } from "node:test";

import { classStore } from "../../../src/equilibrist/page/js/play/class-store.js";

const tables = (live, runs = []) => ({ live, most_live: 1000, tables: runs.map((run) => ({ run })) });
const found = (more = {}) => ({ sums: [], total: 0, decisions: [], tables: tables(0), ...more });

/** Return a store, its questions with functions that answer them, and how often it was shown. */
function askedStore(query = "") {
  const asked = [];
  const shown = [];
  const read = (question) => new Promise((answer) => asked.push({ question, answer }));
  const store = classStore({ read, query: new URLSearchParams(query), now: () => 10_000.4 });
  store.subscribe(() => shown.push(store.state.read?.total));
  return { store, asked, shown };
}

test("choices are asked for by all filters, sums by those that hold for everybody", () => {
  const { store, asked } = askedStore("pupil=Ada&run=kuhn&within=hour&order=cost&colour=1");
  store.load();
  const everybody = { run: "kuhn", since: 6400 };
  assert.deepEqual(asked[0].question, { order: "cost", filters: { pupil: "Ada", ...everybody }, everybody });
  const { store: usual, asked: first } = askedStore();
  usual.load();
  assert.deepEqual(first[0].question, { order: "played", filters: { since: null }, everybody: { since: null } });
});

test("a period that there is not is refused with those that there are, and never all time", () => {
  const sentence = "There is no period “year”: choose one of hour, day.";
  assert.throws(() => askedStore("within=year"), { message: sentence });
  assert.throws(() => askedStore("within=toString"), /no period “toString”/);
});

test("an address keeps what it has, and takes one away where it is null", () => {
  const { store } = askedStore("pupil=Ada&run=kuhn&within=day");
  assert.deepEqual(store.fields({ pupil: null }), { order: null, within: "day", pupil: null, run: "kuhn" });
});

test("the page is drawn again only where something is new, and never by an answer that comes too late", async () => {
  const { store, asked, shown } = askedStore();
  const load = async (answer) => {
    const one = store.load();
    asked.at(-1).answer(answer);
    await one;
  };
  await load(found({ total: 1 }));
  await load(found({ total: 1 }));
  assert.deepEqual(shown, [1]);
  await load(found({ total: 1, tables: tables(3) }));
  assert.deepEqual(shown, [1, 1]);
  const loads = [store.load(), store.load()];
  asked.at(-1).answer(found({ total: 5 }));
  asked.at(-2).answer(found({ total: 4 }));
  await Promise.all(loads);
  assert.deepEqual(shown, [1, 1, 5]);
});

test("runs to choose from are those with tables, and the chosen one", async () => {
  const { store, asked } = askedStore("run=other");
  const load = store.load();
  asked[0].answer(found({ tables: tables(3, ["b", "a", null, "b"]) }));
  await load;
  assert.deepEqual(store.runs(), ["a", "b", "other"]);
});
