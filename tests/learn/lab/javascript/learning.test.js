import assert from "node:assert/strict";
import { test } from "node:test";

import { iterate, start } from "../../../../src/equilibrist/learn/lab/kuhn-cfr.js";
import { DEALS, INFOSETS, evaluate } from "../../../../src/equilibrist/learn/lab/kuhn-game.js";
import {
  addExact,
  exactOf,
  featuresOf,
  makeRun,
  matchPair,
  meansOf,
  traverse,
} from "../../../../src/equilibrist/learn/lab/learning-deep.js";
import { fitStep, gradientOf, makeNetwork, predict } from "../../../../src/equilibrist/learn/lab/learning-net.js";
import { makeStore, MOST_STEPS } from "../../../../src/equilibrist/learn/lab/learning-store.js";
import { drawing } from "../../../../src/equilibrist/learn/lab/random.js";

const pairs = () => Object.fromEntries(INFOSETS.map(({ key }) => [key, [0, 0]]));
const zeros = () => Object.fromEntries(INFOSETS.map(({ key }) => [key, 0]));
const near = (one, other, what, limit = 1e-12) =>
  assert.ok(Math.abs(one - other) <= limit, `${what}: ${one}, ${other}`);

/** Return a strategy that no other test has. */
function randomStrategy(random) {
  return Object.fromEntries(INFOSETS.map(({ key }) => [key, 0.05 + 0.9 * random()]));
}

/** Return all that a traversal can keep, each with its probability, over all moves of the other. */
function outcomesOf(strategy, deal, player) {
  const found = [];
  const visit = (script) => {
    const asked = [];
    const kept = [];
    let probability = 1 / DEALS.length;
    traverse(
      strategy,
      { deal, line: "", player },
      (probabilities) => {
        const choice = script[asked.length] ?? 0;
        asked.push(choice);
        probability *= probabilities[choice];
        return choice;
      },
      (key, regrets) => kept.push({ key, regrets }),
    );
    found.push({ probability, kept });
    for (let k = script.length; k < asked.length; k++) visit([...asked.slice(0, k), 1]);
  };
  visit([]);
  return found;
}

test("samples mean what the table has exactly: regrets, and how often they are seen", () => {
  const strategy = randomStrategy(drawing(7));
  for (const player of [0, 1]) {
    const exact = { advantages: pairs(), weights: zeros() };
    addExact(exact, strategy, player, 1);
    const sampled = { advantages: pairs(), weights: zeros() };
    let total = 0;
    for (const { probability, kept } of DEALS.flatMap((deal) => outcomesOf(strategy, deal, player))) {
      total += probability;
      for (const { key, regrets } of kept) {
        sampled.weights[key] += probability;
        regrets.forEach((regret, move) => (sampled.advantages[key][move] += probability * regret));
      }
    }
    near(total, 1, "all outcomes");
    for (const { key } of INFOSETS) {
      near(sampled.weights[key], exact.weights[key], `${key}, seen`);
      for (const move of [0, 1]) near(sampled.advantages[key][move], exact.advantages[key][move], key);
    }
  }
});

test("the table of linear CFR's own strategies has its regret sums", () => {
  const state = start();
  const exact = { advantages: pairs(), weights: zeros() };
  for (let t = 1; t <= 20; t++) {
    const before = { ...state.strategy };
    iterate(state, { algorithm: "lcfr", alternating: true, deal: null });
    addExact(exact, before, 0, t);
    const met = { ...before };
    for (const { key, player } of INFOSETS) if (player === 0) met[key] = state.strategy[key];
    addExact(exact, met, 1, t);
  }
  for (const { key } of INFOSETS)
    for (const move of [0, 1]) near(exact.advantages[key][move], 20 * state.regretSum[key][move], key, 1e-10);
});

test("gradients are those of differences", () => {
  const random = drawing(3);
  const network = makeNetwork([7, 5, 3, 2], random);
  const batch = ["J", "Qb", "Kpb"].map((key, k) => ({
    x: featuresOf(key),
    y: [random() - 0.5, 2 * random()],
    weight: k + 1,
  }));
  const loss = () => {
    const total = batch.reduce((sum, { weight }) => sum + weight, 0);
    const errors = batch.map(({ x, y, weight }) => {
      const said = predict(network, x);
      return weight * y.reduce((sum, value, j) => sum + (said[j] - value) ** 2, 0);
    });
    return errors.reduce((sum, one) => sum + one, 0) / total;
  };
  const gradient = gradientOf(network, batch);
  const step = 1e-5;
  let compared = 0;
  network.layers.forEach(({ rows }, k) =>
    rows.forEach((row, j) =>
      row.forEach((weight, i) => {
        row[i] = weight + step;
        const above = loss();
        row[i] = weight - step;
        const below = loss();
        row[i] = weight;
        near(gradient[k][j][i], (above - below) / (2 * step), `layer ${k}, unit ${j}, input ${i}`, 1e-8);
        compared += Number(gradient[k][j][i] !== 0);
      }),
    ),
  );
  assert.ok(compared > 20);
});

