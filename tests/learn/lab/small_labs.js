// Compares the arithmetic of the small labs with what the package has computed: `node small_labs.js cases.json`. Prints
// how many numbers were compared and the largest difference, and fails where one is above 1e-12.

import { readFileSync } from "node:fs";

import * as oneBet from "../../../src/equilibrist/learn/lab/one-bet-game.js";
import { GAMES } from "../../../src/equilibrist/learn/lab/regret-games.js";
import { averageOf, iterate, judge, newLearner } from "../../../src/equilibrist/learn/lab/regret-rule.js";

const LIMIT = 1e-12;
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
const counts = {};
let worst = { difference: 0, where: "" };

function same(name, ours, theirs, scale = 1) {
  const [left, right] = [[ours].flat(Infinity), [theirs].flat(Infinity)];
  if (left.length !== right.length) throw new Error(`${name}: ${left.length} numbers, the package has ${right.length}`);
  left.forEach((value, i) => {
    const difference = Math.abs(value - right[i]) / scale;
    counts[name] = (counts[name] ?? 0) + 1;
    if (!(difference <= LIMIT)) throw new Error(`${name}: ${value}, the package has ${right[i]}`);
    if (difference > worst.difference) worst = { difference, where: name };
  });
}

for (const { S, bluff, call, value, gains, exploitability } of cases.points) {
  const ours = oneBet.judged(S, bluff, call);
  const scale = Math.max(1, S);
  same("value", ours.value, value, scale);
  same("gains", ours.gains, gains, scale);
  same("exploitability", ours.exploitability, exploitability, scale);
  same("security levels", [ours.floor, ours.ceiling], [value - gains[1], value + gains[0]], scale);
  const { bluff: up, call: along } = oneBet.slopes(S, bluff, call);
  same("slopes", [Math.max(up * (1 - bluff), -up * bluff), Math.max(-along * (1 - call), along * call)], gains, scale);
  const matrix = judge(oneBet.payoffsOf(S), ...oneBet.strategiesOf(bluff, call));
  same("value of the game of two decisions", [matrix.value, ...matrix.gains], [value, ...gains], scale);
}

for (const { S, bluff, call, value } of cases.equilibria) {
  const ours = oneBet.equilibrium(S);
  same("equilibrium", [ours.bluff, ours.call], [bluff, call]);
  same("value of the game", ours.value, value, Math.max(1, S));
}

/** Return a player as a run had it after `rounds` iterations. */
const resumed = (run, player, rounds) => ({
  strategy: run.strategies[rounds - 1][player],
  regretSums: run.sums[rounds - 1][player],
  strategySums: run.averages[rounds - 1][player].map((average) => average * rounds),
  weight: rounds,
  rounds,
});

/** The total that regrets are divided by: rounding of the sums is that much larger in the strategy. */
const total = (sums) => Math.min(1, ...sums.map((one) => one.reduce((sum, regret) => sum + Math.max(regret, 0), 0)));

for (const run of cases.runs) {
  const { payoffs, options, start, strategies, averages, sums } = run;
  let players = [0, 1].map((i) => newLearner(i ? payoffs[0].length : payoffs.length, start?.[i]));
  for (let t = 0; t < strategies.length; t++) {
    // A run from a point is compared step by step: its orbits drive rounding errors apart.
    if (start && t) players = [0, 1].map((i) => resumed(run, i, t));
    players = iterate(players, payoffs, options);
    const state = (part) => players.map(part);
    const name = start ? "steps from a point" : "runs";
    same(
      `${name}: strategies`,
      state(({ strategy }) => strategy),
      strategies[t],
      start ? 1 / total(sums[t]) : 1,
    );
    same(`${name}: averages`, state(averageOf), averages[t]);
    same(
      `${name}: regret sums`,
      state(({ regretSums }) => regretSums),
      sums[t],
      t + 1,
    );
  }
}

for (const { game, rows, columns, value, gains, nashConv } of cases.matrices) {
  const ours = judge(GAMES[game].payoffs, rows, columns);
  same(`${game}: value and gains`, [ours.value, ...ours.gains, ours.nashConv], [value, ...gains, nashConv]);
}

for (const { game, actions, payoffs } of cases.games) {
  if (GAMES[game].actions.join() !== actions.join()) throw new Error(`${game}: ${GAMES[game].actions}`);
  same(`${game}: payoffs`, GAMES[game].payoffs, payoffs);
}

console.log(JSON.stringify({ counts, worst }));
