import assert from "node:assert/strict";
import { test } from "node:test";

import { equilibrium, judged, payoffsOf, strategiesOf } from "../../../../src/equilibrist/learn/lab/one-bet-game.js";
import { GAMES, mixed } from "../../../../src/equilibrist/learn/lab/regret-games.js";
import { fixed, fraction, signed, small } from "../../../../src/equilibrist/learn/lab/regret-numbers.js";
import { draw, drawing } from "../../../../src/equilibrist/learn/lab/random.js";
import {
  actionValues,
  averageOf,
  iterate,
  judge,
  learn,
  newLearner,
  pure,
  regretMatching,
} from "../../../../src/equilibrist/learn/lab/regret-rule.js";
import { inWords } from "../../../../src/equilibrist/learn/lab/regret-words.js";

const near = (value, expected, within) => assert.ok(Math.abs(value - expected) <= within, `${value}, not ${expected}`);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("regret matching as in the exercises of tutorial 1", () => {
  assert.deepEqual(regretMatching([2, -5, 6]), [1 / 4, 0, 3 / 4]);
  assert.deepEqual(regretMatching([-1, -2, 0]), [1 / 3, 1 / 3, 1 / 3]);
});

test("a strategy that was given is played first", () => {
  assert.deepEqual(newLearner(2, [0.3, 0.7]).strategy, [0.3, 0.7]);
});

test("drawn actions are as frequent as their probabilities", () => {
  const random = drawing(1);
  const strategy = [0.2, 0, 0.5, 0.3];
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 100_000; i++) counts[draw(strategy, random())] += 1;
  assert.equal(counts[1], 0);
  counts.forEach((count, a) => near(count / 1e5, strategy[a], 0.006)); // 4 standard deviations
  assert.equal(draw([0.5, 0.5, 0], 1 - 2 ** -53), 1);
  assert.equal(draw([0, 1 / 3, 2 / 3 - 1e-12], 1 - 1e-13), 2);
  assert.deepEqual([drawing(7)(), drawing(7)()], [drawing(7)(), drawing(7)()]);
});

test("the weights of a mix are shared by the orders of a split", () => {
  const strategy = mixed(GAMES.blotto, [1, 0, 3, 0, 0]);
  near(strategy[GAMES.blotto.actions.indexOf("0-5-0")], 1 / 12, 1e-15);
  near(strategy[GAMES.blotto.actions.indexOf("0-3-2")], 3 / 24, 1e-15);
  near(mean(mixed(GAMES.blotto, [0, 0, 0, 0, 0])), 1 / 21, 1e-15);
  assert.deepEqual(mixed(GAMES.double, [1, 2, 1]), [0.25, 0.5, 0.25]);
});

test("numbers as they are shown", () => {
  assert.equal(fraction(-2 / 5), "−2/5");
  assert.equal(fraction(0.12345678), "0.123");
  assert.equal(signed(3), "+3");
  assert.equal(signed(0), "0");
  assert.equal(fixed(-1e-9), "0.000");
  assert.deepEqual([0, 0.1, 0.00123, 0.0000123].map(small), ["0", "0.100", "0.0012", "1.2e−5"]);
});

/** Return a round that a program has played, after others. */
function round(game, played, other, rounds = []) {
  let before = newLearner(3);
  for (const [mine, his] of rounds) before = learn(before, game.payoffs, pure(3, mine), pure(3, his));
  const after = learn(before, game.payoffs, played, other);
  return { before, after, played, other, own: "the program", theirs: "your", averages: true };
}

test("how numbers come about, of actions", () => {
  const it = round(GAMES.double, pure(3, 1), pure(3, 2), [[0, 1]]);
  assert.deepEqual(inWords("instant", GAMES.double, 0, it), [
    "rock against your scissors: +2",
    "the program played paper: −1",
    "2 − (−1) = +3: rock would have earned 3 more",
  ]);
  assert.match(inWords("instant", GAMES.double, 1, it)[2], /nothing to regret/);
  assert.deepEqual(inWords("sum", GAMES.double, 2, it), [
    "before this round 2, this round +1",
    "2 + 1 = 3",
    "scissors in every round would have earned 3 more",
  ]);
  assert.deepEqual(inWords("next", GAMES.double, 0, it), [
    "positive regret sums: rock 3, paper 1, scissors 3",
    "they sum to 7",
    "3 / 7 = 3/7",
  ]);
  assert.match(inWords("average", GAMES.double, 2, it).join(), /2 rounds sum to 1,1 \/ 2 = 1\/2/);
});

