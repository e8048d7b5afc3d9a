import assert from "node:assert/strict";
import { test } from "node:test";

import { playStore } from "../../../src/equilibrist/page/js/play/play-store.js";

const turn = (hand, step = 0) => ({ turn: { hand, step }, last: null });
const over = (hand) => ({ turn: null, last: { hand } });
const EMPTY = { turn: null, last: null };
const conflict = () => Object.assign(new Error("It was made already."), { status: 409 });

/** Return a store, what it asks of the server with functions that answer, and what its listener was told. */
function seatedStore(first) {
  const asked = [];
  const told = [];
  const ask = (what) => (choice) => new Promise((answer, refuse) => asked.push({ what, choice, answer, refuse }));
  const store = playStore({ first, read: ask("read"), deal: ask("deal"), move: ask("move") });
  store.subscribe((what) => told.push(what));
  return { store, asked, told };
}
const settled = () => new Promise((done) => setImmediate(done));

test("a choice says at which hand and step it is made", async () => {
  const { store, asked, told } = seatedStore(turn(3, 2));
  const act = store.act("B200");
  assert.deepEqual(asked[0].choice, { hand: 3, step: 2, action: "B200" });
  assert.ok(store.state.isBusy);
  asked[0].answer(over(3));
  await act;
  assert.deepEqual([store.state.table, store.state.isBusy], [over(3), false]);
  assert.deepEqual(told, ["busy", "table", "busy"]);
});

test("one thing is asked at a time, and nothing is chosen where nobody is asked", async () => {
  const { store, asked } = seatedStore(turn(1));
  const act = store.act("X");
  await Promise.all([store.act("X"), store.next()]);
  assert.equal(asked.length, 1);
  asked[0].answer(over(1));
  await act;
  await store.act("X");
  assert.equal(asked.length, 1);
});

test("a hand is dealt at the start where there is none", async () => {
  for (const first of [turn(1), over(1)]) {
    const { store, asked } = seatedStore(first);
    await store.begin();
    assert.equal(asked.length, 0);
  }
  const { store, asked } = seatedStore(EMPTY);
  const begin = store.begin();
  assert.equal(asked[0].what, "deal");
  asked[0].answer(turn(1));
  await begin;
  assert.deepEqual(store.state.table, turn(1));
});

test("where the table is another one at the server it is shown as it is there, and why", async () => {
  const { store, asked, told } = seatedStore(turn(1));
  const act = store.act("X");
  asked[0].refuse(conflict());
  await settled();
  assert.deepEqual([store.state.told, store.state.isBusy, asked[1].what], ["It was made already.", true, "read"]);
  asked[1].answer(turn(1, 2));
  await act;
  assert.deepEqual([store.state.table, asked.length], [turn(1, 2), 2]);
  assert.deepEqual(told, ["busy", "told", "table", "busy"]);
});

test("a hand is dealt where the table has none by then", async () => {
  const { store, asked } = seatedStore(over(1));
  const next = store.next();
  asked[0].refuse(conflict());
  await settled();
  asked[1].answer(EMPTY);
  await settled();
  assert.equal(asked[2].what, "deal");
  asked[2].answer(turn(2));
  await next;
  assert.deepEqual(store.state.table, turn(2));
});

test("what goes wrong is thrown, and one can choose again", async () => {
  const { store, asked } = seatedStore(turn(1));
  const act = store.act("X");
  asked[0].refuse(new Error("away"));
  await assert.rejects(act, /away/);
  assert.ok(!store.state.isBusy);
  const again = store.act("X");
  asked[1].refuse(conflict());
  await settled();
  asked[2].refuse(new Error("away still"));
  await assert.rejects(again, /away still/);
  assert.deepEqual([store.state.table, store.state.isBusy], [turn(1), false]);
});
