import assert from "node:assert/strict";
import { test } from "node:test";

import {
  averageOf,
  FULL_VISITS,
  iterate,
  ruleOf,
  sample,
  sampleBelow,
  start,
  updateBelow,
} from "../../../../src/equilibrist/learn/lab/leduc-cfr.js";
import {
  CHANCES,
  DECISIONS,
  infosetOf,
  makeTable,
  nameOf,
  PARTS,
  STATES,
} from "../../../../src/equilibrist/learn/lab/leduc-game.js";
import { evaluate, ONES } from "../../../../src/equilibrist/learn/lab/leduc-judge.js";
import { draw, drawing } from "../../../../src/equilibrist/learn/lab/random.js";

const VALUE = -0.0856064; // of Leduc hold'em to player 0: Southey et al. 2005, docs/known-values.md

/** Return a strategy that no other test has. */
function randomStrategy(random) {
  return makeTable((count) => {
    const row = Array.from({ length: count }, () => 0.05 + random());
    const total = row.reduce((sum, one) => sum + one, 0);
    return row.map((one) => one / total);
  });
}

/** Run a function with every outcome of its draws; `play(choose)` gives a result, which comes with its probability. */
function* outcomes(play) {
  let next = [];
  while (next) {
    const script = next;
    const taken = [];
    let probability = 1;
    const result = play((probabilities) => {
      const choice = script[taken.length] ?? probabilities.findIndex((one) => one > 0);
      taken.push({ choice, probabilities });
      probability *= probabilities[choice];
      return choice;
    });
    yield { result, probability };
    next = null;
    while (!next && taken.length) {
      const { choice, probabilities } = taken.pop();
      const later = probabilities.findIndex((one, k) => k > choice && one > 0);
      if (later > 0) next = [...taken.map((one) => one.choice), later];
    }
  }
}

test("the game has the infosets of the package", () => {
  assert.equal(DECISIONS.length * 3, 288);
  assert.equal(PARTS.length, 15);
  assert.equal(new Set(DECISIONS.map(nameOf)).size, DECISIONS.length);
  assert.equal(infosetOf(PARTS[0], 2), "Kcc/J");
  const count = (kind) => STATES.filter((state) => state.kind === kind).length;
  assert.deepEqual([count("turn"), count("fold"), count("showdown")], [5, 4 + 15 * 4, 15 * 5]);
});

test("chance deals each pair of hands, and each card, as often as the deck has it", () => {
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  assert.ok(Math.abs(sum([...CHANCES[0]]) - 1) < 1e-12);
  const turn = STATES.find(({ kind }) => kind === "turn");
  const cards = turn.next.map((index) => sum([...CHANCES[index]]));
  for (const chance of cards) assert.ok(Math.abs(chance - 1 / 3) < 1e-12);
  const [jacks] = turn.next;
  assert.equal(CHANCES[jacks][0], 0); // both have a jack, and there is no third
});

test("the mean of all samples of a deal is the full pass of that deal", () => {
  const random = drawing(5);
  const strategy = randomStrategy(random);
  for (const name of ["cc/Q", "crrc/J", "rc/K"]) {
    const { index } = PARTS.find((part) => nameOf(part) === name);
    for (const [player, hands] of [
      [0, [0, 1]],
      [1, [2, 1]],
    ]) {
      const pair = 3 * hands[0] + hands[1];
      const mean = new Map();
      let total = 0;
      const play = (choose) => {
        const cfr = { ...start(), strategy: structuredClone(strategy) };
        sampleBelow(cfr, index, { player, hands, pair, choose });
        return cfr.regretSum;
      };
      for (const { result, probability } of outcomes(play)) {
        total += probability;
        for (const state of DECISIONS)
          result[state.index][hands[player]].forEach((regret, move) => {
            const key = `${state.index} ${move}`;
            mean.set(key, (mean.get(key) ?? 0) + probability * regret);
          });
      }
      assert.ok(Math.abs(total - 1) < 1e-12);
      const full = { ...start(), strategy: structuredClone(strategy) };
      const others = ONES.map((_, hand) => Number(hand === hands[1 - player]));
      updateBelow(full, index, { player, own: ONES, others, rule: ruleOf("cfr", 1) });
      let compared = 0;
      for (const state of DECISIONS) {
        full.regretSum[state.index][hands[player]].forEach((regret, move) => {
          const expected = regret / CHANCES[index][pair];
          assert.ok(Math.abs((mean.get(`${state.index} ${move}`) ?? 0) - expected) < 1e-12, `${nameOf(state)} ${move}`);
          compared += Number(regret !== 0);
        });
      }
      assert.ok(compared > 5);
    }
  }
});

test("full iterations and samples come to the value of the game", () => {
  const plus = start();
  for (let t = 0; t < 150; t++) iterate(plus, "cfr+");
  const found = evaluate(averageOf(plus));
  assert.equal(plus.visits, 150 * FULL_VISITS);
  assert.ok(-found.best[1] <= VALUE && VALUE <= found.best[0]);
  assert.ok(found.exploitability < 0.02);
  const sampled = start();
  const random = drawing(3);
  for (let t = 0; t < 20_000; t++) sample(sampled, (probabilities) => draw(probabilities, random()));
  const { best, exploitability } = evaluate(averageOf(sampled));
  assert.ok(-best[1] <= VALUE && VALUE <= best[0]);
  assert.ok(exploitability < 0.25, String(exploitability));
});