test("a network is fitted to what it is shown", () => {
  const network = makeNetwork([7, 8, 2], drawing(1));
  const sample = (key, y) => ({ x: featuresOf(key), y, weight: 1 });
  const batch = [sample("J", [1, 0]), sample("K", [3, -1])];
  for (let n = 0; n < 3_000; n++) fitStep(network, batch, 0.02);
  near(predict(network, featuresOf("J"))[0], 1, "J", 1e-3);
  near(predict(network, featuresOf("K"))[1], -1, "K", 1e-3);
});

test("regret matching plays the larger regret where none is positive", () => {
  assert.equal(matchPair([1, 3]), 0.75);
  assert.equal(matchPair([-1, 3]), 1);
  assert.equal(matchPair([-1, -2]), 0);
  assert.equal(matchPair([-2, -1]), 1);
  assert.equal(matchPair([0, 0]), 0.5);
});

test("a memory's means are weighted by iterations", () => {
  const samples = [
    { key: "J", t: 1, regrets: [1, 0] },
    { key: "J", t: 3, regrets: [-1, 2] },
  ];
  assert.deepEqual(meansOf({ samples }).get("J"), [-0.5, 1.5]);
});

test("a player plays by the network once it is fitted, and not before", () => {
  const run = makeRun({ units: 4, traversals: 10, steps: 5 }, drawing(2));
  for (let n = 0; n < 4; n++) run.step();
  assert.ok(INFOSETS.every(({ key }) => run.strategy[key] === 0.5));
  run.step();
  for (const { key, player } of INFOSETS) {
    const said = /** @type {any} */ (predict(run.networks[player], featuresOf(key)));
    assert.equal(run.strategy[key], player === 0 ? matchPair(said) : 0.5, key);
  }
  assert.deepEqual([run.t, run.player, run.fitted], [1, 1, 0]);
  for (let n = 0; n < 5; n++) run.step();
  assert.deepEqual([run.t, run.player], [2, 0]);
});

test("the same seed learns the same; other settings begin again", () => {
  const store = makeStore({ seed: 5 });
  store.advance(store.stepsLeft());
  const once = store.rows();
  store.configure({});
  assert.equal(store.state.run.steps, 0);
  store.advance(store.stepsLeft());
  assert.deepEqual(store.rows(), once);
  store.configure({ traversals: 10 });
  store.advance(store.stepsLeft());
  assert.notDeepEqual(store.rows(), once);
  assert.equal(store.state.deep.length, 1);
});

test("a unit that is off for all infosets comes on again", () => {
  const network = makeNetwork([7, 1, 2], drawing(1));
  const [row] = network.layers[0].rows;
  row.set([-1, -1, -1, -1, -1, -1, -1, -1]);
  const batch = INFOSETS.map(({ key }) => ({ x: featuresOf(key), y: [1, Number(key[0] === "K")], weight: 1 }));
  for (let n = 0; n < 1_000; n++) fitStep(network, batch, 0.02);
  const said = (key) => predict(network, featuresOf(key))[1];
  assert.ok(said("K") > said("J") + 0.8, `${said("K")}, ${said("J")}`);
});

test("a run ends, and begins again", () => {
  const store = makeStore();
  store.state.run.steps = MOST_STEPS - 2;
  assert.equal(store.advance(5), 2);
  assert.equal(store.canGoOn(), false);
  assert.equal(store.advance(5), 0);
  store.configure({});
  assert.equal(store.advance(5), 5);
});

test("docs/lab-learning.md: what networks come to in thirty iterations", () => {
  const store = makeStore();
  for (let n = 0; n < 30; n++) store.advance(store.stepsLeft());
  const { deep, exact, run } = store.state;
  const of = (curve) => Number(curve.at(-1)[1].toFixed(3));
  assert.deepEqual([of(deep), of(exact)], [0.034, 0.005]);
  near(evaluate(run.average()).exploitability, deep.at(-1)[1], "certificate");
  assert.ok(store.errorOfNetworks() < 0.05);
  const { advantages, weights } = run.exact;
  near(exactOf({ advantages, weights }, "Kb")[0], store.rows().find((row) => row.key === "Kb").exact[0], "Kb");
});
