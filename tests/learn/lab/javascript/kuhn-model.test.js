import assert from "node:assert/strict";
import { test } from "node:test";

import { averageOf, iterate, start } from "../../../../src/equilibrist/learn/lab/kuhn-cfr.js";
import {
  DEALS,
  ENDS,
  INFOSETS,
  evaluate,
  payoff,
  reach,
  value,
} from "../../../../src/equilibrist/learn/lab/kuhn-game.js";
import { GAME_VALUE, certificate, mixture, modelOf } from "../../../../src/equilibrist/learn/lab/kuhn-model.js";
import { ALGORITHMS } from "../../../../src/equilibrist/learn/lab/update-rules.js";

const TRUSTS = [0, 0.25, 0.5, 0.75, 0.9];

/** The value of the restricted game by the trust, and of a best response to the model: from the linear programme. */
const KNOWN = [
  { model: "uniform", player: 0, values: [-1 / 18, 1 / 72, 5 / 36, 7 / 24, 5 / 12], most: 1 / 2 },
  { model: "station", player: 0, values: [-1 / 18, 1 / 72, 1 / 9, 2 / 9, 13 / 45], most: 1 / 3 },
  { model: "folder", player: 0, values: [-1 / 18, 5 / 144, 5 / 24, 23 / 48, 77 / 120], most: 3 / 4 },
  { model: "uniform", player: 1, values: [1 / 18, 1 / 12, 5 / 36, 35 / 144, 41 / 120], most: 5 / 12 },
  { model: "station", player: 1, values: [1 / 18, 7 / 72, 5 / 36, 17 / 72, 53 / 180], most: 1 / 3 },
  { model: "folder", player: 1, values: [1 / 18, 11 / 144, 7 / 72, 61 / 240, 223 / 600], most: 9 / 20 },
];

let seed = 11;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const anything = () =>
  Object.fromEntries(INFOSETS.map(({ key }) => [key, random() < 0.3 ? Math.round(random()) : random()]));

