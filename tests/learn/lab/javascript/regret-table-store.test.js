import assert from "node:assert/strict";
import { test } from "node:test";

import { FEW, makeTableStore } from "../../../../src/equilibrist/learn/lab/regret-table-store.js";

const ROCK_PAPER_SCISSORS = {
  payoffs: [
    [0, -1, 1],
    [1, 0, -1],
    [-1, 1, 0],
  ],
};
const THIRDS = [1 / 3, 1 / 3, 1 / 3];
const before = { regretSums: [0, 0, 0], strategySums: [0, 0, 0], weight: 0, strategy: THIRDS };
const after = { regretSums: [1, 3, -4], strategySums: [1, 2, 1], weight: 4, strategy: [0.25, 0.75, 0] };

/** Return a table after a round in which rock was played against paper. */
function afterRound(hidden = false) {
  const store = makeTableStore(ROCK_PAPER_SCISSORS);
  store.take({ round: { before, after, played: [1, 0, 0], other: [0, 1, 0] }, hidden });
  return store;
}

test("a row has the numbers of an action", () => {
  const [rock, paper] = afterRound().rows();
  assert.deepEqual(rock, {
    action: 0,
    instant: 0,
    sum: 1,
    next: 0.25,
    average: 0.25,
    share: 0.25,
    isPlayed: true,
    isAsked: false,
  });
  assert.deepEqual([paper.instant, paper.average, paper.share], [1, 0.5, 0.75]);
});

test("a number is unfolded, folded again, and hidden where it would tell what is asked", () => {
  const store = afterRound();
  store.toggle("next", 1);
  assert.deepEqual([store.told(), store.isOpen("next", 1)], [{ kind: "next", action: 1 }, true]);
  store.take({ ...store.state, hidden: true });
  assert.equal(store.told(), null);
  store.toggle("sum", 2);
  assert.deepEqual(store.told(), { kind: "sum", action: 2 });
  store.toggle("sum", 2);
  assert.equal(store.told(), null);
});

test("predictions are judged, whatever was typed", () => {
  const store = afterRound(true);
  assert.ok(store.rows().every(({ isAsked }) => isAsked));
  const judge = (...texts) => store.judge(new Map(texts.map((text, action) => [action, text])));
  assert.deepEqual(judge("1/4", "75 %", "0"), { wrong: [], remark: "" });
  assert.deepEqual(judge("0.25", "0.7", "0").wrong, [1]);
  assert.match(judge("0.25", "0.7", "0").remark, /^Not yet/);
  assert.deepEqual(judge("", "0.7", "0").wrong, [0, 1]);
  assert.match(judge("", "0.7", "0").remark, /^Type a number/);
});

test("of many actions a few rows are in sight, and the one of the largest sum is asked for", () => {
  const count = FEW + 3;
  const zeros = new Array(count).fill(0);
  const sums = zeros.map((_, action) => (action === 4 ? 9 : -action));
  const many = { payoffs: zeros.map(() => zeros) };
  const store = makeTableStore(many);
  const round = {
    before: null,
    after: { regretSums: sums, strategySums: zeros, weight: 1, strategy: zeros },
    played: null,
  };
  store.take({ round, hidden: true });
  const rows = store.rows();
  assert.deepEqual([store.hasMany(), rows.length, rows[0].action, rows[1].action], [true, FEW, 4, 0]);
  assert.deepEqual(
    rows.filter(({ isAsked }) => isAsked).map(({ action }) => action),
    [4],
  );
  store.toggleAll();
  assert.equal(store.rows().length, count);
});