test("how numbers come about, of strategies", () => {
  const uniform = [1 / 3, 1 / 3, 1 / 3];
  const it = round(GAMES.double, uniform, uniform);
  assert.deepEqual(inWords("instant", GAMES.double, 0, it), [
    "rock is worth 0\u2009·\u20091/3 + (−1)\u2009·\u20091/3 + 2\u2009·\u20091/3 = +1/3 against your strategy",
    "the strategy of the program was worth 0",
    "1/3 − 0 = +1/3",
  ]);
  assert.deepEqual(inWords("next", GAMES.double, 2, it), [
    "the regret sum of scissors, −1/3, is not positive: it is not played",
  ]);
});

// What docs/lab-one-bet.md and docs/lab-regret.md say that one finds.

test("docs/lab-one-bet.md: what CFR comes to in 2,000 iterations", () => {
  const cases = [
    [{}, "0.0019"],
    [{ inTurn: true }, "0.000077"],
    [{ inTurn: true, plus: true }, "0.000031"],
  ];
  for (const [options, text] of cases) {
    let players = strategiesOf(0.7, 0.8).map((strategy) => newLearner(2, strategy));
    for (let t = 0; t < 2000; t++) players = iterate(players, payoffsOf(1), options);
    const [bluff, call] = players.map((player) => averageOf(player)[1]);
    near(judged(1, bluff, call).exploitability, Number(text), 0.6 * 10 ** -(text.length - 2));
  }
  assert.equal(fraction(equilibrium(5).bluff), "1/11");
  assert.equal(fraction(equilibrium(5).call), "9/11");
  assert.ok(judged(2, 0.2, 0.6).exploitability < 1e-15);
});

/** Return the reader's scores in so many matches of so many rounds; `reader` chooses a strategy. */
function scores(game, rounds, matches, reader) {
  const actions = game.actions.length;
  return Array.from({ length: matches }, (_, seed) => {
    const random = drawing(seed);
    let [program, score] = [newLearner(actions), 0];
    for (let t = 0; t < rounds; t++) {
      const one = (strategy) => pure(actions, draw(strategy, random()));
      const [played, other] = [one(program.strategy), one(reader(program))];
      score += judge(game.payoffs, other, played).value;
      program = learn(program, game.payoffs, played, other);
    }
    return score;
  }).sort((a, b) => a - b);
}

test("docs/lab-regret.md: fixed mixes", () => {
  const mix = (name, weights) => scores(GAMES[name], 100, 300, () => mixed(GAMES[name], weights));
  near(mean(mix("double", [1, 0, 0])), -98, 1);
  const even = mix("double", [1, 2, 1]);
  near(mean(even), 0, 2.5);
  assert.ok(even[30] > -20 && even[270] < 20);
  near(mean(mix("blotto", [0, 0, 1, 0, 0])), 0, 2);
  for (const weights of [
    [1, 0, 0, 0, 0],
    [0, 1, 0, 0, 0],
    [0, 0, 0, 1, 0],
    [0, 0, 0, 0, 1],
  ])
    assert.ok(mean(mix("blotto", weights)) < -28);
  assert.ok(mean(mix("blotto", [1, 0, 0, 0, 0])) < -97);
});

test("docs/lab-regret.md: who sees the next strategy wins like the square root of the rounds", () => {
  const game = GAMES.double;
  const best = ({ strategy }) => {
    const values = actionValues(game.payoffs, strategy);
    return pure(3, values.indexOf(Math.max(...values)));
  };
  near(mean(scores(game, 100, 200, best)), 14, 1.5);
  near(mean(scores(game, 1000, 60, best)), 47, 4);
});

test("docs/lab-regret.md: two programs", () => {
  const players = (name, rounds) => {
    let both = [newLearner(3), newLearner(3)];
    for (let t = 0; t < rounds; t++) both = iterate(both, GAMES[name].payoffs);
    return both;
  };
  assert.deepEqual(players("double", 1)[0].strategy, [1, 0, 0]);
  players("double", 2)[0].strategy.forEach((value, a) => near(value, [1 / 4, 3 / 4, 0][a], 1e-12));
  const averages = players("double", 1000).map(averageOf);
  near(judge(GAMES.double.payoffs, ...averages).nashConv / 2, 0.023, 0.0005);
  players("fair", 50)[1].strategy.forEach((value) => near(value, 1 / 3, 1e-12));
});