const near = (actual, expected, tolerance, where = "") =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${where}: ${actual}, not ${expected}`);

/** Return the state after some iterations against a model. */
function ran(settings, iterations) {
  const state = start();
  for (let t = 0; t < iterations; t++) iterate(state, { algorithm: "cfr", alternating: true, deal: null, ...settings });
  return state;
}

test("the bounds enclose the value of the restricted game, and meet", () => {
  for (const { model, player, values } of KNOWN) {
    for (const [i, trust] of TRUSTS.entries()) {
      const answering = { player, trust, strategy: modelOf(model, 1 - player) };
      for (const [algorithm, iterations] of [
        ["cfr", 3000],
        ["cfr+", 500],
      ]) {
        const where = `${algorithm}, player ${player} against ${model} at ${trust}`;
        const { lower, upper, gap } = certificate(averageOf(ran({ algorithm, answering }, iterations)), answering);
        assert.ok(lower <= values[i] + 1e-12 && values[i] <= upper + 1e-12, `${where}: ${lower} to ${upper}`);
        near(gap, 0, 1e-3, where);
        assert.equal(gap, upper - lower);
      }
    }
  }
});

test("every algorithm and both orders come to the value, also on drawn deals", () => {
  const answering = { player: 1, trust: 0.5, strategy: modelOf("uniform", 0) };
  for (const algorithm of Object.keys(ALGORITHMS)) {
    for (const alternating of [true, false]) {
      const { lower, upper } = certificate(averageOf(ran({ algorithm, alternating, answering }, 2000)), answering);
      assert.ok(lower <= 5 / 36 + 1e-12 && 5 / 36 <= upper + 1e-12 && upper - lower < 0.01, `${algorithm}: ${lower}`);
    }
  }
  const state = start();
  for (let t = 0; t < 20_000; t++) {
    const deal = /** @type {[string, string]} */ ([0, 1].map(() => DEALS[Math.floor(random() * 6)]));
    iterate(state, { algorithm: "cfr", alternating: true, deal, answering });
  }
  near(certificate(averageOf(state), answering).gap, 0, 0.03, "drawn deals");
});

test("who is nearly sure of a model answers it best", () => {
  for (const { model, player, most } of KNOWN) {
    const answering = { player, trust: 0.99, strategy: modelOf(model, 1 - player) };
    near(evaluate({ ...anything(), ...answering.strategy }).best[player], most, 1e-12, model);
    near(certificate(averageOf(ran({ algorithm: "cfr+", answering }, 500)), answering).won, most, 1e-3, model);
  }
});

test("the mixture mixes what leads to each end, not what is played on the way", () => {
  for (let i = 0; i < 200; i++) {
    const player = i % 2;
    const [strategy, model] = [anything(), anything()];
    const trust = i < 10 ? 0 : Math.min(0.99, random());
    const mixed = mixture(strategy, { player, trust, strategy: model });
    let won = 0;
    for (const deal of DEALS) {
      for (const line of ENDS) {
        const [bound, free, both] = [model, strategy, mixed].map((one) => reach(one, deal, line, 1 - player));
        const expected = trust * bound + (1 - trust) * free;
        near(both, expected, 1e-12, `${deal} ${line}`);
        won += (payoff(deal, line, player) * reach(strategy, deal, line, player) * expected) / DEALS.length;
      }
    }
    near(value(mixed) * (player === 0 ? 1 : -1), won, 1e-12, "value");
    for (const one of INFOSETS.filter((one) => one.player === player)) assert.equal(mixed[one.key], strategy[one.key]);
  }
});

test("who answers has the regrets of the mixture, the opponent those of its own strategy", () => {
  for (const player of [0, 1]) {
    const [strategy, model] = [anything(), anything()];
    const [trusting, mixed, plain] = [strategy, strategy, strategy].map((one) => start(one));
    const answering = { player, trust: 0.4, strategy: model };
    const settings = { algorithm: "cfr", alternating: false, deal: null };
    iterate(trusting, { ...settings, answering });
    mixed.strategy = mixture(strategy, answering);
    for (const state of [mixed, plain]) iterate(state, settings);
    for (const one of INFOSETS) {
      const expected = one.player === player ? mixed : plain;
      assert.deepEqual(trusting.regretSum[one.key], expected.regretSum[one.key], one.key);
      assert.deepEqual(trusting.strategySum[one.key], plain.strategySum[one.key], one.key);
    }
  }
});

test("without trust nothing changes, and the bounds are the best responses", () => {
  for (const player of [0, 1]) {
    const answering = { player, trust: 0, strategy: modelOf("station", 1 - player) };
    for (const algorithm of Object.keys(ALGORITHMS)) {
      const [plain, trusting] = [ran({ algorithm }, 50), ran({ algorithm, answering }, 50)];
      assert.deepEqual(trusting, plain);
      const average = averageOf(plain);
      const { best, nashConv, exploitability } = evaluate(average);
      const { lower, upper, gap, worst, risk } = certificate(average, answering);
      assert.deepEqual([lower, upper], [-best[1 - player], best[player]]);
      assert.equal(worst, lower);
      near(gap, nashConv, 1e-15, algorithm);
      near(gap / 2, exploitability, 1e-15, algorithm);
      near(risk, GAME_VALUE[player] + best[1 - player], 1e-15, algorithm);
    }
  }
});

test("what the models play", () => {
  assert.equal(modelOf("none", 0), null);
  assert.equal(modelOf("sliders", 0), null);
  assert.deepEqual(modelOf("uniform", 1), { Jp: 0.5, Jb: 0.5, Qp: 0.5, Qb: 0.5, Kp: 0.5, Kb: 0.5 });
  assert.deepEqual(modelOf("station", 0), { J: 0, Jpb: 1, Q: 0, Qpb: 1, K: 0, Kpb: 1 });
  const folder = modelOf("folder", 0);
  assert.deepEqual([folder.Jpb, folder.Qpb, folder.Kpb], [0.25, 0.25, 0.25]);
  near(folder.K, 3 * folder.J, 1e-15);
  const own = anything();
  assert.equal(modelOf("sliders", 1, own).Qb, own.Qb);
  assert.equal(modelOf("sliders", 1, own).Q, undefined);
});
