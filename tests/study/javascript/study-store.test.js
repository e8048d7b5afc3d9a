import assert from "node:assert/strict";
import { test } from "node:test";

import { DASHES } from "../../../src/equilibrist/page/js/parts/chart.js";
import { AXES, studyStore } from "../../../src/equilibrist/page/js/runs/study-store.js";

const row = (id, settings, more = {}) => ({
  id,
  run: `study~1${id}`,
  state: "done",
  game: "kuhn",
  ...settings,
  ...more,
});
const ROWS = [
  row("a", { algorithm: "cfr", seed: 1 }),
  row("b", { algorithm: "cfr+", seed: 1 }),
  row("c", { algorithm: "cfr+", seed: 2 }, { state: "failed", run: null }),
];
const CURVES = { a: [[1, 0.5, 10, 0.2]], b: [[1, 0.6, 20, 0.1]] };

/** Return a store of a study at fields of the address. */
function studied(fields = {}, about = {}) {
  const answer = { name: "study", varied: ["algorithm", "seed"], rows: ROWS, curves: CURVES, ...about };
  const store = studyStore({ about: answer, fields });
  store.update(answer);
  return store;
}
const ids = (store) => store.state.rows.map(({ id }) => id);

test("runs are filtered by what varies, and by their state", () => {
  assert.deepEqual(ids(studied()), ["a", "b", "c"]);
  assert.deepEqual(ids(studied({ "f.algorithm": "cfr+", "f.seed": "1" })), ["b"]);
  assert.deepEqual(ids(studied({ "f.state": "failed" })), ["c"]);
});

test("what is the same of all runs is no filter", () => {
  const about = { rows: ROWS.slice(0, 2) };
  assert.deepEqual(studied({ "f.algorithm": "cfr" }, about).filters(), [
    { name: "algorithm", values: ["cfr", "cfr+"], chosen: "cfr" },
  ]);
});

test("curves are named by what differs among those that are drawn, over what the address says", () => {
  const store = studied({ x: "nodes_touched" });
  const { series, x } = store.chart(["", "2 3"]);
  assert.deepEqual(
    series.map(({ name, points, dash }) => [name, points, dash]),
    [
      ["cfr", [[10, 0.2]], ""],
      ["cfr+", [[20, 0.1]], "2 3"],
    ],
  );
  assert.equal(x.label, AXES.nodes_touched.label);
  assert.equal(studied({ "f.algorithm": "cfr" }).chart([""]).series[0].name, "study"); // nothing differs
});

test("curves run over one of three axes", () => {
  assert.equal(studied({ x: "seconds" }).axis(), "seconds");
  assert.equal(studied().axis(), "iteration");
  assert.throws(() => studied({ x: "moon" }).axis(), /no axis of curves “moon”/);
});

test("lines of one colour have another dash", () => {
  const many = Array.from({ length: 30 }, (_, k) => row(`r${k}`, { algorithm: k, seed: 1 }));
  const curves = Object.fromEntries(many.map(({ id }) => [id, [[1, 1, 1, 1]]]));
  const store = studied({}, { rows: many, curves });
  const { series } = store.chart(DASHES);
  assert.equal(series.length, 24);
  assert.equal(store.note(), "The first 24 of 30 are drawn: filter the others.");
  assert.equal(new Set(series.map(({ colour, dash }) => `${colour} ${dash}`)).size, 24);
});

test("of different games it is said that they do not compare", () => {
  assert.equal(studied().note(), "");
  const rows = [ROWS[0], { ...ROWS[1], game: "leduc" }];
  assert.match(studied({}, { rows }).note(), /^These are different games/);
});

test("from two to twelve chosen runs can be compared, those that are not listed too", () => {
  const store = studied({ "f.algorithm": "cfr" });
  store.state.chosen.add("a");
  assert.deepEqual(store.compared(), []);
  store.state.chosen.add("b").add("c"); // of which c has no run
  assert.deepEqual(store.compared(), ["study~1a", "study~1b"]);
  const many = Array.from({ length: 13 }, (_, k) => row(`r${k}`, {}));
  const { state, compared } = studied({}, { rows: many });
  for (const { id } of many) state.chosen.add(id);
  assert.deepEqual(compared(), []);
});
