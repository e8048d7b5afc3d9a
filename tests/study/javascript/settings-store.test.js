import assert from "node:assert/strict";
import { test } from "node:test";

import { settingsStore } from "../../../src/equilibrist/page/js/runs/settings-store.js";

const NAMES = [
  ...["until", "gap", "iterations", "seconds", "algorithm", "threads", "precision", "form", "alternating", "seed"],
  ...["cce_distance", "nodes", "max_memory_gb", "record", "record_every", "answers", "concept", "temperature"],
  ...["name", "tags", "note", "sampling"],
];

/** Return a store whose form says what it begins with, and a function that types something else into it. */
function filledStore({ given = {}, spot = false, names = NAMES } = {}) {
  const store = settingsStore({ names, spot, given });
  const { answers = false, ...begin } = store.begin;
  const texts = Object.fromEntries(Object.entries(begin).map(([name, value]) => [name, [value].flat().join(", ")]));
  const type = (changes = {}) => {
    const { answers: isChecked = answers, sampling, ...typed } = changes;
    store.type({ texts: { ...texts, ...typed }, answers: isChecked, sampling });
  };
  type();
  return { store, type };
}
const shown = (store, ...names) => names.filter(store.isShown);

test("what is typed is told as the server reads it, what is empty not at all", () => {
  const { store, type } = filledStore();
  assert.deepEqual(store.values(), {});
  type({ until: "0,001", iterations: "1,000", alternating: "no", name: " kuhn ", seed: "" });
  assert.deepEqual(store.values(), { until: "0.001", iterations: "1000", alternating: false, name: "kuhn" });
  assert.deepEqual(store.address(), { until: ["0.001"], iterations: "1000", alternating: "no", name: "kuhn" });
});

test("a spot begins with a goal, which is a share of the pot, unless one is given or taken out", () => {
  assert.deepEqual(filledStore({ spot: true }).store.values(), { until: "0.5%" });
  assert.deepEqual(filledStore({ spot: true, given: { until: "1" } }).store.values(), { until: "1%" });
  const { store } = filledStore({ spot: true, given: { until: "none" } });
  assert.deepEqual([store.values(), store.address()], [{}, { until: "none" }]);
});

test("fields that spots seldom need are shown where something is given", () => {
  assert.deepEqual(shown(filledStore({ spot: true }).store, "seed", "record", "algorithm"), ["algorithm"]);
  const { store, type } = filledStore({ spot: true, given: { seed: "3" } });
  assert.deepEqual(shown(store, "seed", "record"), ["seed"]);
  type({ record: "all" });
  assert.deepEqual(store.values(), { until: "0.5%", seed: "3" }); // of a field that is not seen nothing is told
});

test("answers everywhere have a temperature and an error for a goal, and leave out what does not go with them", () => {
  const { store, type } = filledStore();
  assert.deepEqual(shown(store, "until", "gap", "temperature", "concept", "algorithm"), [
    "until",
    "concept",
    "algorithm",
  ]);
  type({ answers: true, temperature: "0.1", gap: "0.001", until: "0.5", algorithm: "dcfr", sampling: "external" });
  assert.deepEqual(shown(store, "until", "gap", "temperature", "concept", "algorithm"), ["gap", "temperature"]);
  assert.ok(!store.isSampled());
  assert.deepEqual(store.values(), { concept: "qre(0.1)", until: "0.001" });
});

test("what was given with a quantal response is shown, for the server to judge", () => {
  const given = { concept: "qre(0.2)", algorithm: "dcfr", sampling: "external" };
  const { store, type } = filledStore({ given });
  assert.deepEqual(shown(store, "algorithm", "precision", "concept"), ["algorithm"]);
  type({ sampling: "external" });
  assert.deepEqual(store.values(), { algorithm: "dcfr", concept: "qre(0.2)", sampling: "external" });
});

test("a temperature of a spot is a share of the pot", () => {
  const { store } = filledStore({ spot: true, given: { concept: "qre('2%')", until: "0.01" } });
  assert.deepEqual([store.begin.answers, store.begin.temperature, store.begin.gap], [true, "2", "0.01"]);
  assert.deepEqual(store.values(), { until: "0.01", concept: "qre(2%)" });
});

test("several goals: one of them is the distance from a coarse correlated equilibrium", () => {
  const { store, type } = filledStore({ given: { until: ["0.5", "cce_distance(0.1)"] } });
  assert.deepEqual(store.values(), { until: ["0.5", "cce_distance(0.1)"] });
  type({ until: "" });
  assert.deepEqual(store.values(), { until: ["cce_distance(0.1)"] });
});

test("settings without a field are carried along until they are removed", () => {
  const names = NAMES.filter((name) => name !== "sampling");
  const { store } = filledStore({ names, given: { sampling: "external", max_depth: "9", game: "kuhn" } });
  assert.deepEqual(store.state.carried, { sampling: "external", max_depth: "9" });
  assert.deepEqual(store.values(), { sampling: "external", max_depth: "9" });
  store.carry({ max_depth: "9" });
  assert.deepEqual(store.values(), { max_depth: "9" });
});

test("iterations have a usual limit only where nothing else ends the run", () => {
  const { store, type } = filledStore();
  type({ gap: "0.001" }); // which is not seen
  assert.ok(!store.isLimited());
  type({ nodes: "1000" });
  assert.ok(store.isLimited());
});

test("an error is shown at the field that is seen", () => {
  const { store, type } = filledStore();
  assert.equal(store.fieldOf("until"), "until");
  type({ concept: "qre(0.1)" });
  assert.deepEqual(["until", "qre_gap", "concept"].map(store.fieldOf), ["gap", "gap", "concept"]);
  type({ answers: true });
  assert.deepEqual(["until", "concept", "seed"].map(store.fieldOf), ["gap", "temperature", "seed"]);
});

test("forms of batches have no answers everywhere: a quantal concept stays as it was given", () => {
  const names = NAMES.filter((name) => !["answers", "temperature", "sampling"].includes(name));
  const { store } = filledStore({ names, given: { concept: "qre(0.1)", until: "0.01" } });
  assert.deepEqual(store.values(), { until: "0.01", concept: "qre(0.1)" });
  assert.deepEqual(shown(store, "until", "gap"), ["gap"]);
});
